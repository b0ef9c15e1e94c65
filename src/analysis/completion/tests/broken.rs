//! Completion in text that is broken at the cursor, as it is during typing.

use super::*;

#[test]
fn suites() {
    let fixtures = [
        ("{|", ""),
        ("{ \"|", "cases"),
        ("{ \"ca|", "cases"),
        ("{ ca|", "cases"),
        ("{ 'ca|' }", "cases"),
        ("{ \"cases\"|", ""),
        ("{ \"cases\": [|", "case: tool_started"),
        ("{ \"cases\": [ {|", "id"),
        ("{ \"cases\": [ { \"id\": \"A1\" }, |", "case: tool_started"),
        ("{ \"cases\": [ { \"id\": \"A1\" } { \"|", "prompt"),
        ("{ \"cases\": [ { \"id\": \"A1\", { \"id\": \"A2\", | } ] }", "prompt"),
        ("{\n  \"version\": |\n  \"cases\": []\n}", "0.3.0"),
        ("{\n  \"version\": \"|\n  \"cases\": []\n}", "0.3.0"),
        ("{ \"cases\": [] } |", ""),
        ("[|]", ""),
    ];
    check("broken_suites", &World::default(), BARE, &fixtures);
}

#[test]
fn keys() {
    let fixtures = [
        (" \"| ", "outcome"),
        (" \"outc| ", "outcome"),
        (" outc| ", "outcome"),
        (" outc|: \"x\" ", "outcome"),
        (" \"outc| \"x\" ", "outcome"),
        (" \"outcome\": \"tool_success\" \"| ", "ui"),
        (" \"outcome\": \"tool_success\"\n      \"u|\n    ", "ui"),
        (" \"outcome\": \"tool_success\"\n      u|\n      \"telemetry\": []\n    ", "ui"),
        (" \"outcome\": \"tool_success\", \"|, \"ui\": [\"a\"] ", "telemetry"),
        (" \"outcome\": \"tool_success\",\n      \"|\n      \"ui\": [\"a\"]\n    ", "telemetry"),
        (" \"outcome\": \"tool_success,\n      \"|\n    ", "telemetry"),
        (" \"tool_calls_any\": [\"a\",\n      \"ou|\": \"x\"\n    ", "outcome"),
        (" \"tool_calls_any\": [\"a],\n      \"ou|\n    ", "outcome"),
        (" \"must_ground_numbers\": [{ \"la|] ", "label"),
        (" \"scoring\": { \"soft_score\": { \"weights\": { \"form| ", "formatting"),
        (" \"scoring\": { \"|, ", "hard_fail"),
        (" \"outcome\": \"tool_success\",, | ", "ui"),
        (" , | ", "ui"),
        (" \"outcome\" | ", ""),
    ];
    check("broken_keys", &World::default(), EXPECTED, &fixtures);
}

#[test]
fn values() {
    let fixtures = [
        (" \"outcome\": \"| ", "tool_success"),
        (" \"outcome\": \"tool_s| ", "tool_success"),
        (" \"outcome\": tool_s| ", "tool_success"),
        (" \"outcome\": 'tool_s|' ", "tool_success"),
        (" \"outcome\": \"|, \"ui\": [\"a\"] ", "tool_success"),
        (" \"outcome\": \"tool|_s, \"ui\": [] ", "tool_success"),
        (" \"outcome\": |\n      \"ui\": []\n    ", "tool_success"),
        (" \"outcome\": \"|\n      \"ui\": []\n    ", "tool_success"),
        (" \"outcome\":\n      \"tool|\n    ", "tool_success"),
        (" \"outcome\": |, \"ui\": [] ", "tool_success"),
        (" \"outcome\" = | ", "tool_success"),
        (" \"must_label_assumptions\": t| ", "true"),
        (" \"must_label_assumptions\": |\n      \"ui\": []\n    ", "true"),
        (" \"tool_calls_any\": [\"| ", "book_slot"),
        (" \"tool_calls_any\": [\"book|] ", "book_slot"),
        (" \"tool_calls_any\": [\"book|, \"find_slot\"] ", "book_slot"),
        (" \"tool_calls_any\": [\"find_slot\" \"|] ", "book_slot"),
        (" \"tool_calls_any\": [\"find_slot\" | \"pay\"] ", "book_slot"),
        (" \"tool_calls_any\": [| \"pay\"] ", "book_slot"),
        (" \"tool_calls_any\": [|\"pay\"] ", "book_slot"),
        (" \"tool_calls_any\": [book|] ", "book_slot"),
        (" \"tool_calls_any\": [\"find_slot\",| ", "book_slot"),
        (" \"tool_calls_any\": book| ", "book_slot"),
        (" \"ui\": [\"A list|], \"telemetry\": [] ", "A list is visible."),
        (" \"scoring\": { \"hard_fail\": [\"form|} ", "formatting"),
        (" \"scoring\": { \"soft_score\": { \"weights\": { \"formatting\": |} } ", ""),
        (" // outcome|\n ", ""),
        (" \"must_ground_numbers\": [{ \"label\": \"a\", \"reg|: \"b\" }] ", "regex"),
        (" \"must_ground_numbers\": [{ \"label\": \"a\" | \"value\": \"1\" }] ", "context_any"),
        (" \"must_allow_override_actions\": [\"Sno|\n    ", "Snooze"),
        (" \"telemetry\": [\"tool.book| ", "tool.book_slot start"),
        (" \"telemetry\": [\"tool.book|, \"tool.pay start\"] ", "tool.book_slot start"),
        (" \"required_sources\": [git|, \"slack\"] ", "github"),
        (" \"required_sources\": [\"git|\n      \"outcome\": \"tool_success\"\n    ", "github"),
        (" \"evidence_freshness_max_age_minutes\": 1| ", "120"),
    ];
    check("broken_values", &World::default(), EXPECTED, &fixtures);
}
