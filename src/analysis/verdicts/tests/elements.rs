//! Only the failing element has the finding: a fixture for each kind of check.

use std::sync::Arc;

use crate::analysis::Document;
use crate::analysis::tests::live;
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

/// Checks a case with these expectations, in which only the texts between `«` and `»` fail, under the key before them.
#[track_caller]
fn check(marked: &str, response: &str, severity: Severity) {
    // The last key before the mark whose value is a member of `expected`.
    let parts = marked[..marked.find('«').unwrap()].rsplit(['{', ',']);
    let mut keys = parts.filter_map(|part| Some(&part.trim_start().split_once("\": ")?.0[1..]));
    let key = keys.find(|key| !["value", "regex"].contains(key)).unwrap();
    let text = format!("{{ \"cases\": [\n  {{ \"id\": \"A\", \"prompt\": \"é😀\", \"expected\": {marked} }}\n] }}");
    let wanted: Vec<&str> = text.split('«').skip(1).map(|rest| rest.split('»').next().unwrap_or_default()).collect();
    let places: Vec<usize> = text.match_indices('«').enumerate().map(|(nth, (at, _))| at - nth * 4).collect();

    let response = serde_json::Value::from(response);
    let transcript = format!(
        r#"{{ "format": "eval-ls/transcript@1", "case": "A", "response": {response}, "telemetry": {TELEMETRY} }}"#
    );
    let config = Arc::new(Config::parse(CONFIG, &[]).0);
    let answers = live(config, [("A", Transcript::parse(&transcript).unwrap())]);
    let document = Document::new(Text::from(text.replace(['«', '»'], "")), None);
    assert!(document.is_well_formed(), "{marked}");

    let findings: Vec<_> = document.verdict_findings(&answers).collect();
    let found: Vec<&str> = findings.iter().map(|finding| document.text().slice(finding.span)).collect();
    assert_eq!(found, wanted, "{marked}");
    assert_eq!(findings.iter().map(|finding| finding.span.start).collect::<Vec<_>>(), places, "{marked}");
    assert!(findings.iter().all(|finding| finding.code == key && finding.severity == severity), "{findings:?}");
}

#[test]
fn every_kind_of_check_is_reported_on_its_element() {
    check(r#"{ "ui": ["A list is visible.", «"Nobody said so."»] }"#, "list", Severity::Hint);
    for (marked, response) in [
        (r#"{ "tool_calls_any": «["bok"]», "tool_calls_none": ["x"] }"#, ""),
        (r#"{ "tool_calls_none": ["x", «"book"», "y"] }"#, ""),
        (r#"{ "must_not_say": ["a", «"b"», "c"], "must_say_any": ["b"] }"#, "b"),
        (r#"{ "must_not_say": [«"b"», «"b"»] }"#, "b"),
        (r#"{ "must_say_any": «["x", "y"]», "must_not_say": ["x"] }"#, "b"),
        (r#"{ "telemetry": ["tool.book start", «"tool.pay start"», "tool.pay result success:false"] }"#, ""),
        (r#"{ "telemetry": [«"tool.book result success:false"», "missingfields"] }"#, ""),
        (r#"{ "telemetry": [«"success:false with missingFields containing day"», "slot"] }"#, ""),
        (r#"{ "telemetry": ["success:false with missingFields containing slot", «"nothing of that"»] }"#, ""),
        (r#"{ "outcome": «"graceful_block"», "tool_calls_any": ["book"] }"#, ""),
        (r#"{ "outcome": «"graceful_error"», "tool_calls_any": ["book"] }"#, ""),
        (r#"{ "outcome": «"no_such_outcome"» }"#, ""),
        (r#"{ "ui": ["A list is visible.", «"A board is visible."»] }"#, "list"),
        (r#"{ "required_sources": ["slack", «"vercel"»] }"#, "slack"),
        (r#"{ "required_sources": [«"slack"»], "source_patterns": { "slack": ["zzz"] } }"#, "slack"),
        (r#"{ "must_ground_numbers": [12, «13», «"14"»] }"#, "12"),
        (r#"{ "must_ground_numbers": [{ "value": 12 }, «{ "value": 12, "context_any": ["x"] }»] }"#, "12"),
        (r#"{ "must_ground_numbers": [{ "value": 12 }, «{ "regex": "[0-9]{3}" }»] }"#, "12"),
        (r#"{ "must_label_assumptions": «true» }"#, ""),
        (r#"{ "must_match_regex": ["a", «"b"», «"["»] }"#, "a"),
        (r#"{ "must_not_match_regex": [«"a"», "b", «"["»] }"#, "a"),
        (r#"{ "must_match_regex": [«"^(?:a|aa|aaa)+[0-9]"», "b"] }"#, &("a".repeat(400) + "b")),
        (r#"{ "required_levers": «2» }"#, "- one"),
        (r#"{ "claim_evidence_alignment": «true» }"#, "evidence"),
        (r#"{ "evidence_freshness_max_age_minutes": «5», "required_levers": 0 }"#, "9 min"),
        (r#"{ "must_allow_override_actions": ["snooze", «"dismiss"»] }"#, "snooze"),
    ] {
        check(marked, response, Severity::Warning);
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
        let answers = live(Arc::default(), [("A", Transcript::default())]);
        let found = document.verdict_findings(&answers).filter(|finding| finding.severity == Warning);
        found.map(|finding| (document.text().slice(finding.span).to_owned(), finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(
        found(r#"{ "soft_score": { "threshold": 0.9 } }"#),
        [("0.9".to_owned(), "the soft score 0.825 is below 0.9".to_owned())]
    );
    assert_eq!(
        found(r#"{ "hard_fail": ["formatting", "tool_hygiene"] }"#),
        [("\"tool_hygiene\"".to_owned(), "a check of `tool_hygiene` did not pass".to_owned())]
    );
    assert_eq!(found("{}"), []);
}
