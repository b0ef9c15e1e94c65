//! Only the failing element has the finding: a fixture for each kind of check.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Answers, Document};
use crate::config::Config;
use crate::diagnostic::Severity;
use crate::text::Text;
use crate::transcript::Transcript;

const CONFIG: &str = "
    [[ui_hints]]
    hint = \"A list is visible.\"
    all = [\"List\"]
    [[ui_hints]]
    hint = \"A board is visible.\"
    all = [\"Board\"]
";

const TELEMETRY: &str = r#"[
    { "source": "tool.book", "event": "start" },
    { "source": "tool.book", "event": "result", "data": { "success": true } },
    { "source": "tool.pay", "event": "result", "data": { "success": false, "missingFields": ["slot"] } }
]"#;

/// Returns a case with these expectations, in which only the text between `«` and `»` fails, under that field.
#[track_caller]
fn check(marked: &str, response: &str, field: &str, severity: Severity) {
    let text = format!("{{ \"cases\": [\n  {{ \"id\": \"A\", \"prompt\": \"é😀\", \"expected\": {marked} }}\n] }}");
    let wanted: Vec<&str> = text.split('«').skip(1).map(|rest| rest.split('»').next().unwrap_or_default()).collect();
    let places: Vec<usize> = text.match_indices('«').enumerate().map(|(nth, (at, _))| at - nth * 4).collect();

    let response = serde_json::Value::from(response);
    let transcript = format!(
        r#"{{ "format": "eval-ls/transcript@1", "case": "A", "response": {response}, "telemetry": {TELEMETRY} }}"#
    );
    let answer = Answer::live(Transcript::parse(&transcript).unwrap(), SystemTime::UNIX_EPOCH);
    let live = HashMap::from([("A".to_owned(), Arc::new(answer))]);
    let answers = Answers::new(Arc::new(Config::parse(CONFIG, &[]).0), Arc::default(), live);
    let document = Document::new(Text::from(text.replace(['«', '»'], "")), None);
    assert!(document.is_well_formed(), "{marked}");

    let findings: Vec<_> = document.verdict_findings(&answers).collect();
    let found: Vec<&str> = findings.iter().map(|finding| document.text().slice(finding.span)).collect();
    assert_eq!(found, wanted, "{marked}");
    assert_eq!(findings.iter().map(|finding| finding.span.start).collect::<Vec<_>>(), places, "{marked}");
    assert!(findings.iter().all(|finding| finding.code == field && finding.severity == severity), "{findings:?}");
}

#[test]
fn every_kind_of_check_is_reported_on_its_element() {
    use Severity::{Hint, Warning};
    for (marked, response, field, severity) in [
        (r#"{ "tool_calls_any": «["bok"]», "tool_calls_none": ["x"] }"#, "", "tool_calls_any", Warning),
        (r#"{ "tool_calls_none": ["x", «"book"», "y"] }"#, "", "tool_calls_none", Warning),
        (r#"{ "must_not_say": ["a", «"b"», "c"], "must_say_any": ["b"] }"#, "b", "must_not_say", Warning),
        (r#"{ "must_not_say": [«"b"», «"b"»] }"#, "b", "must_not_say", Warning),
        (r#"{ "must_say_any": «["x", "y"]», "must_not_say": ["x"] }"#, "b", "must_say_any", Warning),
        (
            r#"{ "telemetry": ["tool.book start", «"tool.pay start"», "tool.pay result success:false"] }"#,
            "",
            "telemetry",
            Warning,
        ),
        (r#"{ "telemetry": [«"tool.book result success:false"», "missingfields"] }"#, "", "telemetry", Warning),
        (
            r#"{ "telemetry": ["success:false with missingFields containing slot", «"success:false with missingFields containing day"»] }"#,
            "",
            "telemetry",
            Warning,
        ),
        (r#"{ "telemetry": [«"nothing of that"», "slot"] }"#, "", "telemetry", Warning),
        (r#"{ "outcome": «"graceful_block"», "tool_calls_any": ["book"] }"#, "", "outcome", Warning),
        (r#"{ "outcome": «"graceful_error"», "tool_calls_any": ["book"] }"#, "", "outcome", Warning),
        (r#"{ "outcome": «"no_such_outcome"» }"#, "", "outcome", Warning),
        (r#"{ "ui": ["A list is visible.", «"A board is visible."»] }"#, "list", "ui", Warning),
        (r#"{ "ui": ["A list is visible.", «"Nobody said so."»] }"#, "list", "ui", Hint),
        (r#"{ "required_sources": ["slack", «"vercel"»] }"#, "slack", "required_sources", Warning),
        (
            r#"{ "required_sources": [«"slack"»], "source_patterns": { "slack": ["zzz"] } }"#,
            "slack",
            "required_sources",
            Warning,
        ),
        (r#"{ "must_ground_numbers": [12, «13», «"14"»] }"#, "12", "must_ground_numbers", Warning),
        (
            r#"{ "must_ground_numbers": [{ "value": 12 }, «{ "value": 12, "context_any": ["x"] }», «{ "regex": "[0-9]{3}" }»] }"#,
            "12",
            "must_ground_numbers",
            Warning,
        ),
        (r#"{ "must_label_assumptions": «true» }"#, "", "must_label_assumptions", Warning),
        (r#"{ "must_match_regex": ["a", «"b"», «"["»] }"#, "a", "must_match_regex", Warning),
        (r#"{ "must_not_match_regex": [«"a"», "b", «"["»] }"#, "a", "must_not_match_regex", Warning),
        (
            r#"{ "must_match_regex": [«"^(?:a|aa|aaa)+[0-9]"», "b"] }"#,
            &("a".repeat(400) + "b"),
            "must_match_regex",
            Warning,
        ),
        (r#"{ "required_levers": «2» }"#, "- one", "required_levers", Warning),
        (r#"{ "claim_evidence_alignment": «true» }"#, "evidence", "claim_evidence_alignment", Warning),
        (
            r#"{ "evidence_freshness_max_age_minutes": «5», "required_levers": 0 }"#,
            "9 min",
            "evidence_freshness_max_age_minutes",
            Warning,
        ),
        (
            r#"{ "must_allow_override_actions": ["snooze", «"dismiss"»] }"#,
            "snooze",
            "must_allow_override_actions",
            Warning,
        ),
    ] {
        check(marked, response, field, severity);
    }
}

/// If the case fails without a failed check, the finding is on its scoring.
#[test]
fn scoring_is_reported_only_without_a_failed_check() {
    use Severity::Warning;
    let unknown = r#""ui": ["Nobody said so."]"#;
    let document = |scoring: &str| format!(r#"{{ {unknown}, "scoring": {scoring} }}"#);
    let found = |scoring: &str| {
        let text = format!(r#"{{ "cases": [ {{ "id": "A", "expected": {} }} ] }}"#, document(scoring));
        let document = Document::new(Text::from(text), None);
        let answer = Answer::live(Transcript::default(), SystemTime::UNIX_EPOCH);
        let live = HashMap::from([("A".to_owned(), Arc::new(answer))]);
        let answers = Answers::new(Arc::default(), Arc::default(), live);
        let found = document.verdict_findings(&answers).filter(|finding| finding.severity == Warning);
        found.map(|finding| (document.text().slice(finding.span).to_owned(), finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(
        found(r#"{ "soft_score": { "threshold": 0.9 } }"#),
        [("0.9".to_owned(), "`A`: the soft score 0.825 is below 0.9".to_owned())]
    );
    assert_eq!(
        found(r#"{ "hard_fail": ["formatting", "tool_hygiene"] }"#),
        [("\"tool_hygiene\"".to_owned(), "`A`: a check of `tool_hygiene` did not pass".to_owned())]
    );
    assert_eq!(found("{}"), []);
}
