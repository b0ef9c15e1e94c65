//! What `check --fix` applies changes no verdict.

pub(super) mod fixture;

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::Workspace;
use crate::analysis::Document;
use crate::config::{Config, Reading, Scoring};
use crate::diagnostic::{Edit, safe_edits};
use crate::text::Text;
use crate::transcript::{Event, Transcript};
use crate::verdict::{Status, judge};

/// Texts that phrases, patterns and answers are made of.
const TEXTS: [&str; 26] = [
    "is booked",
    "booked",
    "Booked now",
    "is\u{200b} booked",
    "\u{200b}",
    "\u{feff}",
    "\u{ad}",
    "\u{200d}\u{fe0f}",
    "",
    " ",
    "\n",
    "**Total:** 12",
    "**Total",
    "Total: 12",
    "**",
    "`12`",
    "12",
    "it’s",
    "it's",
    "[a](b)",
    "a (b)",
    "| a | b |",
    "a: b",
    "caf\u{e9}",
    "cafe\u{301}",
    "caf",
];

const GROUPS: [&str; 4] = ["formatting", "tool_hygiene", "numeric_grounding", "no_such_group"];

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn list(of: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    vec(of, 0..5).prop_map(|entries| format!("[{}]", entries.join(", ")))
}

fn texts() -> impl Strategy<Value = String> {
    list(prop_oneof![20 => select(&TEXTS[..]).prop_map(json), 1 => Just("7".to_owned()), 1 => Just("null".to_owned())])
}

fn names(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    list(select(names).prop_map(json))
}

/// A member of `expected`, sometimes under a name or with a value that is a mistake.
fn member() -> impl Strategy<Value = String> {
    let phrases =
        ["must_say_any", "must_not_say", "assumption_markers_any", "must_allow_override_actions", "must_sya_any"];
    let named =
        |key: &'static str, value: BoxedStrategy<String>| value.prop_map(move |value| format!("\"{key}\": {value}"));
    let numbers = prop_oneof![
        select(&TEXTS[..]).prop_map(json),
        (select(&TEXTS[..]), texts())
            .prop_map(|(value, context)| format!("{{ \"value\": {}, \"context_any\": {context} }}", json(value))),
    ];
    let scoring = (names(&GROUPS), select(&["", ", \"soft_score\": { \"threshold\": 0.5 }"][..]))
        .prop_map(|(groups, score)| format!("{{ \"hard_fail\": {groups}{score} }}"));
    prop_oneof![
        4 => (select(phrases.to_vec()), texts()).prop_map(|(key, list)| format!("\"{key}\": {list}")),
        2 => named("must_say_any", texts().boxed()),
        1 => named("must_say_any", select(&TEXTS[..]).prop_map(json).boxed()),
        1 => named("must_label_assumptions", select(&["true", "false"][..]).prop_map(str::to_owned).boxed()),
        1 => named("must_match_regex", texts().boxed()),
        1 => named("must_ground_numbers", list(numbers).boxed()),
        1 => named("required_sources", names(&["github", "shelf", ""]).boxed()),
        1 => named("source_patterns", texts().prop_map(|list| format!("{{ \"shelf\": {list} }}")).boxed()),
        1 => named("tool_calls_any", names(&["book", "find", ""]).boxed()),
        1 => named("tool_calls_none", names(&["book", "find", ""]).boxed()),
        1 => named("telemetry", names(&["tool.book start", "success", ""]).boxed()),
        1 => named("outcome", select(&["\"tool_started\"", "\"graceful_block\"", "\"\""][..]).prop_map(str::to_owned).boxed()),
        1 => named("scoring", scoring.boxed()),
    ]
}

/// The text of a suite, sometimes with a mistake of syntax.
fn suite() -> impl Strategy<Value = String> {
    let mistakes = [
        ("], ", "] "),
        ("]", "],"),
        ("\"must", "'must"),
        (": [", " ["),
        ("{ ", "{ // note\n"),
        (" }", ""),
        ("[\"", "[“"),
        (", ", ",, "),
        ("]", ""),
        ("\": ", "\" = "),
    ];
    let mistake = proptest::option::weighted(0.3, (select(mistakes.to_vec()), any::<prop::sample::Index>()));
    (vec(vec(member(), 1..6), 1..3), mistake).prop_map(|(cases, mistake)| {
        let case = |(number, members): (usize, &Vec<String>)| {
            format!(r#"{{ "id": "C{number}", "prompt": "Book it.", "expected": {{ {} }} }}"#, members.join(", "))
        };
        let cases: Vec<String> = cases.iter().enumerate().map(case).collect();
        let text = format!(r#"{{ "cases": [ {} ] }}"#, cases.join(",\n"));
        let Some(((from, to), at)) = mistake else { return text };
        let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
        match places.len() {
            0 => text,
            many => {
                let at = places[at.index(many)];
                format!("{}{to}{}", &text[..at], &text[at + from.len()..])
            }
        }
    })
}

fn answer() -> impl Strategy<Value = Transcript> {
    let part = (select(&TEXTS[..]), select(&["", " ", "\n", "\r\n", ", ", "."][..]));
    let response = vec(part, 0..6).prop_map(|parts| parts.iter().map(|(text, end)| format!("{text}{end}")).collect());
    let event = (select(&["book", "find"][..]), select(&["start", "result"][..]), any::<bool>()).prop_map(
        |(tool, event, success)| {
            let source = format!("tool.{tool}");
            Event::from_value(serde_json::json!({ "source": source, "event": event, "data": { "success": success } }))
        },
    );
    (response, vec(event, 0..3)).prop_map(|(response, telemetry)| Transcript {
        response,
        telemetry,
        ..Transcript::default()
    })
}

/// The status of each case by its id, and its score.
fn verdicts(document: &Document, answers: &[Transcript], config: &Config) -> Vec<(String, Vec<(Status, f64)>)> {
    let verdict = |case, answer| {
        let verdict = judge(case, answer, config);
        (verdict.status, verdict.metrics.scoring.soft_score.value.unwrap_or_default())
    };
    let cases = document.suite().cases.iter().map(|placed| &placed.case);
    let id = |case: &crate::suite::Case| case.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
    cases.map(|case| (id(case), answers.iter().map(|answer| verdict(case, answer)).collect())).collect()
}

/// What `check --fix` makes of a text.
fn fixed(text: &str, workspace: &Arc<Workspace>) -> Document {
    let mut document = Document::new(Text::new(text), None);
    for _ in 0..64 {
        let findings = document.findings(workspace);
        let edits = safe_edits(&findings);
        if edits.is_empty() {
            break;
        }
        let text = Edit::apply_all(document.text().as_str(), edits.iter().copied());
        document.set_text(Text::from(text));
    }
    document
}

fn setup(reading: Reading) -> (Arc<Workspace>, Config) {
    let scoring = Scoring { reading, ..Scoring::default() };
    (Arc::new(Workspace { reading, ..Workspace::default() }), Config { scoring, ..Config::default() })
}

#[test]
fn a_phrase_that_passes_is_kept() {
    for (reading, phrases, response) in [
        (Reading::Written, r#"["is booked", "\u200b"]"#, "It is booked."),
        (Reading::Written, r#"["is booked", "\ufeff", "\u00ad", "\u200d\ufe0f"]"#, "It is booked."),
        (Reading::Plain, r#"["**Total:** 12", "**Total"]"#, "Total: 12"),
    ] {
        let (workspace, config) = setup(reading);
        let text = format!(
            r#"{{ "cases": [ {{ "id": "A", "prompt": "p", "expected": {{ "must_say_any": {phrases} }} }} ] }}"#
        );
        let answers = [Transcript { response: response.to_owned(), ..Transcript::default() }];
        let after = verdicts(&fixed(&text, &workspace), &answers, &config);
        assert_eq!(after[0].1[0].0, Status::Pass, "{phrases}: {}", fixed(&text, &workspace).text().as_str());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_safe_fix_changes_no_verdict(text in suite(), answers in vec(answer(), 6)) {
        for reading in [Reading::Written, Reading::Plain] {
            let (workspace, config) = setup(reading);
            let before = Document::new(Text::new(&text), None);
            let after = fixed(&text, &workspace);
            let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            let (was, is) = (verdicts(&before, &answers, &config), verdicts(&after, &answers, &config));
            for (id, was) in &was {
                let Some((_, is)) = is.iter().find(|(other, _)| other == id) else { continue };
                // What is broken is read as it is meant, or not at all, and no run judges it.
                let is_kept = |((was, _), (is, _)): (&(Status, f64), &(Status, f64))| *was != Status::Pass || was == is;
                let is_same = if is_json { was == is } else { was.iter().zip(is).all(is_kept) };
                prop_assert!(is_same, "{reading:?}\n{text}\n{}\n{was:?}\n{is:?}", after.text().as_str());
            }
        }
    }
}
