use crate::verdict::Status;

use super::JudgedCase;

/// How many cases of a suite have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VerdictCounts {
    /// `PASS`
    pub(crate) pass: usize,
    /// `PARTIAL`
    pub(crate) partial: usize,
    /// `FAIL`
    pub(crate) fail: usize,
    /// `ERROR`
    pub(crate) error: usize,
    /// There is no answer.
    pub(crate) not_run: usize,
    /// Verdicts of these that are about an earlier text of their cases.
    pub(crate) stale: usize,
}

impl VerdictCounts {
    /// Counts a case.
    pub(crate) fn add(&mut self, verdict: Option<&JudgedCase>) {
        *match verdict.map(JudgedCase::status) {
            Some(Status::Pass) => &mut self.pass,
            Some(Status::Partial) => &mut self.partial,
            Some(Status::Fail) => &mut self.fail,
            Some(Status::Error) => &mut self.error,
            None => &mut self.not_run,
        } += 1;
        self.stale += usize::from(verdict.is_some_and(JudgedCase::is_stale));
    }

    /// The counts that are not 0, in the words of a run: `3 passed`, `1 failed`, `1 partial`, `2 errors`, `1 not run`.
    pub(crate) fn words(self) -> Vec<String> {
        let counts = [
            (self.pass, "passed"),
            (self.fail, "failed"),
            (self.partial, "partial"),
            (self.error, if self.error == 1 { "error" } else { "errors" }),
            (self.not_run, "not run"),
        ];
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect()
    }

    /// All cases.
    pub(crate) fn total(self) -> usize {
        self.pass + self.partial + self.fail + self.error + self.not_run
    }
}
