use crate::config::Config;
use crate::events::{
    CaseFinished, CaseRef, Event, Policy, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteStarted,
};
use crate::runner::Run;
use crate::suite::Suite;
use crate::syntax::parse;
use crate::text::Text;
use crate::transcript::Transcript;
use crate::verdict::{CaseResult, Versions, judge};

use super::*;

const SUITE: &str = r#"{
  "cases": [
    { "id": "GOOD", "prompt": "p", "expected": { "must_say_any": ["booked"] } },
    { "id": "BAD", "category": "c|d", "prompt": "p",
      "expected": {
        "must_not_say": ["sorry"], "must_match_regex": ["slots:\\s*\\d+"],
        "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.6, "tool_hygiene": 0.4 } } }
      } },
    { "id": "HALF", "prompt": "p", "expected": { "ui": ["A list is shown."] } },
    { "id": "GONE\u001b[31m", "prompt": "p", "expected": { "must_say_any": ["x"] } }
  ]
}"#;

/// A hostile answer.
const HOSTILE: &str =
    "::error::injected\n\u{1b}]0;owned\u{7}sorry <b>|</b> \u{202e}[x](http://evil)\u{0}\u{fffe}\nslots: none";

/// A run of [`SUITE`], with one case of each status.
fn sample() -> Run {
    let text = Text::new(SUITE);
    let parsed = parse(SUITE);
    let suite = Suite::lower(parsed.tree.root(SUITE).unwrap());
    let answers = [Some("It is booked."), Some(HOSTILE), Some(""), None];
    let mut run = Run::default();
    let path = "evals/workshop,1.json".to_owned();
    run.take(&Event::RunStarted(RunStarted {
        format: RunStarted::FORMAT.to_owned(),
        versions: Versions::current(),
        started_at: "2026-11-21T10:00:00Z".to_owned(),
        target: "replay".to_owned(),
        program: None,
        live: false,
        jobs: 1,
        timeout_ms: 60_000,
        record: false,
        policy: Policy::default(),
        run: None,
        total: 4,
        suites: vec![SuiteStarted { suite: path.clone(), total: 4 }],
    }));
    let mut results = Vec::new();
    for (index, (placed, answer)) in suite.cases.iter().zip(answers).enumerate() {
        let config = Config::default();
        let result = match answer {
            Some(response) => {
                let transcript = Transcript { response: response.to_owned(), ..Transcript::default() };
                judge(&placed.case, &transcript, &config)
            }
            None => CaseResult::not_run(&placed.case, format!("the program said {HOSTILE}")),
        };
        let mut result = result.placed(&text, placed.start);
        result.pcre2_version = "10.46".to_owned();
        let id = placed.case.id.as_ref().unwrap();
        let span = placed.absolute(id.span);
        results.push(result.clone());
        run.take(&Event::CaseFinished(Box::new(CaseFinished {
            case: CaseRef { suite: path.clone(), case: id.value.clone(), index, range: text.line_range(span) },
            status: result.status,
            resumed: false,
            duration_ms: 1234,
            not_stored: None,
            answer: None,
            transcript: None,
            result: result.into(),
        })));
    }
    run.take(&Event::RunFinished(RunFinished {
        cancelled: false,
        duration_ms: 5000,
        not_run: 0,
        failures: 1,
        errors: 1,
        skipped: Vec::new(),
        summary: RunSummary::of(&results),
        suites: vec![SuiteFinished { suite: path, not_run: 0, summary: RunSummary::of(&results) }],
    }));
    run
}

/// Asserts that `text` has no control characters and no characters that reorder a line.
#[track_caller]
fn assert_harmless(text: &str) {
    let obeyed =
        |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
    assert!(!text.contains(obeyed), "{text:?}");
}

fn without_styles(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn the_terminal_shows_failures_with_their_places_and_no_escapes_but_styles() {
    let run = sample();
    let styled = failures(&run);
    let styles = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    assert_eq!(styles.find_iter(&styled).count(), styled.matches('\u{1b}').count());
    let shown = format!("{}{}", without_styles(&styled), without_styles(&closing(&run)));
    assert_harmless(&shown);
    insta::assert_snapshot!("terminal", shown);
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut report = Vec::new();
    write(&mut report).unwrap();
    String::from_utf8(report).unwrap()
}

#[test]
fn junit_has_one_failure_for_each_failed_case() {
    let xml = written(|out| junit(&sample(), out));
    assert_harmless(&xml);
    let mut reader = quick_xml::Reader::from_str(&xml);
    let mut elements = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(element) => {
                elements.push(element.name().as_ref().to_owned());
            }
            _ => {}
        }
    }
    let count = |name: &str| elements.iter().filter(|element| *element == name).count();
    assert_eq!((count("testcase"), count("failure"), count("error")), (4, 1, 1));
    insta::assert_snapshot!("junit", xml);
}

#[test]
fn annotations_are_on_the_expectation_and_inject_nothing() {
    let text = annotations(&sample(), str::to_owned, true);
    assert_harmless(&text);
    let commands: Vec<_> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert!(commands.iter().all(|line| line.contains("file=evals/workshop%2C1.json")), "{text}");
    insta::assert_snapshot!("github", text);
}

#[test]
fn there_are_at_most_ten_annotations_and_each_case_comes_first() {
    let mut run = Run::default();
    let sample = sample();
    run.take(&Event::RunStarted(sample.started().unwrap().clone()));
    let bad = sample.not_passed()[0].clone();
    for index in 0..9 {
        let mut case = bad.clone();
        case.case.index = index;
        case.case.case = format!("BAD{index}");
        run.take(&Event::CaseFinished(Box::new(case)));
    }
    let text = annotations(&run, str::to_owned, true);
    let commands: Vec<_> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 10);
    let cases: std::collections::BTreeSet<_> =
        commands.iter().filter_map(|line| line.split("title=").nth(1)).map(|rest| rest.split("::").next()).collect();
    assert_eq!(cases.len(), 9, "{text}");
    assert!(text.contains("8 more in the step summary"), "{text}");
    // Without a summary, the text does not name one.
    let text = annotations(&run, str::to_owned, false);
    assert!(text.contains("8 more that GitHub would not show"), "{text}");
}

#[test]
fn markdown_and_json_have_the_same_verdicts() {
    let run = sample();
    let cases: Vec<_> = run.cases().into_iter().map(|case| case.result.clone()).collect();
    let document = RunDocument {
        answers: "stored answers of agent, 12 minutes old".to_owned(),
        format: "eval-ls/result@1",
        versions: Versions::default(),
        generated_at: "2026-11-21T10:00:00Z".to_owned(),
        eval_file: "evals/workshop.json".to_owned(),
        target: "replay".to_owned(),
        session: "replay".to_owned(),
        telemetry_log_path: None,
        app_url: None,
        space_url: None,
        cancelled: false,
        not_run: 0,
        strict: false,
        failures: 1,
        errors: 1,
        summary: RunSummary::of(cases.iter().map(|case| &**case)),
        cases,
        folder: None,
    };
    let page = written(|out| markdown(&document, out));
    assert_harmless(&page);
    insta::assert_snapshot!("markdown", page);
    let json: serde_json::Value = serde_json::from_str(&written(|out| write_json(&document, out))).unwrap();
    assert_eq!(json["summary"]["total"], 4);
    assert_eq!(json["cases"][1]["status"], "FAIL");
    for key in ["telemetry_log_path", "app_url", "space_url"] {
        assert!(json[key].is_null() && json.as_object().unwrap().contains_key(key), "{key}");
    }
    let schema = serde_json::from_str(crate::schema::SchemaName::Result.text()).unwrap();
    assert_result_is_valid(&schema, &json);
}

fn assert_result_is_valid(schema: &serde_json::Value, result: &serde_json::Value) {
    let validator = jsonschema::draft7::new(schema).unwrap();
    let errors: Vec<_> =
        validator.iter_errors(result).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn the_summary_shows_what_failed_and_the_answer_folded() {
    let page = summary(&sample());
    assert_harmless(&page);
    insta::assert_snapshot!("summary", page);
}
