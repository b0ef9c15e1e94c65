//! Completion in text that is complete except at the cursor.

use super::*;

#[test]
fn suites() {
    let fixtures = [
        ("|", ""),
        ("|", "suite 0.1"),
        ("\n|\n", "suite 0.2"),
        ("{|}", ""),
        ("{|}", "cases"),
        ("{ | }", "name"),
        ("{\n  |\n}", "cases"),
        ("{\n\t\"cases\": []\n\t|\n}", "version"),
        ("{ \"cases\": [], \"|\": 1 }", "description"),
        ("{ \"version\": | }", ""),
        ("{ \"version\": \"|\" }", "0.2.0"),
        ("{ \"version\": \"0.3|.0\", \"cases\": [] }", "0.1.0"),
        ("{ \"cases\":| }", ""),
        ("{ \"integration_baseline\": | }", ""),
        ("{ \"name\": \"|\" }", ""),
        ("{ \"note\": \"|\" }", ""),
        ("{ \"x\": { | } }", ""),
    ];
    check("suites", &World::default(), BARE, &fixtures);
}

#[test]
fn suites_of_a_named_file() {
    let world = World { file: Some("evals/brief.v0.2.json"), ..World::default() };
    let fixtures = [
        ("|", ""),
        ("{ \"version\": \"|\", \"cases\": [] }", ""),
        ("{ \"cases\": [ { \"expected\": { | } } ] }", "required_levers"),
        ("{ \"version\": \"0.2\", \"cases\": [ { \"expected\": { | } } ] }", "required_levers"),
    ];
    check("suites_of_a_named_file", &world, BARE, &fixtures);
}

#[test]
fn cases() {
    let fixtures = [
        ("{ \"cases\": [|] }", ""),
        ("{\n  \"cases\": [\n    |\n  ]\n}\n", "case: graceful_block"),
        ("{\n  \"cases\": [\n    { \"id\": \"A09\" },\n    |\n  ]\n}\n", "case: response_only"),
        ("{\n  \"cases\": [\n    |\n    { \"id\": \"A1\" }, { \"id\": \"A2\" }\n  ]\n}\n", "case: needs_input"),
        ("{\n  \"cases\": [\n    { \"id\": \"A1\" }\n    |\n  ]\n}\n", "case: tool_started"),
        ("{\n  \"cases\": [\n    { \"id\": \"A1\" }|\n  ]\n}\n", "case: morning brief"),
        ("{ \"version\": \"0.1\", \"cases\": [ case| ] }", "case: graceful_error"),
        ("{ \"cases\": [{|}] }", "case: tool_success"),
        ("{\n  \"cases\": [\n    {\n      |\n    }\n  ]\n}\n", "case: tool_success"),
        ("{\n  \"cases\": [\n    {\n      |\n    }\n  ]\n}\n", "id"),
        ("{ \"cases\": [ { \"id\": \"LIST1\" }, { \"id\": \"SLOT7\" }, { \"id\": \"|\" } ] }", ""),
        ("{ \"cases\": [ { \"id\": \"a\\\"1\" }, { \"id\": | } ] }", ""),
        ("{ \"cases\": [ { \"id\": \"LIST1|\" }, { \"id\": \"LIST2\" } ] }", ""),
        ("{ \"cases\": [ { \"id\": \"99999999999999999999\" }, { \"id\": \"|\" } ] }", ""),
        ("{\r\n  \"cases\": [\r\n    |\r\n  ]\r\n}\r\n", "case: tool_started"),
    ];
    check("cases", &World::default(), BARE, &fixtures);
}

#[test]
fn keys_of_a_case() {
    let fixtures = [
        ("|", "id"),
        (" \"id\": \"A1\", | ", ""),
        (" \"id\": \"A1\", | ", "expected"),
        (" \"id\": \"A1\", \"|\", \"prompt\": \"p\" ", "expected"),
        (" | \"id\": \"A1\" ", "setup_prompts"),
        (" |\"id\": \"A1\" ", "category"),
        (" \"id\": \"A1\" | ", "prompt"),
        (" \"id\": \"A1\"\n      |\n    ", "prompt"),
        (" \"id\": \"A1\", \"expected\": {}| ", "prompt"),
        (" \"id\": \"A1\", \"exp|\": {} ", ""),
        (" \"id\": \"A1\", \"|expected\": {} ", ""),
        (" \"id\": \"A1\", \"prompt\": \"|\" ", ""),
        (" \"id\": \"A1\", \"expected\": | ", ""),
        (" \"id\": \"A1\", \"setup_prompts\": | ", ""),
        (" \"id\": \"A1\", \"preconditions\": [|] ", ""),
    ];
    check("keys_of_a_case", &World::default(), CASE, &fixtures);
}

#[test]
fn keys_of_what_is_expected() {
    let fixtures = [
        ("|", ""),
        (" | ", "must_match_regex"),
        (" \"outcome\": \"tool_success\", | ", "tool_calls_any"),
        (" | \"outcome\": \"tool_success\" ", "telemetry"),
        (" \"ui\": [] | \"outcome\": \"tool_success\" ", "required_levers"),
        (" \"must_label_assumptions\": true, | ", ""),
        (" | ", "must_label_assumptions"),
        (" | ", "must_ground_numbers"),
        (" | ", "source_patterns"),
        (" | ", "evidence_freshness_max_age_minutes"),
        (" \"must_say_any\": [\"a\"], \"required_sources\": [\"x\"], | ", "scoring"),
        (" \"must_say_any\": [\"a\"], | ", "scoring"),
        (" \"scoring\": { | } ", "hard_fail"),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"hard_fail\": [], | } ", "soft_score"),
        (" \"scoring\": { \"soft_score\": { | } } ", "threshold"),
        (" \"required_sources\": [\"x\"], \"scoring\": { \"soft_score\": { | } } ", "weights"),
        (" \"must_ground_numbers\": [{ | }] ", ""),
        (" \"must_ground_numbers\": [{ \"regex\": \"a\", | }] ", ""),
        (" \"must_ground_numbers\": [{ \"value\": 1, | }] ", ""),
        (
            " \"required_sources\": [\"github\", \"orders\", \"x\"], \"source_patterns\": { \"github\": [\"a\"], | } ",
            "",
        ),
        (" \"source_patterns\": { | } ", ""),
        (
            " \"must_say_any\": [\"a\"], \"required_sources\": [\"x\"], \"scoring\": { \"soft_score\": { \"weights\": { \"synthesis_coverage\": 0.65, | } } } ",
            "",
        ),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"soft_score\": { \"weights\": { | } } } ", ""),
    ];
    check("keys_of_what_is_expected", &World::default(), EXPECTED, &fixtures);
}

#[test]
fn later_versions() {
    let old = ("{ \"version\": \"0.1.3\", \"cases\": [ { \"expected\": {", "} } ] }");
    let fixtures = [
        ("{ \"version\": \"0.1.3\", \"cases\": [ { \"expected\": { | } } ] }", "ui"),
        ("{ \"version\": \"0.2\", \"cases\": [ { \"expected\": { | } } ] }", "scoring"),
    ];
    check("later_versions", &World::default(), BARE, &fixtures);
    let fixtures = [(" \"outcome\": \"|\" ", ""), (" \"scoring\": { \"hard_fail\": [\"|\"] } ", "")];
    check("later_values", &World::default(), old, &fixtures);
}

#[test]
fn values() {
    let fixtures = [
        (" \"outcome\": \"|\" ", "needs_input"),
        (" \"outcome\": | ", ""),
        (" \"outcome\":| ", ""),
        (" \"outcome\": \"tool_|success\", \"ui\": [] ", "tool_started"),
        (" \"outcome\": |\"tool_success\" ", ""),
        (" \"must_label_assumptions\": | ", ""),
        (" \"must_label_assumptions\": tr|, \"ui\": [] ", ""),
        (" \"must_label_assumptions\": fal|se ", "false"),
        (" \"must_label_assumptions\": \"|\" ", "true"),
        (" \"required_levers\": | ", ""),
        (" \"evidence_freshness_max_age_minutes\": | ", ""),
        (" \"lever_regex\": \"|\" ", ""),
        (" \"assumption_markers_any\": | ", "default markers"),
        (" \"assumption_markers_any\": [\"assuming\", \"|\"] ", ""),
        (" \"must_allow_override_actions\": [\"Snooze\", | ] ", ""),
        (" \"must_say_any\": | ", ""),
        (" \"must_say_any\": [\"|\"] ", ""),
        (" \"scoring\": | ", ""),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"soft_score\": { \"threshold\": | } } ", ""),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"hard_fail\": [\"|\"] } ", ""),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"hard_fail\": [\"formatting\", \"|\"] } ", ""),
        (" \"must_say_any\": [\"a\"], \"scoring\": { \"hard_fail\": | } ", "formatting"),
        (" \"scoring\": { \"soft_score\": { \"weights\": { \"formatting\": |, \"uncertainty\": 0.35 } } } ", ""),
        (
            " \"scoring\": { \"soft_score\": { \"weights\": { \"formatting\": 0.9, \"formatting\": 0.3, \"uncertainty\": | } } } ",
            "",
        ),
        (" \"scoring\": { \"soft_score\": { \"weights\": { \"formatting\": 0.|5, \"uncertainty\": 1.5 } } } ", ""),
        (" \"scoring\": { \"soft_score\": | } ", ""),
        (" \"must_ground_numbers\": [|] ", "{ label, regex }"),
        (" \"must_ground_numbers\": [\"1\", | ] ", "{ label, value }"),
        (" \"must_ground_numbers\": [{ \"value\": \"|\" }] ", ""),
        (" \"must_ground_numbers\": | ", ""),
    ];
    check("values", &World::default(), EXPECTED, &fixtures);
}

#[test]
fn names_from_elsewhere() {
    let fixtures = [
        (" \"tool_calls_any\": [\"|\"] ", ""),
        (" \"tool_calls_any\": [|] ", "find_slot"),
        (" \"tool_calls_any\": | ", "book_slot"),
        (" \"tool_calls_any\": \"|\" ", "book_slot"),
        (" \"tool_calls_any\": [\"book_slot\", \"|\"] ", ""),
        (" \"tool_calls_any\": [\"boo|k\"] ", ""),
        (" \"tool_calls_none\": [\"book_slot\"], \"tool_calls_any\": [\"|\"] ", ""),
        (" \"tool_calls_none\": [\"|\"], \"tool_calls_any\": [\"pay\"], \"telemetry\": [\"tool.bill start\"] ", ""),
        (" \"tool_calls_any\": [\"pay\"], \"telemetry\": [\"|\"] ", ""),
        (" \"outcome\": \"tool_success\", \"tool_calls_any\": [\"pay\"], \"telemetry\": [\"tool.p|\"] ", ""),
        (" \"outcome\": \"needs_input\", \"tool_calls_any\": [\"pay\"], \"telemetry\": [\"tool.pay start\", | ] ", ""),
        (
            " \"tool_calls_none\": [\"book_slot\"], \"telemetry\": [\"|\"] ",
            "success:false with missingFields containing …",
        ),
        (" \"ui\": [\"|\"] ", "The \"board\" is empty."),
        (" \"ui\": [\"A list is visible.\", |] ", ""),
        (" \"required_sources\": [\"|\"] ", ""),
        (" \"required_sources\": [\"github\", \"slack\", | \"x\"] ", "vercel"),
        (" \"source_patterns\": { \"GitHub\": [\"pr\", \"|\"] } ", ""),
        (" \"source_patterns\": { \"orders\": [|] } ", ""),
        (" \"source_patterns\": { \"desk\": [|] } ", ""),
    ];
    check("names_from_elsewhere", &World::default(), EXPECTED, &fixtures);
    let fixtures = [
        (" \"category\": \"|\" }, { \"category\": \"b\" }, { \"category\": \"b\" }, { \"category\": \"a\" ", ""),
        (
            " \"setup_prompts\": [|] }, { \"setup_prompts\": [\"Hello.\", \"Go.\"] }, { \"setup_prompts\": [\"Go.\"] ",
            "",
        ),
    ];
    check("names_of_other_cases", &World::default(), CASE, &fixtures);
}

#[test]
fn what_the_last_response_said() {
    let response = "## Week 12\n\n- orders: 23 open (urgent)\n- calendar: 4 free slots, all on \"Thursday\"\n";
    let world = World { answers: answers(Some(response)), ..World::default() };
    let fixtures = [
        (" \"must_say_any\": [\"|\"] ", ""),
        (" \"must_say_any\": [\"free|\"] ", "4 free slots"),
        (" \"must_not_say\": [|] ", "all on \"Thursday\""),
        (" \"must_match_regex\": [\"|\"] ", "orders: [0-9]+ open \\(urgent)"),
        (" \"must_match_regex\": [\"|\"] ", "orders: [0-9]+ open \\(urgent\\)"),
        (" \"must_ground_numbers\": [|] ", "{ \"label\": \"orders\", \"regex\": \"orders: [0-9]+\" }"),
        (" \"must_ground_numbers\": [{ \"value\": | }] ", ""),
        (" \"must_ground_numbers\": [{ \"value\": 4, \"context_any\": [\"|\"] }] ", "calendar"),
        (" \"lever_regex\": | ", ""),
        (" \"must_match_regex\": | ", "Week [0-9]+"),
    ];
    check("what_the_last_response_said", &world, EXPECTED, &fixtures);
}
