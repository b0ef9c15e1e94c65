//! Built-in transcripts with known verdicts. They test that this program judges correctly on this machine.

use crate::config::Config;
use crate::suite::Case;
use crate::syntax::{Node, parse};
use crate::transcript::Transcript;

use super::judge;

/// The cases, their transcripts and the expected verdicts.
const TABLE: &str = include_str!("self_test.json");

/// The number of built-in transcripts.
pub(crate) fn self_test_count() -> usize {
    with_rows(TABLE, |rows| rows.elements().count())
}

/// Judges every built-in transcript. Returns a line for each difference between a verdict and the expected one.
pub(crate) fn self_test() -> Vec<String> {
    differences(TABLE)
}

fn differences(table: &str) -> Vec<String> {
    with_rows(table, |rows| rows.elements().flat_map(row).collect())
}

fn with_rows<T>(table: &str, read: impl FnOnce(Node<'_>) -> T) -> T {
    let parsed = parse(table);
    read(parsed.tree.root(table).expect("the built-in table is JSON"))
}

fn row(row: Node<'_>) -> Vec<String> {
    let text = |key: &str| row.get(key).and_then(Node::as_str).unwrap_or_default().into_owned();
    let part = |key: &str| row.get(key).expect("every row of the built-in table has this key");
    let case = Case::lower(part("case"));
    let transcript = Transcript::parse(part("transcript").text()).expect("every built-in transcript is one");
    let (config, _) = Config::parse(&text("config"), &[]);
    let result = judge(&case, &transcript, &config);
    let result = serde_json::to_value(result).expect("a result is JSON");
    let found = [
        ("status", &result["status"]),
        ("failed", &result["checks"]["failed"]),
        ("unknown_ui", &result["checks"]["unknown_ui"]),
        ("soft_score", &result["metrics"]["scoring"]["soft_score"]["value"]),
    ];
    let differing = found.into_iter().map(|(what, found)| (what, part(what).to_value(), found));
    let differing = differing.filter(|(_, expected, found)| expected != *found);
    let name = text("name");
    differing.map(|(what, expected, found)| format!("{name}: {what} should be {expected}, but is {found}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::checks::{Expectation, expectations};
    use crate::suite::{FIELDS, TelemetryEntry};

    #[test]
    fn every_built_in_transcript_is_judged_as_it_should_be() {
        let differences = self_test();
        assert!(differences.is_empty(), "{}", differences.join("\n"));
        assert!(self_test_count() >= 25);
    }

    #[test]
    fn a_different_verdict_is_reported() {
        let table = r#"[{
            "name": "wrong", "case": { "expected": { "must_say_any": ["a"] } },
            "transcript": { "format": "eval-ls/transcript@1", "case": "", "response": "b" },
            "status": "PASS", "failed": ["must_say_any"], "unknown_ui": [], "soft_score": 1
        }]"#;
        assert_eq!(
            differences(table),
            [r#"wrong: status should be "PASS", but is "FAIL""#, "wrong: soft_score should be 1, but is 0.95"]
        );
    }

    /// The kind of an expectation, in one or two words.
    fn kind(asked: &Expectation<'_>) -> String {
        match (asked.key, asked.rule.outcome()) {
            ("outcome", None) => "outcome unknown".to_owned(),
            (key, Some(outcome)) => format!("{key} {}", outcome.name()),
            ("telemetry", _) => {
                let entry = format!("{:?}", TelemetryEntry::parse(&asked.id["telemetry:".len()..]));
                format!("telemetry {}", entry.split([' ', '(']).next().unwrap_or_default())
            }
            (key, None) => key.to_owned(),
        }
    }

    #[test]
    fn the_table_has_every_kind_of_check_passing_and_failing() {
        let mut found = BTreeSet::new();
        with_rows(TABLE, |rows| {
            for row in rows.elements() {
                let case = Case::lower(row.get("case").unwrap());
                let transcript = Transcript::parse(row.get("transcript").unwrap().text()).unwrap();
                let config = row.get("config").and_then(Node::as_str).unwrap_or_default();
                let verdict = judge(&case, &transcript, &Config::parse(&config, &[]).0);
                let checks = expectations(&case).into_iter().zip(verdict.check_details);
                found.extend(checks.map(|(asked, check)| format!("{} {:?}", kind(&asked), check.outcome)));
            }
        });
        let keys = FIELDS.iter().filter(|field| field.makes_checks()).map(|field| field.key);
        let kinds = keys.filter(|key| !["outcome", "telemetry"].contains(key)).map(str::to_owned);
        let telemetry = ["Start", "Result", "MissingField", "Literal"].map(|entry| format!("telemetry {entry}"));
        let outcomes = ["tool_success", "tool_started", "needs_input", "graceful_block", "graceful_error"];
        let outcomes = outcomes.map(|outcome| format!("outcome {outcome}"));
        let kinds = kinds.chain(telemetry).chain(outcomes);
        let both = kinds.flat_map(|kind| [format!("{kind} Passed"), format!("{kind} Failed")]);
        let one =
            ["outcome response_only Passed", "outcome unknown Failed", "ui Unknown", "must_match_regex NotJudged"];
        for wanted in both.chain(one.map(str::to_owned)) {
            assert!(found.contains(&wanted), "no {wanted} in {found:#?}");
        }
    }
}
