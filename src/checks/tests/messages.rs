use serde_json::{Value, json};

use super::{CheckResult, Evidence, EvidencePlace, results, transcript};
use crate::config::Config;

/// The last check's message, and its evidence as `line:column text` or `#event`.
#[track_caller]
fn check(expected: &str, response: &str, telemetry: Value, message: &str, evidence: &[&str]) {
    let found = results(&format!("{{ {expected} }}"), &transcript(response, telemetry), &Config::default());
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
    let start = json!({ "source": "tool.book", "event": "start" });
    let failed = json!({ "source": "tool.book", "event": "result", "data": { "success": false } });
    for (expected, response, message, evidence) in [
        (r#""must_say_any": ["b", "x"]"#, "a\né X", "`x` is said on line 2", &["2:3 X"][..]),
        (r#""must_say_any": ["b"]"#, "a", "`b` is not said", &[]),
        (r#""must_say_any": ["b", "c"]"#, "a", "none of `b`, `c` is said", &[]),
        (
            r#""must_say_any": ["b", "c", "d", "e", "f", "g"]"#,
            "a",
            "none of `b`, `c`, `d`, `e` and 2 more is said",
            &[],
        ),
        (r#""must_not_say": ["b"]"#, "a B", "`b` is said on line 1", &["1:3 B"]),
        (r#""must_not_say": ["b\u202e\n"]"#, "a", r"`b\u{202e}\n` is not said", &[]),
        (r#""must_match_regex": ["b+"]"#, "a\n BB", "`b+` matches on line 2", &["2:2 BB"]),
        (r#""must_match_regex": ["b+"]"#, "a", "no line matches `b+`", &[]),
        (
            r#""must_not_match_regex": ["aé("]"#,
            "a",
            "the pattern `aé(` does not compile, at character 3: missing closing parenthesis",
            &[],
        ),
        (r#""tool_calls_any": ["book"]"#, "", "`book` was not called", &[]),
        (r#""outcome": "graceful_error""#, "", "`tool_calls_any` lists no tool that could have failed", &[]),
        (r#""outcome": "magic""#, "", "there is no outcome `magic`", &[]),
        (r#""ui": ["h"]"#, "", "this hint is not defined", &[]),
        (r#""must_ground_numbers": [12]"#, "is\n12", "`12` is shown on line 2", &["2:1 12"]),
        (
            r#""must_ground_numbers": [{"value": 12, "context_any": ["bikes"]}]"#,
            "12",
            "`12` is shown, but `bikes` is not said",
            &["1:1 12"],
        ),
        (r#""required_levers": 2"#, "- a\nb", "1 lever, of at least 2", &["1:1 - a"]),
        (
            r#""evidence_freshness_max_age_minutes": 60"#,
            "5 min\n90 min, 90 m",
            "the oldest evidence is 90 minutes old, of at most 60",
            &["2:1 90 m"],
        ),
        (
            r#""claim_evidence_alignment": true"#,
            "a mission",
            "no line matches the evidence marker `(?i)(evidence|source|observed|metric)`",
            &["1:3 mission"],
        ),
    ] {
        check(expected, response, json!([]), message, evidence);
    }
    for (expected, telemetry, message, evidence) in [
        (r#""tool_calls_any": ["book"]"#, json!([{}, start]), "`book` was called", &["#2"][..]),
        (r#""tool_calls_none": ["book"]"#, json!([start]), "`book` was called", &["#1"]),
        (r#""telemetry": ["x"]"#, json!(["y", "X"]), "event 2 says `x`", &["#2"]),
        (r#""telemetry": ["tool.book result success:true"]"#, json!([failed]), "no result of `book` succeeded", &[]),
        (
            r#""telemetry": ["success:false with missingFields containing day"]"#,
            json!([failed]),
            "no event has `missingFields`",
            &["#1"],
        ),
    ] {
        check(expected, "", telemetry, message, evidence);
    }
}
