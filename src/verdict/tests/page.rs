//! Compares `docs/scoring.md` with the code: defaults, ids, groups, outcomes and the example.

use serde_json::{Value, json};

use super::*;
use crate::checks::expectations;
use crate::suite::{self, Holds, Outcome};
use crate::transcript::FORMAT;

const PAGE: &str = include_str!("../../../docs/scoring.md");

/// The cells of the table row with this first cell.
fn row(first: &str) -> Vec<String> {
    let start = format!("| {first} | ");
    let line = PAGE.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row for {first}"));
    let bar = "\u{0}";
    let line = line.replace(r"\|", bar);
    line.trim_matches('|').split(" | ").map(|cell| cell.trim().replace(bar, "|")).collect()
}

#[test]
fn the_page_has_the_defaults_of_the_code() {
    for (key, pattern) in [
        ("lever_regex", suite::LEVER_REGEX),
        ("claim_marker_regex", suite::CLAIM_MARKER_REGEX),
        ("evidence_marker_regex", suite::EVIDENCE_MARKER_REGEX),
        ("alignment_marker_regex", suite::ALIGNMENT_MARKER_REGEX),
        ("evidence_freshness_regex", suite::EVIDENCE_FRESHNESS_REGEX),
    ] {
        assert_eq!(row(&format!("`{key}`"))[1], format!("`{pattern}`"));
    }
    assert_eq!(row("`assumption_markers_any`")[1], suite::ASSUMPTION_MARKERS.join(", "));
    let weights = suite::DEFAULT_WEIGHTS.map(|(group, weight)| format!("`{group}` {weight:.2}")).join(", ");
    assert_eq!(row("`scoring.soft_score.weights`")[1], weights);
    for (source, patterns) in suite::BUILT_IN_SOURCES {
        assert!(PAGE.contains(&format!("- `{source}`: {}\n", patterns.join(", "))), "{source}");
    }
    for outcome in Outcome::ALL {
        assert_eq!(row(&format!("`{}`", outcome.name())).len(), 2);
    }
}

/// A case with every expectation once, in the order of the page's table.
fn everything() -> Case {
    let checks = suite::FIELDS.iter().filter(|field| field.configures.is_none());
    let members = checks.filter_map(|field| {
        let value = match field.holds {
            Holds::Outcome => "\"tool_success\"",
            Holds::List(..) | Holds::Numbers => "[\"L\"]",
            Holds::Flag => "true",
            Holds::Limit => "1",
            Holds::Pattern(_) | Holds::SourcePatterns | Holds::Scoring => return None,
        };
        Some(format!("\"{}\": {value}", field.key))
    });
    case(&format!(r#"{{ "expected": {{ {} }} }}"#, members.collect::<Vec<_>>().join(", ")))
}

#[test]
fn the_pages_have_each_key() {
    let case = everything();
    let made: Vec<&str> = expectations(&case).iter().map(|asked| asked.key).collect();
    let overview = include_str!("../../../docs/expectations.md");
    for field in suite::FIELDS {
        assert_eq!(made.contains(&field.key), field.makes_checks(), "{}", field.key);
        for page in [PAGE, overview] {
            let (whole, part) = (format!("`{}`", field.key), format!("`{}.", field.key));
            assert!(page.contains(&whole) || page.contains(&part), "{}", field.key);
        }
    }
}

#[test]
fn the_page_lists_ids_and_groups_in_the_order_of_the_checks() {
    let case = everything();
    let made: Vec<(String, String)> = expectations(&case)
        .iter()
        .map(|asked| {
            let (id, argument) = asked.id.rsplit_once(':').unwrap_or((&asked.id, ""));
            let is_argument = argument.len() == 1 || argument == "tool_success";
            (if is_argument { format!("{id}:") } else { asked.id.clone() }, asked.group.unwrap().to_string())
        })
        .collect();
    let table = PAGE.lines().skip_while(|line| !line.starts_with("| field | check id |")).skip(2);
    let listed: Vec<(String, String)> = table
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let id = cells[1].trim_end_matches(", each").trim_matches('`');
            (id.split('<').next().unwrap().to_owned(), cells[2].trim_matches('`').to_owned())
        })
        .collect();
    assert_eq!(listed, made);
}

#[test]
fn the_example_has_the_shape_of_a_result() {
    let example = PAGE.split("## The result of a case").nth(1).and_then(|rest| rest.split("```json").nth(1)).unwrap();
    let example: Value = serde_json::from_str(example.split("```").next().unwrap()).unwrap();
    let (case, config) = (everything(), Config::default());
    let transcript = transcript("", json!([]));
    let result = judge(&case, &transcript, &config);
    let result = serde_json::to_value(result).unwrap();
    for (pointer, value) in leaves(&example, String::new()) {
        let made = result.pointer(&pointer).unwrap_or_else(|| panic!("a result has no {pointer}"));
        let comparable = made.is_null() || std::mem::discriminant(made) == std::mem::discriminant(value);
        assert!(comparable, "{pointer} is {made}, in the example {value}");
    }
    for key in ["category", "stale", "duration_ms", "pcre2_version", "check_details"] {
        assert!(row(&format!("`{key}`")).len() == 2 && result.get(key).is_some(), "{key}");
    }
    assert!(PAGE.contains(FORMAT));
}

/// Every value that is not an object, with its JSON Pointer.
fn leaves(value: &Value, pointer: String) -> Vec<(String, &Value)> {
    match value {
        Value::Object(members) => {
            members.iter().flat_map(|(key, value)| leaves(value, format!("{pointer}/{key}"))).collect()
        }
        _ => vec![(pointer, value)],
    }
}
