//! What is open in a case, and where its suite asks for it.

use std::collections::HashMap;

use crate::events::{
    CaseFinished, CaseRef, Event, Grade, Policy, RunFinished, RunStarted, RunSummary, SuiteNotRun, SuiteStarted,
    average_score,
};
use crate::text::LineColumn;
use crate::verdict::Status;
use crate::wording::{Headline, check_name, further_reason, open_checks};

/// The events of a run, collected for formats that show the run as a whole. The runs of several workspaces are collected as
/// one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    suites: Vec<SuiteStarted>,
    /// The cases in the order in which they finished.
    cases: Vec<CaseFinished>,
    /// The indexes in `cases` by suite.
    of_suite: HashMap<String, Vec<usize>>,
    not_run: Vec<SuiteNotRun>,
}

impl Collected {
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
    pub(crate) fn suites(&self) -> Vec<&SuiteStarted> {
        self.suites.iter().collect()
    }

    /// The cases of a suite that were not started.
    pub(crate) fn skipped_of(&self, suite: &str) -> Vec<&CaseRef> {
        let skipped = self.finished.iter().flat_map(|finished| &finished.skipped);
        skipped.filter(|case| case.suite == suite).collect()
    }

    /// The mean soft score of the cases that ask for one.
    pub(crate) fn average_score(&self) -> Option<f64> {
        average_score(self.cases.iter().map(|case| &*case.result))
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

    /// The cases that did not pass, or that make the run fail although they did: flaky ones.
    pub(super) fn open(&self) -> impl Iterator<Item = &CaseFinished> {
        let policy = self.policy();
        let is_open =
            move |case: &&CaseFinished| case.status != Status::Pass || policy.grade(&case.result) != Grade::Passed;
        self.cases().into_iter().filter(is_open)
    }

    /// The cases that did not pass: first `FAIL`, then `ERROR`, then `PARTIAL`.
    pub(crate) fn not_passed(&self) -> Vec<&CaseFinished> {
        let rank = |status: Status| match status {
            Status::Fail => 0,
            Status::Error => 1,
            Status::Partial => 2,
            Status::Pass => 3,
        };
        let mut cases: Vec<_> = self.cases().into_iter().filter(|case| case.status != Status::Pass).collect();
        cases.sort_by_key(|case| rank(case.status));
        cases
    }
}

/// What is open in a case, each with its start, its end and its message.
pub(super) fn annotations_of(case: &CaseFinished) -> Vec<(LineColumn, LineColumn, String)> {
    let of_case = case.case.range;
    let checks: Vec<_> = open_checks(&case.result)
        .map(|check| {
            let start = check.suite.unwrap_or(of_case.start);
            let end = check.suite_end.unwrap_or(if check.suite.is_some() { start } else { of_case.end });
            (start, end, format!("{}: {}", check_name(check), check.message))
        })
        .collect();
    if case.status == Status::Error || checks.is_empty() {
        let mut message = Headline::of(&case.result).reasons();
        if let Some(further) = case.result.reason.as_deref().map(further_reason).filter(|further| !further.is_empty()) {
            message.extend(["\n", further]);
        }
        return vec![(of_case.start, of_case.end, message)];
    }
    checks
}
