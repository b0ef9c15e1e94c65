//! Baselines: made of runs, and the test of all cases against one.

use std::collections::HashSet;

use crate::runs::{BASELINE_FORMAT, Baseline, BaselineAttempt, BaselineCase, BaselineRun, CaseHashes};
use crate::statistics::{Counts, LEVEL, Pair, exact_test};
use crate::verdict::{CaseResult, Status};

use super::Side;

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
