use std::path::Path;

use super::*;
use crate::checks::expectations;
use crate::syntax::parse;

fn lower(source: &str) -> Suite {
    let parse = parse(source);
    Suite::lower(parse.tree.root(source).unwrap())
}

/// The checks of a case with that `expected`, as `id [group] text of the check`.
fn checks(expected: &str) -> String {
    let source = format!(r#"{{ "cases": [ {{ "id": "W1", "expected": {expected} }} ] }}"#);
    let suite = lower(&source);
    let placed = &suite.cases[0];
    let made = expectations(&placed.case).into_iter().map(|check| {
        let group = check.group.map_or("-", Group::name);
        format!("{} [{group}] {}\n", check.id, &source[placed.absolute(check.span).range()])
    });
    made.collect()
}

#[test]
fn checks_have_the_order_of_reports() {
    insta::assert_snapshot!(checks(
        r#"{
            "must_allow_override_actions": ["Snooze"], "evidence_freshness_max_age_minutes": 60,
            "claim_evidence_alignment": true, "required_levers": 2, "must_not_match_regex": ["TODO"],
            "must_match_regex": ["^Plan"], "must_label_assumptions": true,
            "must_ground_numbers": [{"label": "bikes", "value": 12}, 7, "8"], "required_sources": ["github"],
            "ui": ["A list is shown."], "outcome": "tool_success", "telemetry": ["tool.book start"],
            "must_say_any": ["booked"], "must_not_say": ["sorry"], "tool_calls_none": ["cancel"], "tool_calls_any": ["book"]
        }"#
    ));
}

#[test]
fn empty_and_false_fields_make_no_check() {
    let implied = "outcome:response_only [tool_hygiene] \"expected\"\n";
    let empty = r#"{
        "tool_calls_any": [], "tool_calls_none": [""], "must_not_say": [""], "must_say_any": [""], "telemetry": [""],
        "ui": [""], "required_sources": [""], "must_ground_numbers": [""], "must_label_assumptions": false,
        "must_match_regex": [""], "claim_evidence_alignment": false, "must_allow_override_actions": [""]
    }"#;
    assert_eq!([checks("{}"), checks(empty)], [implied, implied]);
    assert_eq!(checks(r#"{ "outcome": "magic" }"#), "outcome:unknown:magic [-] \"magic\"\n");
}

#[test]
fn spans_of_a_case_count_from_its_start() {
    let one = lower(r#"{"cases": [{"id": "A", "prompt": "x"}]}"#);
    let two = lower(r#"{"name": "longer", "cases": [ {"id": "Z"}, {"id": "A", "prompt": "x"}]}"#);
    assert_eq!(one.cases[0].case, two.cases[1].case);
    assert_ne!(one.cases[0].start, two.cases[1].start);
    assert_eq!(two.case_at(two.cases[1].start + 1).map(|(index, _)| index), Some(1));
    assert_eq!(two.case_at(3), None);
}

#[test]
fn numbers_are_named_by_label_value_or_regex() {
    let names = |items: &str| {
        let suite = lower(&format!(r#"{{"cases": [{{"expected": {{"must_ground_numbers": {items}}}}}]}}"#));
        let items = suite.cases[0].case.expected.must_ground_numbers.as_ref().unwrap().value.clone();
        items.iter().map(|item| item.name().to_owned()).collect::<Vec<_>>()
    };
    let items = r#"[{"label": "l", "value": "v", "regex": "r"}, {"value": 1.50, "regex": "r"}, {"regex": "r"}, {}, "b", 3, true]"#;
    assert_eq!(names(items), ["l", "1.50", "r", "numeric", "b", "3"]);
}

#[test]
fn versions_are_read_with_and_without_a_patch() {
    let check = |text: &str, version: Option<Version>| assert_eq!(Version::parse(text), version, "{text}");
    check("0.1", Some(Version::V0_1));
    check("0.2.0", Some(Version::V0_2));
    check("0.3.17", Some(Version::V0_3));
    check("0.20", None);
    check("0.2.", None);
    check("0.2.x", None);
    check("v0.2", None);
    check("1.0", None);
}

#[test]
fn the_declared_version_takes_precedence_over_the_file_name() {
    let check = |declared: Option<&str>, path: &str, version: Version| {
        assert_eq!(DetectedVersion::detect(declared, Some(Path::new(path))).version, version, "{declared:?} {path}");
    };
    check(Some("0.1.0"), "brief.v0.2.json", Version::V0_1);
    check(None, "evals/brief.v0.2.json", Version::V0_2);
    check(Some("7"), "brief.v0.1.json", Version::V0_1);
    check(None, "v0.1.json", Version::V0_3);
    check(None, "brief.json", Version::V0_3);
}

#[test]
fn telemetry_entries_are_shorthands_or_literal() {
    use TelemetryEntry::*;
    let check = |entry: &str, read: TelemetryEntry<'_>| assert_eq!(TelemetryEntry::parse(entry), read, "{entry}");
    check("tool.book start", Start { tool: "book" });
    check("tool.book\t start", Start { tool: "book" });
    check("tool.book result success:true", Result { tool: "book", success: true });
    check("tool.book result success:false", Result { tool: "book", success: false });
    check("success:false with missingFields containing bikeId", MissingField { field: "bikeId" });
    for literal in [
        "tool.book result success: true",
        "tool.book-slot start",
        "Tool.book start",
        " tool.book start",
        "tool.book start ",
        "tool.book start\n",
        "success:false with missingFields containing bike id",
        "anything",
    ] {
        check(literal, Literal(literal));
    }
}
