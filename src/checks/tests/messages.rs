use serde_json::{Value, json};

use super::{CheckResult, Evidence, EvidencePlace, results, transcript};
use crate::config::Config;

/// The last check's message, and its evidence as `line:column text` or `#event`.
fn message((expected, response, telemetry): (&str, &str, Value)) -> String {
    let found = results(&format!("{{ {expected} }}"), &transcript(response, telemetry.clone()), &Config::default());
    let last: &CheckResult = found.iter().rfind(|result| result.id != "outcome:response_only").unwrap_or(&found[0]);
    let evidence = last.evidence.iter().map(|evidence: &Evidence| match evidence.place {
        EvidencePlace::Response(at) => format!(" [{}:{} {}]", at.line, at.column, evidence.text),
        EvidencePlace::Page { page: at } => format!(" [page {}:{} {}]", at.line, at.column, evidence.text),
        EvidencePlace::Telemetry { event } => format!(" [#{event}]"),
    });
    let answer = if response.is_empty() { telemetry.to_string() } else { format!("{response:?}") };
    format!("{expected}, {answer}\n    {}{}\n", last.message, evidence.collect::<String>())
}

#[test]
fn messages_have_the_finding_and_its_place() {
    let start = json!({ "source": "tool.book", "event": "start" });
    let failed = json!({ "source": "tool.book", "event": "result", "data": { "success": false } });
    let of_responses = [
        (r#""must_say_any": ["b", "x"]"#, "a\né X"),
        (r#""must_say_any": ["b"]"#, "a"),
        (r#""must_say_any": ["b", "c"]"#, "a"),
        (r#""must_say_any": ["b", "c", "d", "e", "f", "g"]"#, "a"),
        (r#""must_not_say": ["b"]"#, "a B"),
        (r#""must_not_say": ["b\u202e\n"]"#, "a"),
        (r#""must_match_regex": ["b+"]"#, "a\n BB"),
        (r#""must_match_regex": ["b+"]"#, "a"),
        (r#""must_not_match_regex": ["aé("]"#, "a"),
        (r#""tool_calls_any": ["book"]"#, ""),
        (r#""outcome": "graceful_error""#, ""),
        (r#""outcome": "magic""#, ""),
        (r#""ui": ["h"]"#, ""),
        (r#""must_ground_numbers": [12]"#, "is\n12"),
        (r#""must_ground_numbers": [{"value": 12, "context_any": ["bikes"]}]"#, "12"),
        (r#""required_levers": 2"#, "- a\nb"),
        (r#""evidence_freshness_max_age_minutes": 60"#, "5 min\n90 min, 90 m"),
        (r#""claim_evidence_alignment": true"#, "a mission"),
    ];
    let of_telemetry = [
        (r#""tool_calls_any": ["book"]"#, json!([{}, start])),
        (r#""tool_calls_none": ["book"]"#, json!([start])),
        (r#""telemetry": ["x"]"#, json!(["y", "X"])),
        (r#""telemetry": ["tool.book result success:true"]"#, json!([failed])),
        (r#""telemetry": ["success:false with missingFields containing day"]"#, json!([failed])),
    ];
    let all = of_responses.map(|(expected, response)| (expected, response, json!([]))).into_iter();
    let all = all.chain(of_telemetry.map(|(expected, telemetry)| (expected, "", telemetry)));
    insta::assert_snapshot!(all.map(message).collect::<String>());
}
