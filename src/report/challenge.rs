//! What `challenge` reports: one file a format. Formats of findings are those of `check`.

use serde_json::{Value, json as value};

use crate::challenge::{Attempt, CaseChallenges, Change, CheckChallenges, Remedy};
use crate::config::{CHALLENGES, ChallengeConfig};
use crate::diagnostic::{Edit, Finding};
use crate::suite::PlacedCase;
use crate::text::Text;

/// The challenges of one suite.
#[derive(Debug)]
pub(crate) struct ChallengedSuite {
    /// The suite's file, as reports name it.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: Text,
    /// The levels and exceptions that apply to it.
    pub(crate) config: ChallengeConfig,
    /// The cases that were challenged.
    pub(crate) cases: Vec<ChallengedCase>,
}

/// The challenges of one case.
#[derive(Debug)]
pub(crate) struct ChallengedCase {
    /// The case.
    pub(crate) placed: PlacedCase,
    /// The verdicts of its challenges.
    pub(crate) judged: CaseChallenges,
    /// The findings about its samples.
    pub(crate) samples: Vec<Finding>,
}

impl ChallengedCase {
    /// The case's id; empty if it has none.
    pub(crate) fn id(&self) -> &str {
        self.placed.case.id.as_ref().map_or("", |id| &id.value)
    }

    /// The names of the challenges that the case passes although it ought to fail them, without the exceptions and those
    /// that are turned off.
    pub(crate) fn passed(&self, config: &ChallengeConfig) -> Vec<String> {
        self.judged.breaches(self.id(), config).map(|attempt| attempt.challenge.to_string()).collect()
    }
}

/// The suites as one JSON array: for each case the challenges that it passes and ought to fail, for each check the
/// challenges that it notices.
pub(crate) fn json(suites: &[ChallengedSuite]) -> Value {
    suites.iter().map(of_suite).collect()
}

fn of_suite(suite: &ChallengedSuite) -> Value {
    let cases: Vec<Value> = suite.cases.iter().map(|case| of_case(case, suite)).collect();
    value!({ "suite": suite.name, "summary": summary(suite), "cases": cases })
}

/// Each challenge over all cases of the suite for which it could be made.
fn summary(suite: &ChallengedSuite) -> Value {
    let attempts = || suite.cases.iter().flat_map(|case| case.judged.attempts.iter().map(move |made| (case, made)));
    let mut names: Vec<&str> = CHALLENGES.iter().map(|(name, _)| *name).collect();
    for (_, attempt) in attempts() {
        if !names.contains(&attempt.challenge.kind()) {
            names.push(attempt.challenge.kind());
        }
    }
    let rows = names.into_iter().filter_map(|name| {
        let of_name: Vec<(&ChallengedCase, &Attempt)> =
            attempts().filter(|(_, attempt)| attempt.challenge.kind() == name).collect();
        let count = of_name.len();
        (count > 0).then(|| {
            let passed = of_name.iter().filter(|(_, attempt)| attempt.is_breach()).count();
            let soft_scores: f64 = of_name.iter().map(|(_, attempt)| attempt.soft_score).sum();
            value!({
                "challenge": name,
                "answers": count,
                "passed": passed,
                "checks": of_name.iter().map(|(case, _)| case.judged.checks.len()).sum::<usize>(),
                "passed_checks": of_name.iter().map(|(_, attempt)| attempt.passed_checks).sum::<usize>(),
                "avg_soft_score": (soft_scores / count as f64 * 1e6).round() / 1e6,
            })
        })
    });
    rows.collect()
}

fn of_case(case: &ChallengedCase, suite: &ChallengedSuite) -> Value {
    let attempts = case.judged.attempts.iter().map(|attempt| {
        value!({
            "challenge": attempt.challenge.to_string(),
            "status": attempt.status,
            "soft_score": attempt.soft_score,
            "ought_to_fail": attempt.reason.is_some(),
            "reason": attempt.reason,
            "exception": suite.config.exception(case.id(), attempt.challenge.kind()).map(|given| &given.reason),
        })
    });
    value!({
        "id": case.id(),
        "passed": case.passed(&suite.config),
        "checks": case.judged.checks.iter().map(|check| of_check(check, case, &suite.text)).collect::<Vec<Value>>(),
        "challenges": attempts.collect::<Vec<Value>>(),
        "rewrites": case.judged.rewrites.iter().map(|(rewrite, left_out)| value!({ "rewrite": rewrite.name(), "left_out": left_out }))
            .collect::<Vec<Value>>(),
    })
}

fn of_check(check: &CheckChallenges, case: &ChallengedCase, text: &Text) -> Value {
    let mut object = value!({
        "id": check.id,
        "idle": check.is_idle(),
        "always_fails": check.always_fails,
        "met_by_prompt": check.met_by_prompt,
        "noticed": check.noticed.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "rewrites": check.rewrites.iter().map(|rewrite| rewrite.name()).collect::<Vec<&str>>(),
        "brittle": check.brittle.iter().map(|rewrite| rewrite.name()).collect::<Vec<&str>>(),
    });
    if !check.remedies.is_empty() {
        object["fixes"] = check.remedies.iter().map(|remedy| of_remedy(remedy, case, text)).collect();
    }
    object
}

/// A change as `check` writes it: its edits in lines and columns from 1. One of the configuration has a setting instead.
fn of_remedy(remedy: &Remedy, case: &ChallengedCase, text: &Text) -> Value {
    match &remedy.change {
        Change::Scoring { key, value } => {
            let value: Value = serde_json::from_str(value).expect("the value is JSON");
            value!({ "title": remedy.title, "setting": { "scoring": { *key: value } } })
        }
        Change::Case(edits) => {
            let range = |edit: &Edit| text.line_range(case.placed.absolute(edit.span));
            let edits = edits.iter().map(|edit| value!({ "range": range(edit), "newText": edit.text }));
            value!({ "title": remedy.title, "edits": edits.collect::<Vec<Value>>() })
        }
    }
}
