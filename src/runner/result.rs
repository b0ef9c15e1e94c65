use std::path::{Path, PathBuf};

use crate::targets::Origin;
use crate::verdict::CaseResult;

use super::JournalError;
use super::journal::Journal;

/// The result of a run. Reports are made from it. Call [`reports_written`](Self::reports_written) after writing them.
#[derive(Debug)]
#[must_use = "write the reports, then remove the journals"]
pub(crate) struct RunResult {
    /// The target's name.
    pub(crate) target: String,
    /// The source of the answers.
    pub(crate) origin: Origin,
    /// Its start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// Its duration in milliseconds.
    pub(crate) duration_ms: u64,
    /// Whether it was cancelled.
    pub(crate) cancelled: bool,
    /// The suites, in the order in which they were given.
    pub(crate) suites: Vec<SuiteResult>,
}

/// The result of one suite.
#[derive(Debug)]
pub(crate) struct SuiteResult {
    /// The suite's path, as it was given.
    pub(crate) path: PathBuf,
    /// The folder of its results; `None` if the run writes nothing.
    pub(crate) results: Option<PathBuf>,
    /// The result of each case that was started, in the suite's order.
    pub(crate) cases: Vec<CaseResult>,
    /// The number of its cases that were not started.
    pub(crate) not_run: usize,
    pub(super) journal: Option<Journal>,
}

impl RunResult {
    /// All results, suite by suite.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| &suite.cases)
    }

    /// The number of cases that were not started.
    pub(crate) fn not_run(&self) -> usize {
        self.suites.iter().map(|suite| suite.not_run).sum()
    }

    /// Removes the journals, because the reports have the results now. Without this call the next run of the suite
    /// reports the journals as interrupted runs.
    ///
    /// # Errors
    /// If a journal cannot be removed.
    pub(crate) fn reports_written(self) -> Result<(), JournalError> {
        self.suites.into_iter().filter_map(|suite| suite.journal).try_for_each(Journal::remove)
    }
}

impl SuiteResult {
    /// The file that has the results until the reports are written.
    pub(crate) fn journal(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }
}
