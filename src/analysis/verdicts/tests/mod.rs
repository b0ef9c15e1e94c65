mod elements;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use super::*;
use crate::analysis::tests::live;
use crate::analysis::{Document, Status};
use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::text::{Span, Text};
use crate::transcript::{LastRecord, Transcript};

const SUITE: &str = r#"{
  "version": "0.2.0",
  "cases": [
    { "id": "A", "prompt": "p", "expected": { "must_say_any": ["Git hub"], "must_not_say": ["no", "never"] } },
    { "id": "B", "prompt": "p", "expected": { "must_say_any": ["yes"] } },
    { "id": "C", "prompt": "p", "expected": { "must_say_any": ["yes"] } }
  ]
}
"#;

fn transcript(case: &str, response: &str) -> Transcript {
    Transcript { case: case.to_owned(), response: response.to_owned(), ..Transcript::default() }
}

/// Returns answers in memory to the cases with those ids.
fn answers(responses: &[(&str, &str)]) -> Answers {
    live(Arc::default(), responses.iter().map(|(id, response)| (*id, transcript(id, response))))
}

fn document() -> Document {
    Document::new(Text::new(SUITE), None)
}

/// Replaces the first `old` by `new`.
fn replace(document: &mut Document, old: &str, new: &str) {
    let start = document.text().as_str().find(old).unwrap();
    document.edit(Span::new(start, start + old.len()), new);
}

fn status(document: &Document, index: usize, answers: &Answers) -> Option<(Status, bool)> {
    document.verdict(index, answers).map(|verdict| (verdict.status(), verdict.outdated || verdict.is_stale()))
}

/// Returns the texts of the elements whose checks have this outcome.
fn elements<'d>(document: &'d Document, index: usize, answers: &Answers, outcome: CheckOutcome) -> Vec<&'d str> {
    let verdict = document.verdict(index, answers).unwrap();
    let placed = &document.suite().cases[index];
    let checks = verdict.checks().filter(|check| check.result.outcome == outcome);
    checks.filter_map(|check| Some(document.text().slice(placed.absolute(check.span?)))).collect()
}

#[test]
fn a_verdict_is_about_the_current_text() {
    let mut document = document();
    let answers = answers(&[("A", "We never use GitHub."), ("B", "yes")]);
    assert_eq!(status(&document, 0, &answers), Some((Status::Fail, false)));
    assert_eq!(elements(&document, 0, &answers, CheckOutcome::Failed), ["\"never\"", r#"["Git hub"]"#]);
    replace(&mut document, "Git hub", "GitHub");
    assert_eq!(elements(&document, 0, &answers, CheckOutcome::Failed), ["\"never\""]);
    replace(&mut document, ", \"never\"", "");
    assert_eq!(status(&document, 0, &answers), Some((Status::Pass, false)));
    assert_eq!(status(&document, 2, &answers), None);
    let summary = VerdictCounts { pass: 2, not_run: 1, ..VerdictCounts::default() };
    assert_eq!((document.summary(&answers), summary.total()), (summary, 3));
}

#[test]
fn a_check_that_only_the_prompt_meets_says_so() {
    let prompt = "Say yes to all of it".to_owned();
    let answered = Transcript { prompt: Some(prompt), ..transcript("B", "Hello.\nSay yes to all of it\nSure.") };
    let config = Arc::new(Config::parse("[scoring]\nprompt_counts = true", &[]).0);
    let answers = live(config, [("B", answered)]);
    let document = document();
    let verdict = document.verdict(1, &answers).unwrap();
    let check = verdict.checks().next().unwrap();
    assert_eq!((check.result.outcome, check.result.by_prompt), (CheckOutcome::Passed, true));
    assert_eq!(findings::check_label(&check, None), "✓ your own prompt says so, line 2");
    assert_eq!(check.result.message, "`yes` is said on line 2: your own prompt says so, line 2");
}

#[test]
fn an_edit_judges_one_case() {
    let mut document = document();
    let answers = answers(&[("A", "a"), ("B", "b"), ("C", "c")]);
    let before: Vec<_> = document.verdicts(&answers).map(Option::unwrap).collect();
    replace(&mut document, "[\"yes\"]", "[\"b\"]");
    assert!(document.known_verdict(0, &answers).is_some());
    assert!(document.known_verdict(1, &answers).is_none());
    let after: Vec<_> = document.verdicts(&answers).map(Option::unwrap).collect();
    let kept: Vec<_> = before.iter().zip(&after).map(|(before, after)| Arc::ptr_eq(before, after)).collect();
    assert_eq!(kept, [true, false, true]);
    // Other hints or sources may change the verdict.
    let other = Answers::new(Arc::new(Config::default()), Arc::default(), HashMap::new());
    assert!(document.verdict(0, &other).is_none());
}

/// While the text is broken, the verdict stays on the elements that still exist.
#[test]
fn a_broken_case_keeps_its_verdict() {
    let answers = answers(&[("A", "We never use GitHub."), ("B", "yes"), ("C", "no")]);
    for (old, new, failed) in [
        ("\"no\", ", "\"no\", \"", vec!["\"never\"", r#"["Git hub"]"#]),
        ("\"no\", ", "\"", vec!["\"never\"", r#"["Git hub"]"#]),
        ("Git hub\"]", "Git hub\"", vec!["\"never\""]),
        ("\"p\", \"expected", "\"p\" \"expected", vec!["\"never\"", r#"["Git hub"]"#]),
        ("\"never\"] }", "\"never\"]", vec!["\"never\"", r#"["Git hub"]"#]),
        ("{ \"id\": \"A\", ", "{ \"id\": \"A\", \"", vec!["\"never\"", r#"["Git hub"]"#]),
    ] {
        let mut document = document();
        document.verdicts(&answers).for_each(drop);
        replace(&mut document, old, new);
        assert_eq!(status(&document, 0, &answers), Some((Status::Fail, true)), "{new}");
        let found = elements(&document, 0, &answers, CheckOutcome::Failed);
        assert!(found.iter().zip(&failed).all(|(found, failed)| found == failed), "{new}: {found:?}");
        assert_eq!(status(&document, 1, &answers), Some((Status::Pass, false)), "{new}");
        assert_eq!(status(&document, 2, &answers), Some((Status::Fail, false)), "{new}");
        // After more edits, the text is whole again.
        document.edit(Span::empty(SUITE.find(old).unwrap() + new.len()), "x");
        assert_eq!(status(&document, 0, &answers), Some((Status::Fail, true)), "{new}");
        document.set_text(Text::new(SUITE));
        assert_eq!(status(&document, 0, &answers), Some((Status::Fail, false)), "{new}");
    }
}

#[test]
fn a_case_that_was_never_parsed_has_no_verdict() {
    let mut document = Document::new(Text::new(&SUITE.replace("[\"Git hub\"]", "[\"Git hub]")), None);
    let answers = answers(&[("A", "We use Git hub."), ("B", "yes")]);
    assert_eq!(status(&document, 0, &answers), None);
    assert_eq!(status(&document, 1, &answers), Some((Status::Pass, false)));
    replace(&mut document, "hub]", "hub\"]");
    assert_eq!(status(&document, 0, &answers), Some((Status::Pass, false)));
}

#[test]
fn other_prompts_make_a_verdict_stale() {
    let mut document = document();
    let recorded = Transcript { prompt: Some("p".to_owned()), ..transcript("B", "yes") };
    let answers = live(Arc::default(), [("B", recorded)]);
    assert_eq!(status(&document, 1, &answers), Some((Status::Pass, false)));
    replace(&mut document, "\"B\", \"prompt\": \"p\"", "\"B\", \"prompt\": \"q\"");
    assert_eq!(status(&document, 1, &answers), Some((Status::Pass, true)));
}

#[test]
fn an_answer_that_is_not_the_last_one_has_a_mark() {
    let document = document();
    let last =
        LastRecord { at: "2026-03-02T09:00:00Z".to_owned(), target: "agent".to_owned(), status: "FAIL".to_owned() };
    let stored = Transcript { last_record: Some(Box::new(last)), ..transcript("B", "yes") };
    let answers = live(Arc::default(), [("B", stored)]);
    let verdict = document.verdict(1, &answers).unwrap();
    assert_eq!(verdict.label(), "PASS · older answer");
    assert!(verdict.label().ends_with(" · older answer"));
    let page = case_page(&verdict, true, SystemTime::now()).to_plain();
    assert!(page.contains("older answer; the one of agent on 2026-03-02 did not pass"), "{page}");
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error() {
    let document = document();
    let answer = Answer::kept("a/B.json".into(), Err("a/\u{202e}B.json: no".to_owned()));
    let kept = HashMap::from([("B.json".to_owned(), Arc::new(answer))]);
    let answers = Answers::new(Arc::default(), Arc::new(kept), HashMap::new());
    let verdict = document.verdict(1, &answers).unwrap();
    assert_eq!((verdict.status(), verdict.error()), (Status::Error, Some("a/\u{202e}B.json: no")));
    let findings: Vec<_> = document.verdict_findings(&answers).collect();
    assert_eq!(findings.len(), 1);
    assert_eq!(document.text().slice(findings[0].span), "\"B\"");
    assert_eq!(findings[0].message, "a/\u{fffd}B.json: no");
}

#[test]
fn evidence_has_a_place_in_the_file() {
    let text = "\u{feff}{ \"format\": \"eval-ls/transcript@1\", \"case\": \"A\",\n \"response\": \"one\\ntwo \\ud83d\\ude00 \\\"never\\\"\\n\", \"telemetry\": [1,\n {\"tool\": 2}] }";
    let loaded = Transcript::parse(text).map(|transcript| (transcript, text.to_owned())).unwrap();
    let kept = HashMap::from([("A.json".to_owned(), Arc::new(Answer::kept("A.json".into(), Ok(loaded))))]);
    let answers = Answers::new(Arc::default(), Arc::new(kept), HashMap::new());
    let document = document();
    let findings: Vec<_> = document.verdict_findings(&answers).collect();
    let never = findings.iter().find(|finding| finding.code == "must_not_say").unwrap();
    let place = never.place.as_ref().unwrap();
    assert_eq!(place.answer.file.as_ref().unwrap().text.slice(place.span), "never");
    let place = |place, text: &str| {
        answers.of("A").unwrap().place(&crate::checks::Evidence { place, text: text.to_owned(), in_prompt: false })
    };
    let slice = |span: Option<Span>| span.map(|span| &text[span.range()]);
    use crate::checks::EvidencePlace::*;
    use crate::text::LineColumn;
    assert_eq!(slice(place(Response(LineColumn { line: 2, column: 5 }), "😀 \"n…")), Some("\\ud83d\\ude00 \\\"n"));
    assert_eq!(slice(place(Response(LineColumn { line: 1, column: 1 }), "one\ntwo")), Some("one\\ntwo"));
    assert_eq!(slice(place(Telemetry { event: 2 }, "")), Some("{\"tool\": 2}"));
    assert_eq!(place(Telemetry { event: 3 }, ""), None);
    assert_eq!(place(Response(LineColumn { line: 9, column: 1 }), ""), None);
}
