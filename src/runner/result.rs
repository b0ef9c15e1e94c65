use std::path::{Path, PathBuf};

use crate::targets::Origin;
use crate::verdict::CaseResult;

use super::JournalError;
use super::journal::Journal;

/// What came of a run. Reports are made of it; once they are written, [`reports_written`](Self::reports_written) says so.
#[derive(Debug)]
#[must_use = "its results are to be reported, and its journals removed when they are"]
pub struct RunResult {
    /// The target's name.
    pub target: String,
    /// Where the answers came from.
    pub origin: Origin,
    /// When it started: a date and time of RFC 3339, in UTC.
    pub started_at: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// The suites, in the order in which they were given.
    pub suites: Vec<SuiteResult>,
}

/// What came of one suite.
#[derive(Debug)]
pub struct SuiteResult {
    /// The suite's path, as it was given.
    pub path: PathBuf,
    /// The folder of its results; `None` where nothing is to be written.
    pub results: Option<PathBuf>,
    /// The result of each case that was begun, in the suite's order.
    pub cases: Vec<CaseResult>,
    /// How many of its cases were never begun.
    pub not_run: usize,
    pub(super) journal: Option<Journal>,
}

impl RunResult {
    /// All results, suite by suite.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| &suite.cases)
    }

    /// How many cases were never begun.
    pub fn not_run(&self) -> usize {
        self.suites.iter().map(|suite| suite.not_run).sum()
    }

    /// Lets the journals go, because the results are kept elsewhere now. Without this call they stay, and the next run
    /// of the suite says where they are.
    ///
    /// # Errors
    /// Where a journal cannot be removed.
    pub fn reports_written(self) -> Result<(), JournalError> {
        self.suites.into_iter().filter_map(|suite| suite.journal).try_for_each(Journal::remove)
    }
}

impl SuiteResult {
    /// The file that has the results as long as no report has them.
    pub fn journal(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }
}
