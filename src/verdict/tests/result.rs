use serde_json::{Value, from_value, json, to_value};

use super::*;
use crate::schema::SchemaName;
use crate::text::Text;
use crate::verdict::CheckLists;

const CASE: &str = r#"{
  "id": "SYN1", "category": "brief", "prompt": "Brief me.",
  "expected": {
    "must_say_any": ["plan"], "ui": ["Nobody defined this."], "required_sources": ["github", "", "slack"],
    "must_ground_numbers": [{ "label": "bikes", "value": 12 }, 7, { "label": "risk", "regex": "risk" }],
    "required_levers": 9, "claim_evidence_alignment": true, "evidence_freshness_max_age_minutes": 5,
    "must_allow_override_actions": ["Snooze", "Reframe"],
    "scoring": { "hard_fail": ["numeric_grounding"], "soft_score": { "threshold": 0.8 } }
  }
}"#;

fn result_of(source: &str, transcript: &Transcript) -> CaseResult {
    judge(&case(source), transcript, &Config::default())
}

#[track_caller]
fn is_of_the_schema(result: &CaseResult) {
    let schema: Value = serde_json::from_str(SchemaName::Result.text()).unwrap();
    let case_schema = json!({ "$ref": "#/definitions/case_result", "definitions": schema["definitions"] });
    let validator = jsonschema::validator_for(&case_schema).unwrap();
    let value = to_value(result).unwrap();
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(to_value(from_value::<CaseResult>(value.clone()).unwrap()).unwrap(), value);
}

#[test]
fn a_result_lists_the_checks_by_result() {
    let transcript = Transcript {
        prompt: Some("Brief me!".to_owned()),
        duration_ms: Some(81),
        ..transcript("The plan:\n7 PRs; snooze\n", json!([]))
    };
    let result = result_of(CASE, &transcript);
    is_of_the_schema(&result.clone().placed(&Text::new(CASE), 0));
    let mut value = to_value(result).unwrap();
    let details = value["check_details"].take();
    let pcre2 = value["pcre2_version"].take();
    assert!(pcre2.as_str().unwrap().starts_with("10."), "{pcre2}");
    let terms = value["metrics"]["scoring"]["soft_score"]["terms"].take();
    insta::assert_json_snapshot!("result", value);
    assert_eq!(details.as_array().unwrap().len(), 13);
    insta::assert_json_snapshot!("detail", details[0]);
    assert_eq!(terms[0]["group"], "tool_hygiene");
}

#[test]
fn whole_numbers_are_written_without_decimals() {
    let text = serde_json::to_string(&result_of(r#"{ "id": "A" }"#, &transcript("", json!([])))).unwrap();
    let scores = r#""groups":{"tool_hygiene":1,"synthesis_coverage":1,"numeric_grounding":1,"uncertainty":1,"formatting":1,"morning_brief_contract":1},"hard_fail_triggered":[],"soft_score":{"value":1,"threshold":null,"passed":true,"#;
    assert!(text.contains(scores), "{text}");
    assert!(!text.contains("\"reason\""), "{text}");
}

#[test]
fn an_empty_case_has_a_result_too() {
    let result = result_of("{}", &transcript("", json!([])));
    assert_eq!((result.id.as_str(), result.prompt.as_str(), result.category.as_str()), ("", "", "general"));
    assert_eq!(result.expected_outcome, "response_only");
    assert_eq!(result.snapshot_excerpt.lines().collect::<Vec<_>>(), [""]);
    is_of_the_schema(&result);
    let unknown = result_of(r#"{ "expected": { "outcome": "magic" } }"#, &transcript("", json!([])));
    assert_eq!(unknown.expected_outcome, "magic");
}

#[test]
fn a_result_quotes_the_first_40_lines() {
    let long: String = (1..100).map(|line| format!("line {line}\r\n")).collect();
    let excerpt = result_of("{}", &transcript(&long, json!([]))).snapshot_excerpt;
    assert_eq!((excerpt.len(), excerpt.lines().last()), (40, Some("line 40")));
}

#[test]
fn a_case_that_could_not_be_run_is_not_scored() {
    let result = CaseResult::not_run(&case(CASE), "no transcript is kept");
    is_of_the_schema(&result);
    let value = to_value(&result).unwrap();
    assert_eq!((&value["status"], &value["reason"]), (&json!("ERROR"), &json!("no transcript is kept")));
    assert_eq!(value["checks"], json!({ "passed": [], "failed": [], "unknown_ui": [] }));
    let scoring = &value["metrics"]["scoring"];
    assert_eq!(scoring["soft_score"], json!({ "value": null, "threshold": 0.8, "passed": null, "terms": [] }));
    assert!(scoring["groups"].as_object().unwrap().values().all(Value::is_null));
    assert_eq!(value["snapshot_excerpt"], json!([]));
    assert_eq!(value["metrics"]["synthesis"]["missing_sources"], json!([]));
}

#[test]
fn a_case_that_could_not_be_judged_has_check_details_and_no_score() {
    let source = r#"{ "expected": { "must_match_regex": ["^(a|a|aa)+(?!.)"], "must_say_any": ["b"], "ui": ["?"] } }"#;
    let result = result_of(source, &transcript(&format!("{}!", "a".repeat(300)), json!([])));
    is_of_the_schema(&result);
    assert_eq!(result.status, Status::Error);
    assert!(result.reason.unwrap().contains("^(a|a|aa)+(?!.)"));
    assert_eq!(result.checks, CheckLists::default());
    assert_eq!(result.metrics.scoring.soft_score.value, None);
    assert_eq!(result.metrics.scoring.hard_fail_triggered, []);
    let outcomes: Vec<CheckOutcome> = result.check_details.iter().map(|check| check.outcome).collect();
    assert_eq!(outcomes, [CheckOutcome::Failed, CheckOutcome::Passed, CheckOutcome::Unknown, CheckOutcome::NotJudged]);
}

#[test]
fn checks_have_their_place_in_the_suite() {
    let source = "{ \"cases\": [\n  {\"id\": \"é\", \"expected\": {\"must_say_any\": [\"plan\"]}}\n] }";
    let start = source.find("{\"id\"").unwrap();
    let case = case(&source[start..source.rfind('\n').unwrap()]);
    let (transcript, config) = (transcript("plna", json!([])), Config::default());
    let result = judge(&case, &transcript, &config).placed(&Text::new(source), start);
    let places: Vec<_> = result.check_details.iter().map(|check| check.suite.unwrap()).collect();
    assert_eq!(
        places,
        [crate::text::LineColumn { line: 2, column: 44 }, crate::text::LineColumn { line: 2, column: 15 }]
    );
    assert_eq!(result.check_details[0].nearest.len(), 1);
    is_of_the_schema(&result);
}
