//! What lints claim, tried on answers: each message that states what can happen, with the engine that judges.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::super::*;
use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::lints::Workspace;
use crate::suite::Case;
use crate::text::{Span, Text};
use crate::transcript::{Event, Transcript};
use crate::verdict::{CaseResult, Status, judge};

const PHRASES: [&str; 10] = ["yes", "Yes, sir", "docs", "", " ", "12", "a.b", "it's", "é", "see /docs/intro"];
const PATTERNS: [&str; 14] = [
    "yes", "(yes|no)", "/docs/i", "x$y", "[0-9]+", ".*", "y?", "^$", "docs\\b", "a^b", "no|x$y", "(?!)", "\\d{2}",
    IT_IS,
];
const IT_IS: &str = "it['’]s";
const TOOLS: [&str; 2] = ["book", "pay"];
const OUTCOMES: [&str; 7] =
    ["tool_success", "tool_started", "graceful_block", "graceful_error", "needs_input", "response_only", "tool_call"];
const NUMBERS: [&str; 3] = ["12", "", "1.5"];
const SOURCES: [&str; 2] = ["docs", "github"];
/// Thirds and their roundings, where a lint and a verdict may differ.
const THRESHOLDS: [f64; 8] = [0.0, 0.333_333, 0.5, 0.666_666, 0.666_667, 0.67, 0.999_999, 1.0];
const WEIGHTS: [f64; 4] = [0.0, 0.3, 0.7, 1.0];
const GROUPS: [&str; 4] = ["tool_hygiene", "formatting", "numeric_grounding", "synthesis_coverage"];

fn some_of(list: &'static [&'static str]) -> impl Strategy<Value = Option<Value>> {
    proptest::option::of(proptest::collection::vec(proptest::sample::select(list), 0..3).prop_map(|list| json!(list)))
}

fn scoring() -> impl Strategy<Value = Option<Value>> {
    let weights = proptest::collection::hash_map(
        proptest::sample::select(&GROUPS[..]),
        proptest::sample::select(&WEIGHTS[..]),
        0..4,
    );
    let hard = proptest::collection::vec(proptest::sample::select(&GROUPS[..]), 0..2);
    let scoring = (proptest::sample::select(&THRESHOLDS[..]), weights, hard).prop_map(|(threshold, weights, hard)| {
        json!({ "hard_fail": hard, "soft_score": { "threshold": threshold, "weights": weights } })
    });
    proptest::option::of(scoring)
}

fn expected() -> impl Strategy<Value = Value> {
    let outcome = proptest::option::of(proptest::sample::select(&OUTCOMES[..]).prop_map(|outcome| json!(outcome)));
    let lists = (
        some_of(&PHRASES),
        some_of(&PHRASES),
        some_of(&PATTERNS),
        some_of(&PATTERNS),
        some_of(&TOOLS),
        some_of(&TOOLS),
        some_of(&NUMBERS),
        some_of(&SOURCES),
    );
    let levers = proptest::option::of(0..2_u8);
    (outcome, lists, levers, scoring()).prop_map(
        |(outcome, (any, not, regex, not_regex, tools, none, numbers, sources), levers, scoring)| {
            let members = [
                ("outcome", outcome),
                ("must_say_any", any),
                ("must_not_say", not),
                ("must_match_regex", regex),
                ("must_not_match_regex", not_regex),
                ("tool_calls_any", tools),
                ("tool_calls_none", none),
                ("must_ground_numbers", numbers.or_else(|| levers.map(|_| json!([{ "label": "l" }])))),
                ("required_levers", levers.map(|levers| json!(levers))),
                ("required_sources", sources),
                ("scoring", scoring),
            ];
            let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
            Value::Object(members.collect())
        },
    )
}

fn answers() -> impl Strategy<Value = Vec<Transcript>> {
    let word = prop_oneof![
        proptest::sample::select(&PHRASES[..]),
        proptest::sample::select(&["/docs/i", "no", "GitHub", "\n", "x", "y", "ab", "it’s", "1.5 and 7", "a\rb"][..]),
    ];
    let event = (proptest::sample::select(&TOOLS[..]), proptest::option::of(any::<bool>())).prop_map(|(tool, ends)| {
        let source = format!("tool.{tool}");
        let event = match ends {
            None => json!({ "source": source, "event": "start" }),
            Some(success) => json!({ "source": source, "event": "result", "data": { "success": success } }),
        };
        Event::from_value(event)
    });
    let answer = (proptest::collection::vec(word, 0..5), proptest::collection::vec(event, 0..4), any::<bool>());
    let answer = answer.prop_map(|(words, telemetry, apart)| Transcript {
        response: words.join(if apart { " " } else { "" }),
        telemetry,
        ..Transcript::default()
    });
    proptest::collection::vec(answer, 6..12)
}

/// The outcomes of the checks whose text is at `span`.
fn outcomes(verdict: &CaseResult, span: Span) -> impl Iterator<Item = CheckOutcome> {
    verdict.check_details.iter().filter(move |check| check.span == span).map(|check| check.outcome)
}

/// A verdict on an answer, as a claim is about it.
struct Seen {
    verdict: CaseResult,
    /// The outcomes of the check that the finding is about.
    own: Vec<CheckOutcome>,
}

const FAILED: CheckOutcome = CheckOutcome::Failed;
const PASSED: CheckOutcome = CheckOutcome::Passed;

/// Whether a verdict contradicts a claim.
type Contradicts = fn(&Seen) -> bool;

/// What a message states, and what contradicts it.
const CLAIMS: [(&str, Contradicts); 9] = [
    ("the check can only fail", |seen| seen.own.contains(&PASSED)),
    ("this check can only fail", |seen| seen.own.contains(&PASSED)),
    ("the check can only pass", |seen| seen.own.contains(&FAILED)),
    ("the check cannot fail", |seen| seen.own.contains(&FAILED)),
    ("the check cannot pass", |seen| seen.own.contains(&PASSED)),
    ("always fails if", |seen| seen.own.contains(&PASSED)),
    ("the case cannot pass", |seen| seen.verdict.status == Status::Pass),
    ("it always passes", |seen| seen.verdict.status != Status::Pass),
    ("failed checks only make the case `PARTIAL`", |seen| {
        seen.verdict.status == Status::Fail && seen.verdict.metrics.scoring.hard_fail_triggered.is_empty()
    }),
];

/// Tries the claims of a suite, and returns them.
fn check(suite: &Value, answers: &[Transcript]) -> Result<Vec<&'static str>, TestCaseError> {
    let document = Document::new(Text::new(&suite.to_string()), None);
    let case: &Case = &document.suite().cases[0].case;
    let start = document.suite().cases[0].span().start;
    let findings = document.findings(&Arc::new(Workspace::default()));
    let mut tried = Vec::new();
    for finding in &findings {
        let Some((claim, contradicts)) = CLAIMS.iter().find(|(claim, _)| finding.message.contains(claim)) else {
            continue;
        };
        let span = |span: Span| Span::new(span.start.saturating_sub(start), span.end.saturating_sub(start));
        for answer in answers {
            let verdict = judge(case, answer, &Config::default());
            let own: Vec<_> = outcomes(&verdict, span(finding.span)).collect();
            let seen = Seen { verdict, own };
            prop_assert!(
                !contradicts(&seen),
                "{claim}: {}\n{suite}\n{:?} {:?}",
                finding.message,
                answer.response,
                answer.telemetry
            );
        }
        tried.push(*claim);
    }
    Ok(tried)
}

#[test]
fn no_answer_contradicts_what_a_lint_claims() {
    let cases = ProptestConfig::default().cases.max(400);
    let mut runner = TestRunner::new(ProptestConfig { cases, ..ProptestConfig::default() });
    let result = runner.run(&(expected(), answers()), |(expected, answers)| {
        check(&suite(&expected), &answers)?;
        Ok(())
    });
    result.unwrap_or_else(|fault| panic!("{fault}"));
}

fn suite(expected: &Value) -> Value {
    json!({ "version": "0.3.0", "cases": [{ "id": "A", "prompt": "p", "expected": expected }] })
}

/// A claim that no lint makes any more would be tried on nothing.
#[test]
fn lints_make_the_claims_that_are_tried() {
    let of_claim = [
        ("the check can only fail", json!({ "must_match_regex": ["x$y"] })),
        ("this check can only fail", json!({ "must_ground_numbers": [{ "label": "l" }] })),
        ("the check can only pass", json!({ "must_not_match_regex": ["x$y"] })),
        ("the check cannot fail", json!({ "must_match_regex": [".*"] })),
        ("the check cannot pass", json!({ "must_not_match_regex": [".*"] })),
        ("always fails if", json!({ "outcome": "graceful_error" })),
        ("the case cannot pass", json!({ "must_say_any": ["a b"], "must_not_say": ["a"] })),
        ("it always passes", json!({ "outcome": "response_only" })),
        (
            "failed checks only make the case `PARTIAL`",
            json!({ "must_say_any": ["x"], "must_label_assumptions": true, "scoring": { "hard_fail": ["formatting"],
                "soft_score": { "threshold": 0.3, "weights": { "formatting": 0.7, "uncertainty": 0.3 } } } }),
        ),
    ];
    assert_eq!(of_claim.len(), CLAIMS.len());
    for (claim, expected) in of_claim {
        assert!(CLAIMS.iter().any(|(known, _)| *known == claim), "{claim}");
        let made = check(&suite(&expected), &[]).unwrap();
        assert!(made.contains(&claim), "{claim}: {made:?} of {expected}");
    }
}

#[test]
fn claims_that_were_false_are_not_made() {
    let answer = |response: &str| vec![Transcript { response: response.to_owned(), ..Transcript::default() }];
    // The verdict rounds two thirds up to this threshold.
    let thirds = json!({
        "must_say_any": ["x"], "must_not_say": ["y"], "must_match_regex": ["a"],
        "scoring": { "soft_score": { "threshold": 0.666_667, "weights": { "formatting": 1 } } }
    });
    check(&suite(&thirds), &answer("x")).unwrap();
    check(&suite(&json!({ "must_match_regex": ["/docs/i"] })), &answer("see /docs/intro")).unwrap();
}
