use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::events::{CaseRef, Policy, RunSummary};
use crate::runs::{OpenRun, RunError, WrittenRun};
use crate::targets::Origin;
use crate::verdict::CaseResult;

/// The result of a run. Reports are made from it. Call [`finish`](Self::finish) after writing the result files.
#[derive(Debug)]
#[must_use = "write the result files, then finish the run"]
pub(crate) struct RunResult {
    /// The target's name.
    pub(crate) target: String,
    /// Whether it was asked, not replayed from transcripts.
    pub(crate) live: bool,
    /// The program that was asked, with its arguments, or the address of the app.
    pub(crate) program: Option<String>,
    /// The source of the answers.
    pub(crate) origin: Origin,
    /// Its start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// Its duration in milliseconds.
    pub(crate) duration_ms: u64,
    /// Whether it was cancelled.
    pub(crate) cancelled: bool,
    /// Which results make it fail.
    pub(crate) policy: Policy,
    /// The suites, in the order in which they were given.
    pub(crate) suites: Vec<SuiteResult>,
    /// The folder of the result files; `None` if there are none.
    pub(crate) results: Option<PathBuf>,
    /// The cases that were not started.
    pub(crate) skipped: Vec<CaseRef>,
    pub(super) kept: Option<OpenRun>,
    /// Whether the target was given secrets, which may be in its answers in a form that is not found.
    pub(crate) has_secrets: bool,
}

/// The result of one suite.
#[derive(Debug)]
pub(crate) struct SuiteResult {
    /// The suite's path, as it was given.
    pub(crate) path: PathBuf,
    /// The result of each case that was started, in the suite's order.
    pub(crate) cases: Vec<Arc<CaseResult>>,
    /// The number of its cases that were not started.
    pub(crate) not_run: usize,
}

impl RunResult {
    /// All results, suite by suite.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &CaseResult> + Clone {
        self.suites.iter().flat_map(|suite| &suite.cases).map(|case| &**case)
    }

    /// The number of cases that were not started.
    pub(crate) fn not_run(&self) -> usize {
        self.suites.iter().map(|suite| suite.not_run).sum()
    }

    /// The folder in which the run is kept, if it is kept.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.kept.as_ref().map(OpenRun::folder)
    }

    /// Whether all ended cases could be kept; true if the run is not kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.kept.as_ref().is_none_or(|kept| !kept.is_broken())
    }

    /// The number of cases in the run's folder.
    pub(crate) fn kept_cases(&self) -> usize {
        self.kept.as_ref().map_or(0, OpenRun::len)
    }

    /// Notes the names of the result files of the run, which are removed with it.
    pub(crate) fn note_results(&mut self, names: Vec<String>) {
        if let Some(kept) = &mut self.kept {
            kept.set_results(names);
        }
    }

    /// Writes the end of the run into its folder. Without this call the run counts as interrupted. Returns the run if it is
    /// kept.
    ///
    /// # Errors
    /// If the end cannot be written.
    pub(crate) fn finish(mut self) -> Result<Option<WrittenRun>, RunError> {
        let summary = RunSummary::of(self.cases());
        let not_run = self.not_run();
        let Some(kept) = self.kept.take() else { return Ok(None) };
        kept.finish(self.duration_ms, self.cancelled, not_run, summary).map(Some)
    }
}
