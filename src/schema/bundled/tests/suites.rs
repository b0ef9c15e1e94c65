//! Small suites: what each version takes, and what it refuses, where and by which keyword.

use serde_json::{Value, json};

use super::SchemaName::{V0_1, V0_2, V0_3};
use super::{check, definition, faults, with};

/// A suite of one case with this `expected`.
fn suite(expected: Value) -> Value {
    json!({ "cases": [{ "id": "BOOK1", "prompt": "Book a brake check.", "expected": expected }] })
}

/// A suite of one case that has these keys beside, or in place of, the required ones.
fn suite_of(more: Value) -> Value {
    let mut document = suite(json!({}));
    document["cases"][0] = with(document["cases"][0].take(), more);
    document
}

/// A suite of one case with this `soft_score`.
fn soft(soft_score: Value) -> Value {
    suite(json!({ "scoring": { "soft_score": soft_score } }))
}

#[test]
fn every_version_takes() {
    for document in [
        suite(json!({})),
        // Suites and cases may have other keys.
        with(suite(json!({})), json!({ "owner": "workshop" })),
        suite_of(json!({ "flaky": true })),
        with(
            suite(json!({})),
            json!({
                "name": "bike-shop", "version": "0.1.0", "captured_at": "2026-03-01", "description": "Bookings.",
                "integration_baseline": { "calendar": true, "stock": { "read": true } }
            }),
        ),
        with(suite(json!({})), json!({ "version": "0.2" })),
        with(suite(json!({})), json!({ "version": "0.3.17" })),
        suite_of(json!({ "category": "booking", "setup_prompts": ["Show the calendar."], "preconditions": ["A."] })),
        suite(json!({
            "outcome": "needs_input", "tool_calls_any": ["book_repair"], "tool_calls_none": [],
            "must_say_any": ["which day"], "must_not_say": ["booked", "booked"], "ui": ["A day can be picked."],
            "telemetry": ["tool.book_repair start", "success:false with missingFields containing day"]
        })),
    ] {
        [V0_1, V0_2, V0_3].into_iter().for_each(|name| check(name, &document, &[]));
    }
}

#[test]
fn versions_from_0_2_take() {
    for document in [
        suite(
            json!({ "outcome": "response_only", "must_label_assumptions": true, "assumption_markers_any": ["I guess"] }),
        ),
        suite(json!({ "required_sources": ["inventory"], "source_patterns": { "inventory": ["in stock"] } })),
        // Whether a pattern compiles is not a matter of shape.
        suite(json!({ "must_match_regex": ["(?-i)^Stock:", "(unclosed"], "must_not_match_regex": [] })),
        suite(json!({ "must_ground_numbers": [{ "label": "tubes", "value": "14", "context_any": ["tubes"] }] })),
        suite(json!({ "must_ground_numbers": [{ "value": 14 }, { "regex": "[0-9]+" }, "14", 14, -1.5] })),
        suite(json!({ "scoring": {} })),
        suite(json!({ "scoring": { "hard_fail": ["formatting", "tool_hygiene"] } })),
        soft(json!({})),
        soft(json!({ "threshold": 1 })),
        soft(json!({ "threshold": 0, "weights": { "formatting": 1, "uncertainty": 0, "numeric_grounding": 0.3 } })),
    ] {
        [V0_2, V0_3].into_iter().for_each(|name| check(name, &document, &[]));
    }
}

#[test]
fn version_0_3_takes() {
    for document in [
        suite(json!({ "required_levers": 2, "lever_regex": "^Option" })),
        suite(json!({ "required_levers": 2.0, "evidence_freshness_max_age_minutes": 90.5 })),
        suite(json!({ "required_levers": 0, "evidence_freshness_max_age_minutes": 0 })),
        suite(json!({ "evidence_freshness_max_age_minutes": 90, "evidence_freshness_regex": "[0-9]+ min" })),
        suite(json!({
            "claim_evidence_alignment": true, "claim_marker_regex": "a", "evidence_marker_regex": "b",
            "alignment_marker_regex": "c", "must_allow_override_actions": ["Ask me tomorrow"]
        })),
        suite(json!({ "scoring": { "hard_fail": ["morning_brief_contract"] } })),
        soft(json!({ "weights": { "morning_brief_contract": 1 } })),
    ] {
        check(V0_3, &document, &[]);
    }
}

#[test]
fn every_version_refuses_in_suite_and_case() {
    for (document, at, keyword) in [
        (json!([]), "", "type"),
        (json!({}), "", "required"),
        (json!({ "cases": {} }), "/cases", "type"),
        (json!({ "cases": [] }), "/cases", "minItems"),
        (with(suite(json!({})), json!({ "version": "0.4" })), "/version", "pattern"),
        (with(suite(json!({})), json!({ "version": "v0.2" })), "/version", "pattern"),
        (with(suite(json!({})), json!({ "version": "0.2." })), "/version", "pattern"),
        (suite_of(json!({ "id": "" })), "/cases/0/id", "minLength"),
        (suite_of(json!({ "prompt": "" })), "/cases/0/prompt", "minLength"),
        (with(suite(json!({})), json!({ "name": 1 })), "/name", "type"),
        (with(suite(json!({})), json!({ "version": 0.3 })), "/version", "type"),
        (with(suite(json!({})), json!({ "description": null })), "/description", "type"),
        (with(suite(json!({})), json!({ "captured_at": 20260301 })), "/captured_at", "type"),
        (with(suite(json!({})), json!({ "integration_baseline": "all" })), "/integration_baseline", "type"),
        (json!({ "cases": ["BOOK1"] }), "/cases/0", "type"),
        (json!({ "cases": [{ "prompt": "p", "expected": {} }] }), "/cases/0", "required"),
        (json!({ "cases": [{ "id": "i", "expected": {} }] }), "/cases/0", "required"),
        (json!({ "cases": [{ "id": "i", "prompt": "p" }] }), "/cases/0", "required"),
        (suite_of(json!({ "id": 1 })), "/cases/0/id", "type"),
        (suite_of(json!({ "prompt": ["p"] })), "/cases/0/prompt", "type"),
        (suite_of(json!({ "expected": [] })), "/cases/0/expected", "type"),
        (suite_of(json!({ "category": [] })), "/cases/0/category", "type"),
        (suite_of(json!({ "setup_prompts": "s" })), "/cases/0/setup_prompts", "type"),
        (suite_of(json!({ "preconditions": [1] })), "/cases/0/preconditions/0", "type"),
    ] {
        [V0_1, V0_2, V0_3].into_iter().for_each(|name| check(name, &document, &[(at, keyword)]));
    }
}

#[test]
fn expectations_that_are_refused() {
    for (name, expected, at, keyword) in [
        (V0_1, json!({ "must_say": ["booked"] }), "", "additionalProperties"),
        (V0_1, json!({ "outcome": "response_only" }), "/outcome", "enum"),
        (V0_1, json!({ "outcome": "Tool_Success" }), "/outcome", "enum"),
        (V0_1, json!({ "tool_calls_any": "book_repair" }), "/tool_calls_any", "type"),
        (V0_1, json!({ "tool_calls_none": [null] }), "/tool_calls_none/0", "type"),
        (V0_1, json!({ "must_say_any": [1] }), "/must_say_any/0", "type"),
        (V0_1, json!({ "must_not_say": {} }), "/must_not_say", "type"),
        (V0_1, json!({ "telemetry": [["tool.x start"]] }), "/telemetry/0", "type"),
        (V0_1, json!({ "ui": [true] }), "/ui/0", "type"),
        (V0_1, json!({ "telemetry": [""] }), "/telemetry/0", "minLength"),
        (V0_1, json!({ "must_say_any": ["a", "a"] }), "/must_say_any", "uniqueItems"),
        (V0_2, json!({ "must_match_regex": [""] }), "/must_match_regex/0", "minLength"),
        (V0_2, json!({ "source_patterns": { "a": ["b", "b"] } }), "/source_patterns/a", "uniqueItems"),
        (V0_2, json!({ "must_ground_numbers": [{ "label": "tubes" }] }), "/must_ground_numbers/0", "anyOf"),
        (V0_2, json!({ "must_ground_numbers": [""] }), "/must_ground_numbers/0", "minLength"),
        (V0_1, json!({ "scoring": {} }), "", "additionalProperties"),
        (V0_2, json!({ "required_levers": 2 }), "", "additionalProperties"),
        (V0_2, json!({ "required_sources": [1] }), "/required_sources/0", "type"),
        (V0_2, json!({ "source_patterns": [] }), "/source_patterns", "type"),
        (V0_2, json!({ "source_patterns": { "inventory": "stock" } }), "/source_patterns/inventory", "type"),
        (V0_2, json!({ "must_ground_numbers": { "value": "1" } }), "/must_ground_numbers", "type"),
        (V0_2, json!({ "must_ground_numbers": [true] }), "/must_ground_numbers/0", "type"),
        (
            V0_2,
            json!({ "must_ground_numbers": [{ "value": "1", "pattern": "1" }] }),
            "/must_ground_numbers/0",
            "additionalProperties",
        ),
        (
            V0_2,
            json!({ "must_ground_numbers": [{ "label": 1, "value": "1" }] }),
            "/must_ground_numbers/0/label",
            "type",
        ),
        (V0_2, json!({ "must_ground_numbers": [{ "value": ["1"] }] }), "/must_ground_numbers/0/value", "type"),
        (V0_2, json!({ "must_ground_numbers": [{ "regex": 1 }] }), "/must_ground_numbers/0/regex", "type"),
        (
            V0_2,
            json!({ "must_ground_numbers": ["1", { "value": "1", "context_any": "a" }] }),
            "/must_ground_numbers/1/context_any",
            "type",
        ),
        (V0_2, json!({ "must_label_assumptions": "yes" }), "/must_label_assumptions", "type"),
        (V0_2, json!({ "assumption_markers_any": "I assume" }), "/assumption_markers_any", "type"),
        (V0_2, json!({ "must_match_regex": "^Stock:" }), "/must_match_regex", "type"),
        (V0_2, json!({ "must_not_match_regex": [1] }), "/must_not_match_regex/0", "type"),
        (V0_3, json!({ "required_levers": -1 }), "/required_levers", "minimum"),
        (V0_3, json!({ "required_levers": 1.5 }), "/required_levers", "type"),
        (V0_3, json!({ "required_levers": "2" }), "/required_levers", "type"),
        (V0_3, json!({ "lever_regex": ["a"] }), "/lever_regex", "type"),
        (V0_3, json!({ "claim_evidence_alignment": 1 }), "/claim_evidence_alignment", "type"),
        (V0_3, json!({ "claim_marker_regex": null }), "/claim_marker_regex", "type"),
        (V0_3, json!({ "evidence_marker_regex": 1 }), "/evidence_marker_regex", "type"),
        (V0_3, json!({ "alignment_marker_regex": {} }), "/alignment_marker_regex", "type"),
        (V0_3, json!({ "evidence_freshness_max_age_minutes": -0.5 }), "/evidence_freshness_max_age_minutes", "minimum"),
        (V0_3, json!({ "evidence_freshness_max_age_minutes": "2h" }), "/evidence_freshness_max_age_minutes", "type"),
        (V0_3, json!({ "evidence_freshness_regex": true }), "/evidence_freshness_regex", "type"),
        (V0_3, json!({ "must_allow_override_actions": "Snooze" }), "/must_allow_override_actions", "type"),
    ] {
        check(name, &suite(expected), &[(&format!("/cases/0/expected{at}"), keyword)]);
    }
}

#[test]
fn scoring_that_is_refused() {
    for (name, scoring, at, keyword) in [
        (V0_2, json!([]), "", "type"),
        (V0_2, json!({ "threshold": 1 }), "", "additionalProperties"),
        (V0_2, json!({ "hard_fail": "formatting" }), "/hard_fail", "type"),
        (V0_2, json!({ "hard_fail": ["format"] }), "/hard_fail/0", "enum"),
        (V0_2, json!({ "hard_fail": ["morning_brief_contract"] }), "/hard_fail/0", "enum"),
        (V0_2, json!({ "soft_score": 0.8 }), "/soft_score", "type"),
        (V0_2, json!({ "soft_score": { "minimum": 1 } }), "/soft_score", "additionalProperties"),
        (V0_2, json!({ "soft_score": { "threshold": "0.8" } }), "/soft_score/threshold", "type"),
        (V0_2, json!({ "hard_fail": ["formatting", "formatting"] }), "/hard_fail", "uniqueItems"),
        (V0_2, json!({ "soft_score": { "threshold": 80 } }), "/soft_score/threshold", "maximum"),
        (V0_2, json!({ "soft_score": { "threshold": -0.1 } }), "/soft_score/threshold", "minimum"),
        (
            V0_2,
            json!({ "soft_score": { "weights": { "formatting": -1 } } }),
            "/soft_score/weights/formatting",
            "minimum",
        ),
        (V0_2, json!({ "soft_score": { "weights": {} } }), "/soft_score/weights", "minProperties"),
        (V0_2, json!({ "soft_score": { "weights": [] } }), "/soft_score/weights", "type"),
        (V0_2, json!({ "soft_score": { "weights": { "formatting": "1" } } }), "/soft_score/weights/formatting", "type"),
        (
            V0_2,
            json!({ "soft_score": { "weights": { "morning_brief_contract": 1 } } }),
            "/soft_score/weights",
            "propertyNames",
        ),
        (V0_3, json!({ "soft_score": { "weights": { "format": 1 } } }), "/soft_score/weights", "propertyNames"),
    ] {
        check(name, &suite(json!({ "scoring": scoring })), &[(&format!("/cases/0/expected/scoring{at}"), keyword)]);
    }
}

/// A value of the wrong type is in no list either, so these have two faults at one place.
#[test]
fn a_listed_value_of_the_wrong_type_is_refused_twice() {
    let outcome = "/cases/0/expected/outcome";
    check(V0_3, &suite(json!({ "outcome": 1 })), &[(outcome, "enum"), (outcome, "type")]);
    let group = "/cases/0/expected/scoring/hard_fail/0";
    check(V0_3, &suite(json!({ "scoring": { "hard_fail": [1] } })), &[(group, "enum"), (group, "type")]);
}

#[test]
fn a_case_is_judged_alone() {
    for name in [V0_1, V0_2, V0_3] {
        let case = definition(name, "case");
        assert_eq!(faults(&case, &json!({ "id": "i", "prompt": "p", "expected": {} })), []);
        let found = faults(&case, &json!({ "id": 1, "prompt": "p", "expected": { "ui": "x" } }));
        let expected = [("/expected/ui", "type"), ("/id", "type")];
        assert_eq!(found, expected.map(|(at, keyword)| (at.to_owned(), keyword.to_owned())), "{name}");
    }
}
