use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::SystemTime;

use super::*;
use crate::analysis::Answer;
use crate::config::Config;
use crate::text::Text;
use crate::transcript::Transcript;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

const ALL: HintsWanted = HintsWanted { verdicts: VerdictHints::All, challenges: false };

fn config() -> Arc<Config> {
    let text =
        "[scoring]\nprompt_counts = true\n[[ui_hints]]\nhint = \"A list is visible.\"\nall = [\"List\", \"Board\"]\n";
    Arc::new(Config::parse(text, &[]).0)
}

/// A suite of one case with these expectations, and its answer.
fn suite(expected: &str, transcript: &str) -> (Document, Answers) {
    let case = format!("{{ \"cases\": [ {{ \"id\": \"A\", \"prompt\": \"p\", \"expected\": {expected} }} ] }}");
    let mut answer = Transcript::parse(transcript).unwrap();
    answer.case = "A".to_owned();
    let live = HashMap::from([("A".to_owned(), Arc::new(Answer::live(answer, NOW)))]);
    (Document::new(Text::from(case), None), Answers::new(config(), Arc::default(), live))
}

fn answered(response: &str) -> String {
    format!(
        r#"{{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "target": "agent", "duration_ms": 8123, "response": {}, "telemetry": [
  {{ "source": "tool.book", "event": "start" }}, {{ "source": "tool.book", "event": "result", "data": {{ "success": true }} }} ] }}"#,
        serde_json::Value::from(response)
    )
}

/// The suite's text with its hints between `⟦` and `⟧`.
fn shown(document: &Document, answers: &Answers) -> String {
    let text = document.text().as_str();
    let mut shown = String::new();
    let mut at = 0;
    for hint in inlay_hints(document, answers, Span::new(0, text.len()), ALL) {
        let label = hint.label.trim_start_matches("· ");
        assert!(label.chars().count() <= 60, "{label}");
        write!(shown, "{}⟦{}⟧", &text[at..hint.offset], hint.label).unwrap();
        at = hint.offset;
    }
    shown + &text[at..]
}

/// Checks the hints of an answer in expectations where they are between `⟦` and `⟧`.
#[track_caller]
fn check(response: &str, with_hints: &str) {
    let parts = with_hints.split('⟧').map(|part| part.split('⟦').next().unwrap_or_default());
    let (document, answers) = suite(&parts.collect::<String>(), &answered(response));
    let shown = shown(&document, &answers);
    let start = shown.find("\"expected\": ").unwrap() + "\"expected\": ".len();
    assert_eq!(&shown[start..shown.rfind(" } ] }").unwrap()], with_hints);
}

#[test]
fn each_kind_of_check_has_a_note() {
    check(
        "one\nGithub: 12, never",
        r#"{ "must_say_any": ["GitHub", "Slack"],⟦✓⟧ "must_not_say": ["never", "no way"]⟦✗ "never" line 2⟧ }"#,
    );
    check(
        "a\nGit hub",
        r#"{ "must_say_any": ["GitHub"],⟦✗ not said; nearest line 2: "Git hub"⟧ "required_sources": ["github", "wiki"]⟦✗ 2 of 2 failed⟧ }"#,
    );
    check(
        "",
        r#"{ "tool_calls_any": ["book"],⟦✓⟧ "tool_calls_none": ["book", "other"],⟦✗ "book" event 1⟧ "outcome": "graceful_block"⟦✗ a tool succeeded⟧ }"#,
    );
    check(
        "",
        r#"{ "tool_calls_any": ["bok"],⟦✗ not called; nearest event 1⟧ "outcome": "response_only",⟦✓⟧ "telemetry": ["tool.book start", "tool.x result success:true"]⟦✗ "tool.x result success:t…" no result of x succeeded⟧ }"#,
    );
    check(
        "aa\nbb",
        r#"{ "must_match_regex": ["^b+", "z{9}", "["],⟦✗ 2 of 3 failed⟧ "must_not_match_regex": ["a", "q"]⟦✗ "a" line 1⟧ }"#,
    );
    check(
        "12 and 1,234",
        r#"{ "must_ground_numbers": [12, { "value": "1234" }, { "value": 12, "context_any": ["x"] }, { "regex": "[0-9]{7}" }]⟦✗ 3 of 4 failed⟧ }"#,
    );
    check(
        "12 and 1,234",
        "{ \"must_ground_numbers\": [\n{ \"value\": \"1234\" },⟦✗ not shown; nearest line 1: \"1,234\"⟧\n{ \"value\": 12, \"context_any\": [\"x\"] },⟦✗ 12 is shown, but x is not said⟧\n{ \"regex\": \"[0-9]{7}\" }⟦✗ no match⟧\n] }",
    );
    check(
        "List, assuming",
        r#"{ "ui": ["A list is visible.", "Nobody knows."],⟦✗ "A list is visible." Board is not said⟧⟦· ? "Nobody knows." not defined⟧ "must_label_assumptions": true⟦✓⟧ }"#,
    );
    check(
        "- a lever\nRecommendation: evidence, 9 min",
        r#"{ "required_levers": 2,⟦✗ 1 lever, of at least 2⟧ "claim_evidence_alignment": true,⟦✗ no line matches the alignment marker (?i)(because|based o…⟧ "evidence_freshness_max_age_minutes": 5,⟦✗ the oldest evidence is 9 minutes old, of at most 5⟧ "must_allow_override_actions": ["snooze"]⟦✗ not said⟧ }"#,
    );
}

/// The note after the id.
#[track_caller]
fn headline(expected: &str, transcript: &str) -> String {
    let (document, answers) = suite(expected, transcript);
    let hints = inlay_hints(&document, &answers, Span::new(0, document.text().len()), ALL);
    let id = document.suite().cases[0].absolute(document.suite().cases[0].case.id.as_ref().unwrap().span);
    // After the comma.
    assert_eq!(hints[0].offset, id.end + 1);
    hints[0].label.clone()
}

#[test]
fn the_id_has_the_verdict_of_the_case() {
    for (expected, headline_) in [
        (r#"{ "must_say_any": ["yes"] }"#, "PASS"),
        (r#"{ "must_say_any": ["no"], "must_not_say": ["no"] }"#, "FAIL 1 of 3 checks"),
        (r#"{ "ui": ["Nobody knows."] }"#, "PARTIAL"),
        (
            r#"{ "ui": ["Nobody knows."], "scoring": { "hard_fail": ["tool_hygiene"] } }"#,
            "FAIL hard fail: tool_hygiene",
        ),
        (
            r#"{ "ui": ["Nobody knows."], "scoring": { "soft_score": { "threshold": 0.9 } } }"#,
            "FAIL soft score 0.825 is below 0.9",
        ),
        (
            r#"{ "must_match_regex": ["^(?:y|e|s|ye|es)+(?=0)"] }"#,
            "ERROR cannot judge ^(?:y|e|s|ye|es)+(?=0) on line 1: th…",
        ),
    ] {
        assert_eq!(headline(expected, &answered(&("yes".repeat(200) + " 0"))), headline_);
    }
    let other_prompt = answered("yes").replace("\"prompt\": \"p\"", "\"prompt\": \"q\"");
    assert_eq!(headline(r#"{ "must_say_any": ["yes"] }"#, &other_prompt), "PASS · stale");
}

#[test]
fn hostile_text_is_made_visible_and_cut() {
    let (document, answers) =
        suite(r#"{ "must_not_match_regex": [".+"] }"#, &answered(&format!("\u{202e}\u{1b}[31m{}", "x".repeat(1000))));
    let hints = inlay_hints(&document, &answers, Span::new(0, document.text().len()), ALL);
    assert_eq!(hints[1].label, format!("✗ line 1: \"\u{fffd}␛[31m{}…\"", "x".repeat(41)));
}

#[test]
fn only_notes_within_the_range_are_returned() {
    let (document, answers) = suite(r#"{ "must_say_any": ["a"], "must_not_say": ["b"] }"#, &answered("a"));
    let text = document.text().as_str();
    let list = text.find("[\"a\"]").unwrap();
    let within = |start, end| inlay_hints(&document, &answers, Span::new(start, end), ALL).len();
    assert_eq!(within(0, text.len()), 3);
    assert_eq!(within(list, list + 6), 1);
    assert_eq!(within(list, list + 4), 0);
    let of_cases = HintsWanted { verdicts: VerdictHints::Cases, ..ALL };
    assert_eq!(inlay_hints(&document, &answers, Span::new(0, text.len()), of_cases).len(), 1);
    let none = HintsWanted { verdicts: VerdictHints::None, ..ALL };
    assert_eq!(inlay_hints(&document, &answers, Span::new(0, text.len()), none), []);
}

#[test]
fn pages_show_the_arithmetic_and_the_evidence() {
    let expected = r#"{ "must_say_any": ["yes"], "must_not_say": ["`no`"], "required_sources": ["github"], "scoring": { "hard_fail": ["formatting"], "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.6, "synthesis_coverage": 0.4, "uncertainty": 0.2, "nothing": 1 } } } }"#;
    let recorded = answered("Git hub\nyes `no` <b>")
        .replace("\"prompt\": \"p\"", "\"prompt\": \"q\", \"recorded_at\": \"1969-12-31T10:00:00Z\"");
    let (document, answers) = suite(expected, &recorded);
    let pages: Vec<_> = inlay_hints(&document, &answers, Span::new(0, document.text().len()), ALL)
        .into_iter()
        .filter(|hint| !matches!(hint.subject, HintSubject::Group { .. }))
        .map(|hint| hint_page(&document, &answers, hint.subject, NOW).unwrap().to_markdown())
        .collect();
    insta::assert_snapshot!(pages.join("\n\n=====\n\n"));
    assert_eq!(hint_page(&document, &answers, HintSubject::Case(1), NOW), None);
    assert_eq!(hint_page(&document, &answers, HintSubject::Check { case: 0, check: 9 }, NOW), None);
}

#[test]
fn a_dot_is_between_notes_at_the_same_place() {
    let (document, answers) = suite(r#"{ "must_say_any": ["p"] }"#, &answered("p"));
    let wanted = HintsWanted { challenges: true, ..ALL };
    let within = Span::new(0, document.text().as_str().len());
    let hints = inlay_hints(&document, &answers, within, wanted);
    let labels: Vec<_> = hints.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(
        labels,
        ["PASS", "· passes 4 challenges", "✓ your own prompt says so, line 1", "· passes on the prompt alone"]
    );
}

mod places {
    use super::super::*;

    /// Checks a text with the notes on `"x"`, which is in it once, and on `"y"` in `‹›`.
    #[track_caller]
    fn check(expected: &str) {
        let text: String = expected.split('›').map(|part| part.split('‹').next().unwrap_or_default()).collect();
        let mut shown = text.clone();
        let mut places: Vec<Place> = ["\"x\"", "\"y\""]
            .iter()
            .filter_map(|quoted| {
                let start = text.find(quoted)?;
                Some(place(&text, Span::new(start, start + quoted.len()), text.len()))
            })
            .collect();
        places.sort_by_key(|place| place.offset);
        for Place { offset, name } in places.iter().rev() {
            shown.insert_str(*offset, &format!("‹{}›", name.as_deref().unwrap_or_default()));
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_note_never_stands_before_another_entry() {
        check(r#"{ "a": "x"‹›, "b": 1 }"#);
        check(r#"{ "a": ["x"]‹›, "b": 1 }"#);
        check(r#"{ "a": ["x", "y"]‹"x"›‹"y"› }"#);
        check(r#"{ "a": ["x", {"b": ["]"]}, "y"]‹"x"›‹"y"› }"#);
        check("[\n  \"x\"‹›,\n  \"y\"‹›\n]");
        check("[\n  \"x\", 1,‹\"x\"›\n  2, \"y\"‹\"y\"›\n]");
        check("[\n  1,\n  \"x\"]‹›");
        check("[\"x\"‹›,");
    }

    #[test]
    fn an_object_is_named_by_what_identifies_it() {
        for (json, expected) in [
            (r#"{ "value": 12, "label": "slots" }"#, "\"slots\""),
            (r#"{ "value": 12 }"#, "\"12\""),
            (r#"{ "regex": "a`b" }"#, "\"ab\""),
            ("12", "\"12\""),
            (r#""a very long phrase of a suite""#, "\"a very long phrase of a…\""),
        ] {
            assert_eq!(name(json, Span::new(0, json.len())), expected);
        }
    }
}
