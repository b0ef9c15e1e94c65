//! A row for every rule of `docs/scoring.md` about single checks: the expectation, the answer and the result.

mod hints_and_sources;
mod messages;
mod morning_brief;
mod nearest;
mod numbers;
mod patterns;
mod phrases;
mod prompts;
mod reading;
mod telemetry;
mod tools;

use serde_json::{Value, json};

use super::*;
use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Case, Suite};
use crate::syntax::parse;
use crate::transcript::{Event, Transcript};

fn case(expected: &str) -> Case {
    let source = format!(r#"{{ "cases": [ {{ "id": "W1", "expected": {expected} }} ] }}"#);
    let parsed = parse(&source);
    assert!(parsed.errors.is_empty(), "{:?} in {source}", parsed.errors);
    let suite = Suite::lower(parsed.tree.root(&source).unwrap());
    Case::clone(&suite.cases[0].case)
}

fn transcript(response: &str, telemetry: Value) -> Transcript {
    let events = telemetry.as_array().unwrap().iter().cloned().map(Event::from_value).collect();
    Transcript { response: response.to_owned(), telemetry: events, ..Transcript::default() }
}

/// A decision with the id of its expectation.
#[derive(Debug)]
struct CheckResult {
    id: String,
    decision: Decision,
}

impl std::ops::Deref for CheckResult {
    type Target = Decision;

    fn deref(&self) -> &Decision {
        &self.decision
    }
}

fn results(expected: &str, transcript: &Transcript, config: &Config) -> Vec<CheckResult> {
    let case = case(expected);
    let judged = Judged::new(transcript, &case, config);
    let budget = Budget::default();
    let result =
        |asked: Expectation<'_>| CheckResult { decision: check(&asked, &judged, config, &budget), id: asked.id };
    expectations(&case).into_iter().map(result).collect()
}

/// Asserts the result of each check: its id after `+` (passed), `-` (failed), `?` (unknown) or `!` (not judged). The check
/// of the outcome is left out if it is `response_only`.
#[track_caller]
fn outcomes_with(config: &Config, expected: &str, transcript: &Transcript, outcomes: &[&str]) {
    let results = results(expected, transcript, config);
    let found = results.iter().filter(|result| result.id != "outcome:response_only").map(|result| {
        let sign = match result.outcome {
            CheckOutcome::Passed => '+',
            CheckOutcome::Failed => '-',
            CheckOutcome::Unknown => '?',
            CheckOutcome::NotJudged => '!',
        };
        format!("{sign}{}", result.id)
    });
    assert_eq!(found.collect::<Vec<_>>(), outcomes, "{expected}\n{transcript:?}\n{results:?}");
}

/// Asserts the result of each check of a response.
#[track_caller]
fn says(expected: &str, response: &str, outcomes: &[&str]) {
    outcomes_with(&Config::default(), expected, &transcript(response, json!([])), outcomes);
}

/// Asserts the result of each check of telemetry.
#[track_caller]
fn logs(expected: &str, telemetry: Value, outcomes: &[&str]) {
    outcomes_with(&Config::default(), expected, &transcript("", telemetry), outcomes);
}

#[test]
fn every_case_has_an_outcome() {
    let transcript = transcript("", json!([]));
    let found = results("{}", &transcript, &Config::default());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].id.as_str(), found[0].outcome), ("outcome:response_only", CheckOutcome::Passed));
}
