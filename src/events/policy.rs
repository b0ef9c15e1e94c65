use serde::{Deserialize, Serialize};

use crate::config::{Flaky, Stale};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Case;
    use crate::verdict::{AgainstBaseline, Standing};

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
