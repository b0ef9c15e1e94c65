//! Baselines: made of runs, and the test of all cases against one.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::runs::{BASELINE_FORMAT, Baseline, BaselineAttempt, BaselineCase, BaselineRun, CaseHashes};
use crate::statistics::{Counts, LEVEL, Pair, exact_test};
use crate::verdict::{CaseResult, Excerpt, Status};

use super::side::{Attempt, Observed};
use super::{CaseChange, Side, case};

/// A suite's baseline of the runs of a side. Cases without a verdict, and stale ones, are left out.
pub(crate) fn baseline(side: &Side, suite: &str, target: &str, runs: Vec<BaselineRun>) -> Baseline {
    let cases = side.cases.iter().filter(|case| case.suite == suite);
    let cases = cases.filter_map(|case| {
        let judged = case.judged().filter(|attempt| !attempt.stale);
        let mut attempts: Vec<BaselineAttempt> = judged
            .map(|attempt| BaselineAttempt {
                status: attempt.status,
                failed: attempt
                    .checks
                    .iter()
                    .filter(|(_, passed)| **passed == Some(false))
                    .map(|(id, _)| id.clone())
                    .collect(),
            })
            .collect();
        // The order of the attempts means nothing.
        attempts.sort_by(|one, other| (one.status, &one.failed).cmp(&(other.status, &other.failed)));
        let hashes: CaseHashes = case.hashes.clone()?;
        (!attempts.is_empty()).then(|| BaselineCase { id: case.id.clone(), hashes, attempts })
    });
    let name = suite.rsplit('/').next().unwrap_or(suite).to_owned();
    let (format, target) = (BASELINE_FORMAT.to_owned(), target.to_owned());
    Baseline { format, suite: name, target, runs, cases: cases.collect() }
}

/// How all cases of a run did against a baseline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drift {
    /// The attempts of the baseline.
    pub(crate) before: Counts,
    /// The attempts of the run, without reruns.
    pub(crate) after: Counts,
    /// The probability of so few passes if nothing changed.
    pub(crate) p: f64,
}

impl Drift {
    /// The test on the results that the baseline has too.
    pub(crate) fn of<'a>(results: impl IntoIterator<Item = &'a CaseResult>, is_strict: bool) -> Drift {
        let passes = |status: Status| status == Status::Pass || (status == Status::Partial && !is_strict);
        let mut pairs = Vec::new();
        for result in results {
            let Some(baseline) = &result.baseline else { continue };
            let statuses: Vec<Status> = match &result.repeats {
                None => vec![result.status],
                Some(repeats) => repeats.attempts.iter().map(|attempt| attempt.status).collect(),
            };
            let judged: Vec<Status> = statuses.into_iter().filter(|status| *status != Status::Error).collect();
            let after =
                Counts { passed: judged.iter().filter(|status| passes(**status)).count(), attempts: judged.len() };
            pairs.push(Pair { before: Counts { passed: baseline.passed, attempts: baseline.attempts }, after });
        }
        let sum = |count: fn(&Pair) -> Counts| {
            pairs.iter().map(count).fold(Counts::default(), |sum, one| Counts {
                passed: sum.passed + one.passed,
                attempts: sum.attempts + one.attempts,
            })
        };
        Drift { before: sum(|pair| pair.before), after: sum(|pair| pair.after), p: exact_test(&pairs).worse }
    }

    /// Whether the cases as a whole pass less often than chance explains.
    pub(crate) fn is_worse(&self) -> bool {
        self.p < LEVEL
    }
}

/// The ids of the cases of a baseline that a suite does not have any more.
pub(crate) fn vanished<'a>(baseline: &'a Baseline, ids: &HashSet<&str>) -> Vec<&'a str> {
    baseline.cases.iter().map(|case| case.id.as_str()).filter(|id| !ids.contains(id)).collect()
}

/// A verdict on one answer, to be compared with a baseline.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The hashes of what decides the verdict.
    pub(crate) hashes: CaseHashes,
    /// Its status.
    pub(crate) status: Status,
    /// Whether the answer was given to other prompts than the case has.
    pub(crate) stale: bool,
    /// Whether each check passed, by id; `None` for a check that is not defined.
    pub(crate) checks: BTreeMap<String, Option<bool>>,
}

/// How a verdict differs from the baseline of its case. A case that was edited is never called a regression.
pub(crate) fn since_baseline(then: &BaselineCase, now: Measured) -> CaseChange {
    let attempt = |status, stale, checks| Attempt {
        status,
        stale,
        score: None,
        checks,
        reason: None,
        excerpt: Excerpt::default(),
        answer: None,
    };
    let before = then.attempts.iter().map(|then| {
        // A baseline lists only checks that failed. A check that is not defined now was not defined then, else the hashes differ.
        let passed = now.checks.iter().map(|(id, now)| (id.clone(), now.map(|_| true)));
        let failed = then.failed.iter().map(|id| (id.clone(), Some(false)));
        attempt(then.status, false, passed.chain(failed).collect())
    });
    let observed = |hashes: &CaseHashes, attempts: Vec<Attempt>| Observed {
        suite: String::new(),
        id: then.id.clone(),
        category: String::new(),
        prompt: String::new(),
        outcome: String::new(),
        hashes: Some(hashes.clone()),
        attempts,
    };
    let before = observed(&then.hashes, before.collect());
    let after = observed(&now.hashes, vec![attempt(now.status, now.stale, now.checks)]);
    case::compared(&before, &after, &BTreeSet::new())
}
