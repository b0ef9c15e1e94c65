use serde_json::{Value, json};

use super::{CheckResult, Evidence, EvidencePlace, results, transcript};
use crate::config::Config;

/// The last check's message, and its evidence as `line:column text` or `#event`.
#[track_caller]
fn check(expected: &str, response: &str, telemetry: Value, message: &str, evidence: &[&str]) {
    let found = results(expected, &transcript(response, telemetry), &Config::default());
    let last: &CheckResult = found.iter().rfind(|result| result.id != "outcome:response_only").unwrap_or(&found[0]);
    assert_eq!(last.message, message, "{expected}");
    let shown = |evidence: &Evidence| match evidence.place {
        EvidencePlace::Response(at) => format!("{}:{} {}", at.line, at.column, evidence.text),
        EvidencePlace::Page { page: at } => format!("page {}:{} {}", at.line, at.column, evidence.text),
        EvidencePlace::Telemetry { event } => format!("#{event}"),
    };
    assert_eq!(last.evidence.iter().map(shown).collect::<Vec<_>>(), evidence, "{expected}");
}

#[test]
fn messages_have_the_finding_and_its_place() {
    let none = || json!([]);
    let start = json!({ "source": "tool.book", "event": "start" });
    let failed = json!({ "source": "tool.book", "event": "result", "data": { "success": false } });
    check(r#"{"must_say_any": ["b", "x"]}"#, "a\né X", none(), "`x` is said on line 2", &["2:3 X"]);
    check(r#"{"must_say_any": ["b"]}"#, "a", none(), "`b` is not said", &[]);
    check(r#"{"must_say_any": ["b", "c"]}"#, "a", none(), "none of `b`, `c` is said", &[]);
    check(
        r#"{"must_say_any": ["b", "c", "d", "e", "f", "g"]}"#,
        "a",
        none(),
        "none of `b`, `c`, `d`, `e` and 2 more is said",
        &[],
    );
    check(r#"{"must_not_say": ["b"]}"#, "a B", none(), "`b` is said on line 1", &["1:3 B"]);
    check(r#"{"must_not_say": ["b\u202e\n"]}"#, "a", none(), r"`b\u{202e}\n` is not said", &[]);
    check(r#"{"must_match_regex": ["b+"]}"#, "a\n BB", none(), "`b+` matches on line 2", &["2:2 BB"]);
    check(r#"{"must_match_regex": ["b+"]}"#, "a", none(), "no line matches `b+`", &[]);
    check(
        r#"{"must_not_match_regex": ["aé("]}"#,
        "a",
        none(),
        "the pattern `aé(` does not compile, at character 3: missing closing parenthesis",
        &[],
    );
    check(r#"{"tool_calls_any": ["book"]}"#, "", json!([{}, start]), "`book` was called", &["#2"]);
    check(r#"{"tool_calls_any": ["book"]}"#, "", none(), "`book` was not called", &[]);
    check(r#"{"tool_calls_none": ["book"]}"#, "", json!([start]), "`book` was called", &["#1"]);
    check(r#"{"telemetry": ["x"]}"#, "", json!(["y", "X"]), "event 2 says `x`", &["#2"]);
    check(
        r#"{"telemetry": ["tool.book result success:true"]}"#,
        "",
        json!([failed]),
        "no result of `book` succeeded",
        &[],
    );
    check(
        r#"{"telemetry": ["success:false with missingFields containing day"]}"#,
        "",
        json!([failed]),
        "no event has `missingFields`",
        &["#1"],
    );
    check(r#"{"outcome": "graceful_error"}"#, "", none(), "`tool_calls_any` lists no tool that could have failed", &[]);
    check(r#"{"outcome": "magic"}"#, "", none(), "there is no outcome `magic`", &[]);
    check(r#"{"ui": ["h"]}"#, "", none(), "this hint is not defined", &[]);
    check(r#"{"must_ground_numbers": [12]}"#, "is\n12", none(), "`12` is shown on line 2", &["2:1 12"]);
    check(
        r#"{"must_ground_numbers": [{"value": 12, "context_any": ["bikes"]}]}"#,
        "12",
        none(),
        "`12` is shown, but `bikes` is not said",
        &["1:1 12"],
    );
    check(r#"{"required_levers": 2}"#, "- a\nb", none(), "1 lever, of at least 2", &["1:1 - a"]);
    check(
        r#"{"evidence_freshness_max_age_minutes": 60}"#,
        "5 min\n90 min, 90 m",
        none(),
        "the oldest evidence is 90 minutes old, of at most 60",
        &["2:1 90 m"],
    );
    check(
        r#"{"claim_evidence_alignment": true}"#,
        "a mission",
        none(),
        "no line matches the evidence marker `(?i)(evidence|source|observed|metric)`",
        &["1:3 mission"],
    );
}
