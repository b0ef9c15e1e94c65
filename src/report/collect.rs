use crate::events::{CaseFinished, Event, RunFinished, RunStarted};
use crate::verdict::Status;

/// The events of a run, collected for formats that show the run as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    cases: Vec<CaseFinished>,
}

impl Collected {
    /// Adds the next event.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.started = Some(started.clone()),
            Event::RunFinished(finished) => self.finished = Some(finished.clone()),
            Event::CaseFinished(case) => self.cases.push((**case).clone()),
            Event::CaseStarted(_) | Event::CaseProgress(_) | Event::InterruptedRun(_) | Event::Warning(_) => {}
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

    /// The finished cases of a suite in the suite's order. `suite` is its path in events.
    pub(crate) fn cases_of(&self, suite: &str) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.cases.iter().filter(|case| case.case.suite == suite).collect();
        cases.sort_by_key(|case| case.case.index);
        cases
    }

    /// All finished cases, suite by suite and in the order of each.
    pub(crate) fn cases(&self) -> Vec<&CaseFinished> {
        let mut suites: Vec<&str> = Vec::new();
        let given = self.started.iter().flat_map(|started| &started.suites).map(|suite| suite.suite.as_str());
        for suite in given.chain(self.cases.iter().map(|case| case.case.suite.as_str())) {
            if !suites.contains(&suite) {
                suites.push(suite);
            }
        }
        suites.into_iter().flat_map(|suite| self.cases_of(suite)).collect()
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
