//! A run as its events describe it, and what it leaves behind. Reports are made from it.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::events::{
    CaseFinished, CaseRef, Event, Grade, Policy, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteNotRun,
    SuiteStarted, average_score,
};
use crate::runs::{OpenRun, RunError};
use crate::transcript::Origin;
use crate::verdict::{AnswerSummary, CaseResult, Status};

/// A run: its first and its last event, its suites and its cases. The runs of several workspaces can be one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    suites: Vec<SuiteStarted>,
    /// The cases in the order in which they finished.
    cases: Vec<CaseFinished>,
    /// The indexes in `cases` by suite.
    of_suite: HashMap<String, Vec<usize>>,
    not_run: Vec<SuiteNotRun>,
}

impl Run {
    /// Adds the next event.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.suites.extend(started.suites.iter().cloned());
                self.started.get_or_insert_with(|| started.clone());
            }
            Event::RunFinished(finished) => self.finish(finished),
            Event::CaseFinished(case) => {
                self.of_suite.entry(case.case.suite.clone()).or_default().push(self.cases.len());
                self.cases.push(CaseFinished { answer: None, ..(**case).clone() });
            }
            Event::SuiteNotRun(suite) => self.not_run.push(suite.clone()),
            Event::CaseStarted(_) | Event::CaseProgress(_) | Event::InterruptedRun(_) | Event::Warning(_) => {}
        }
    }

    fn finish(&mut self, last: &RunFinished) {
        let Some(all) = &mut self.finished else {
            self.finished = Some(last.clone());
            return;
        };
        all.cancelled |= last.cancelled;
        all.duration_ms += last.duration_ms;
        all.not_run += last.not_run;
        all.failures += last.failures;
        all.errors += last.errors;
        all.skipped.extend(last.skipped.iter().cloned());
        all.suites.extend(last.suites.iter().cloned());
        all.summary = RunSummary::of(self.cases.iter().map(|case| &*case.result));
    }

    /// What its answers took, as a line.
    pub(crate) fn took(&self) -> Option<String> {
        self.finished.as_ref()?.summary.answers.as_ref().map(AnswerSummary::line)
    }

    /// The last event of a run with these cases. `skipped` are the cases without a result.
    pub(super) fn end(&self, duration_ms: u64, cancelled: bool, skipped: Vec<CaseRef>) -> RunFinished {
        let suite = |suite: &SuiteStarted| SuiteFinished {
            suite: suite.suite.clone(),
            not_run: self.unfinished(suite),
            summary: RunSummary::of(self.results_of(&suite.suite)),
        };
        let (failures, errors) = self.policy().count(self.results());
        RunFinished {
            cancelled,
            failures,
            skipped,
            errors: errors + usize::from(cancelled),
            duration_ms,
            not_run: self.suites.iter().map(|suite| self.unfinished(suite)).sum(),
            summary: RunSummary::of(self.results()),
            suites: self.suites.iter().map(suite).collect(),
        }
    }

    /// The first event, if it has been emitted.
    pub(crate) fn started(&self) -> Option<&RunStarted> {
        self.started.as_ref()
    }

    /// The last event, if it has been emitted.
    pub(crate) fn finished(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// Which results make the run fail.
    pub(crate) fn policy(&self) -> Policy {
        self.started.as_ref().map(|started| started.policy).unwrap_or_default()
    }

    /// The suites of all runs.
    pub(crate) fn suites(&self) -> &[SuiteStarted] {
        &self.suites
    }

    /// The number of cases of a suite that have no result.
    pub(crate) fn unfinished(&self, suite: &SuiteStarted) -> usize {
        // Two inputs may have one path in events, such as a file and standard input in its name.
        suite.total.saturating_sub(self.of_suite.get(&suite.suite).map_or(0, Vec::len))
    }

    /// The cases of a suite that have no result.
    pub(crate) fn skipped_of(&self, suite: &str) -> Vec<&CaseRef> {
        let skipped = self.finished.iter().flat_map(|finished| &finished.skipped);
        skipped.filter(|case| case.suite == suite).collect()
    }

    /// The mean soft score of the cases that ask for one.
    pub(crate) fn average_score(&self) -> Option<String> {
        average_score(self.results())
    }

    /// The suites that cannot be run.
    pub(crate) fn not_run(&self) -> &[SuiteNotRun] {
        &self.not_run
    }

    /// The finished cases of a suite in the suite's order. `suite` is its path in events.
    pub(crate) fn cases_of(&self, suite: &str) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.of_suite.get(suite).into_iter().flatten().map(|at| &self.cases[*at]).collect();
        cases.sort_by_key(|case| case.case.index);
        cases
    }

    /// All finished cases, suite by suite and in the order of each.
    pub(crate) fn cases(&self) -> Vec<&CaseFinished> {
        self.suites.iter().flat_map(|suite| self.cases_of(&suite.suite)).collect()
    }

    /// All results, in the order in which the cases finished.
    pub(crate) fn results(&self) -> impl Iterator<Item = &CaseResult> + Clone {
        self.cases.iter().map(|case| &*case.result)
    }

    fn results_of(&self, suite: &str) -> impl Iterator<Item = &CaseResult> + Clone {
        self.of_suite.get(suite).into_iter().flatten().map(|at| &*self.cases[*at].result)
    }

    /// The cases that did not pass, or that make the run fail although they did: flaky ones.
    pub(crate) fn open(&self) -> impl Iterator<Item = &CaseFinished> {
        let policy = self.policy();
        let is_open =
            move |case: &&CaseFinished| case.status != Status::Pass || policy.grade(&case.result) != Grade::Passed;
        self.cases().into_iter().filter(is_open)
    }

    /// The cases that did not pass: first `FAIL`, then `ERROR`, then `PARTIAL`.
    pub(crate) fn not_passed(&self) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.cases().into_iter().filter(|case| case.status != Status::Pass).collect();
        cases.sort_by_key(|case| case.status.place());
        cases
    }
}

/// What a run leaves behind. Call [`finish`](Self::finish) after writing the result files.
#[derive(Debug)]
#[must_use = "write the result files, then finish the run"]
pub(crate) struct Outcome {
    /// The run, with its last event.
    pub(crate) run: Run,
    /// The source of the answers.
    pub(crate) origin: Origin,
    /// The folder of the result files; `None` if there are none.
    pub(crate) results: Option<PathBuf>,
    /// The run in its folder, if it is kept.
    pub(crate) kept: Option<OpenRun>,
    /// Whether the target was given secrets, which may be in its answers in a form that is not found.
    pub(crate) has_secrets: bool,
}

impl Outcome {
    /// Writes the end of the run into its folder. Without this call the run counts as interrupted. Returns the run if it is
    /// kept.
    ///
    /// # Errors
    /// If the end cannot be written.
    pub(crate) fn finish(self) -> Result<Option<OpenRun>, RunError> {
        let (Some(mut kept), Some(finished)) = (self.kept, self.run.finished) else { return Ok(None) };
        kept.finish(&finished)?;
        Ok(Some(kept))
    }
}
