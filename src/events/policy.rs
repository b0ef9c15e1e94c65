use serde::{Deserialize, Serialize};

use crate::config::{Flaky, Stale};
use crate::statistics::{Interval, wilson};
use crate::verdict::{CaseResult, Status};

/// Which results make a run fail. The exit status and all reports follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Policy {
    /// Whether `PARTIAL` and stale transcripts count as failed.
    pub(crate) strict: bool,
    /// What a stale transcript means.
    pub(crate) stale: Stale,
    /// What a flaky case means.
    pub(crate) flaky: Flaky,
}

/// What a result means for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// It does not make the run fail.
    Passed,
    /// The case could not be judged.
    NotJudged,
    /// It counts as failed.
    Failed,
}

impl Policy {
    /// What a result means.
    pub(crate) fn grade(self, case: &CaseResult) -> Grade {
        match case.status {
            Status::Error => Grade::NotJudged,
            Status::Fail | Status::Partial if self.excuses(case) => Grade::Passed,
            _ if case.baseline.as_ref().is_some_and(|baseline| baseline.standing.excuses()) => Grade::Passed,
            Status::Fail => Grade::Failed,
            Status::Partial if self.strict => Grade::Failed,
            Status::Pass | Status::Partial if case.stale && self.stale_fails() => Grade::Failed,
            Status::Pass | Status::Partial => Grade::Passed,
        }
    }

    /// Whether a case may fail because it is flaky.
    fn excuses(self, case: &CaseResult) -> bool {
        self.flaky == Flaky::Pass && case.repeats.as_ref().is_some_and(|repeats| repeats.flaky)
    }

    /// Whether a stale transcript counts as failed.
    pub(crate) fn stale_fails(self) -> bool {
        self.strict || self.stale == Stale::Fail
    }

    /// The numbers of the cases that count as failed, and of those that could not be judged.
    pub(crate) fn count<'a>(self, cases: impl IntoIterator<Item = &'a CaseResult>) -> (usize, usize) {
        cases.into_iter().fold((0, 0), |(failed, errors), case| match self.grade(case) {
            Grade::Passed => (failed, errors),
            Grade::Failed => (failed + 1, errors),
            Grade::NotJudged => (failed, errors + 1),
        })
    }
}

/// The cases of a run that ran several times. `docs/noise.md#repeats` defines the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RepeatSummary {
    /// The number of cases that ran several times.
    pub(crate) cases: usize,
    /// Those of which some attempts pass and others do not.
    pub(crate) flaky: usize,
    /// pass@1: the share of the judged attempts that passed.
    #[serde(default, rename = "pass@1", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_1: Option<Estimate>,
    /// The number of attempts at each case; `None` if it differs from case to case.
    #[serde(default)]
    pub(crate) k: Option<usize>,
    /// pass@k: the share of the cases of which at least one attempt passed.
    #[serde(default, rename = "pass@k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_k: Option<Estimate>,
    /// pass^k: the share of the cases of which all attempts passed.
    #[serde(default, rename = "pass^k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_hat_k: Option<Estimate>,
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    /// The share.
    pub(crate) value: f64,
    /// The lower bound.
    pub(crate) low: f64,
    /// The upper bound.
    pub(crate) high: f64,
}

impl RepeatSummary {
    /// The summary of these cases; `None` if none ran several times.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Option<RepeatSummary> {
        let repeated: Vec<_> = cases.into_iter().filter_map(|case| case.repeats.as_ref()).collect();
        if repeated.is_empty() {
            return None;
        }
        let counts: Vec<(usize, usize)> = repeated.iter().map(|repeats| repeats.passed()).collect();
        let sum = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        // A case that ended early, or without some verdicts, has fewer attempts than the others by what they gave.
        let is_whole = repeated.iter().all(|repeats| {
            let has_verdict = repeats.attempts.iter().all(|attempt| attempt.status != Status::Error);
            has_verdict && repeats.attempts.len() == repeats.planned && repeats.planned == repeated[0].planned
        });
        let of_cases = |is_met: fn(&(usize, usize)) -> bool| {
            let met = counts.iter().filter(|count| is_met(count)).count();
            is_whole.then(|| estimate(met, counts.len())).flatten()
        };
        Some(RepeatSummary {
            cases: repeated.len(),
            flaky: repeated.iter().filter(|repeats| repeats.flaky).count(),
            pass_at_1: estimate(sum.0, sum.1),
            k: is_whole.then_some(repeated[0].planned),
            pass_at_k: of_cases(|(passed, _)| *passed > 0),
            pass_hat_k: of_cases(|(passed, judged)| passed == judged),
        })
    }
}

fn estimate(passed: usize, trials: usize) -> Option<Estimate> {
    let Interval { low, high } = wilson(passed, trials)?;
    let [value, low, high] = [passed as f64 / trials as f64, low, high].map(|share| (share * 1e6).round() / 1e6);
    Some(Estimate { value, low, high })
}

#[cfg(test)]
mod tests {
    use crate::suite::Case;
    use crate::verdict::{AgainstBaseline, Standing};

    use super::*;

    #[test]
    fn strict_and_stale_decide_what_fails() {
        let lenient = Policy::default();
        let strict = Policy { strict: true, ..lenient };
        let (fail, ignore) = (Policy { stale: Stale::Fail, ..lenient }, Policy { stale: Stale::Ignore, ..lenient });
        for (status, stale, policy, grade) in [
            (Status::Pass, false, strict, Grade::Passed),
            (Status::Pass, true, lenient, Grade::Passed),
            (Status::Pass, true, ignore, Grade::Passed),
            (Status::Pass, true, fail, Grade::Failed),
            (Status::Pass, true, strict, Grade::Failed),
            (Status::Pass, true, Policy { strict: true, ..ignore }, Grade::Failed),
            (Status::Partial, false, lenient, Grade::Passed),
            (Status::Partial, false, strict, Grade::Failed),
            (Status::Partial, true, fail, Grade::Failed),
            (Status::Fail, true, ignore, Grade::Failed),
            (Status::Error, true, strict, Grade::NotJudged),
        ] {
            let case = CaseResult { status, stale, ..CaseResult::not_run(&Case::default(), "") };
            assert_eq!(policy.grade(&case), grade, "{status} {stale} {policy:?}");
        }
    }

    #[test]
    fn a_baseline_excuses_known_failures() {
        for (standing, grade) in [
            (Standing::Passes, Grade::Failed),
            (Standing::KnownFailure, Grade::Passed),
            (Standing::Regressed, Grade::Failed),
        ] {
            let baseline = Some(AgainstBaseline { passed: 1, attempts: 1, standing });
            let case = CaseResult { status: Status::Fail, baseline, ..CaseResult::not_run(&Case::default(), "") };
            assert_eq!(Policy::default().grade(&case), grade, "{standing:?}");
        }
    }
}
