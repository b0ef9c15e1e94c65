//! The thread of a run: it starts a child for each suite, one suite after the other, and reports the events.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use crate::diagnostic::quoted;
use crate::events::{CaseFinished, Event};
use crate::lsp::protocol::{CaseOutcome, RunEvent};
use crate::lsp::push::{ClientHandle, Push};
use crate::lsp::session::state::Begun;
use crate::lsp::session::state::Control;
use crate::lsp::session::state::State;

use super::outcome::Tally;
use super::progress::Progress;
use super::verdict::{self, Came};
use super::{Plan, PlannedCase, PlannedSuite, child};

/// Begins a run and returns its number. Its events are pushed to `client`.
///
/// # Errors
/// If its thread cannot be started.
pub(crate) fn start(plan: Plan, client: ClientHandle) -> std::io::Result<u64> {
    let suites = plan.suites.iter().map(|suite| suite.uri().clone()).collect();
    let cases = plan.items().map(|(suite, case)| (suite.path.clone(), case.id.clone())).collect();
    let begun = client.shared().change(|state| state.begin_run(suites, cases));
    let number = begun.number;
    let items = plan.items().map(|(suite, case)| suite.item(case)).collect();
    client.push(Push::RunEvent(Box::new(RunEvent::Started {
        run: number,
        target: plan.targets(),
        live: plan.is_live(),
        debugger: plan.debugger,
        items,
    })));
    let progress = Progress::start(&client, number, &plan);
    let work = Work { control: begun.control.clone(), plan, number, client: client.clone(), progress };
    let spawned = thread::Builder::new().name("run".to_owned()).spawn(move || work.all(begun));
    if let Err(error) = spawned {
        client.shared().change(|state| state.end_run(number));
        client.push(Push::RunEvent(Box::new(RunEvent::Finished {
            run: number,
            cancelled: false,
            reason: Some(error.to_string()),
        })));
        return Err(error);
    }
    Ok(number)
}

struct Work {
    plan: Plan,
    number: u64,
    control: Arc<Control>,
    client: ClientHandle,
    progress: Progress,
}

impl Work {
    fn all(self, begun: Begun) {
        for (control, cases) in &begun.replaced {
            control.wait(cases);
        }
        let mut tally = Tally::default();
        let mut first = 0;
        for suite in &self.plan.suites {
            self.suite(suite, first, &mut tally);
            first += suite.cases.len();
        }
        self.client.shared().change(|state| state.end_run(self.number));
        let outcome = tally.sentence();
        let Tally { cancelled, reason, .. } = tally;
        self.progress.end(&outcome);
        if self.client.shared().read(State::needs_outcome) {
            self.client.push(Push::Message(outcome));
        }
        self.client.push(Push::RunEvent(Box::new(RunEvent::Finished { run: self.number, cancelled, reason })));
    }

    /// Runs the cases of a suite; `first` is the number of the first one. If the child ends because some cases were
    /// stopped, another child runs the others.
    fn suite(&self, suite: &PlannedSuite, first: usize, tally: &mut Tally) {
        let mut left: Vec<usize> = (first..first + suite.cases.len()).collect();
        loop {
            let (stopped, to_ask): (Vec<_>, Vec<_>) = left.into_iter().partition(|case| self.control.is_stopped(*case));
            for case in stopped {
                tally.cancelled = true;
                self.over(suite, first, case, Came::cancelled(), tally);
            }
            if to_ask.is_empty() {
                return;
            }
            let (count, path) = (to_ask.len(), suite.path.display());
            self.client.push(Push::Log(format!("asks {} for {count} cases of {path}", quoted(&suite.target))));
            let mut done = HashSet::new();
            let text = suite.excerpt(to_ask.iter().map(|case| &suite.cases[case - first]));
            let ended = child::run(suite, &self.plan, &text, &to_ask, &self.control, |event| {
                self.handle(suite, first, &to_ask, event, tally, &mut done);
            });
            left = to_ask.into_iter().filter(|case| !done.contains(case)).collect();
            if !ended.was_stopped && !left.is_empty() {
                self.client.push(Push::Log(format!(
                    "{} was not run to its end: {}",
                    suite.path.display(),
                    ended.reason
                )));
                for case in left {
                    self.over(suite, first, case, Came::error(ended.reason.clone()), tally);
                }
                tally.reason = Some(ended.reason);
                return;
            }
        }
    }

    fn handle(
        &self,
        suite: &PlannedSuite,
        first: usize,
        asked: &[usize],
        event: Event,
        tally: &mut Tally,
        done: &mut HashSet<usize>,
    ) {
        let case_of = |index: usize| asked.get(index).map(|number| (*number, &suite.cases[number - first]));
        let run = self.number;
        match event {
            Event::CaseStarted(started) => {
                let Some((number, case)) = case_of(started.case.index) else { return };
                self.client
                    .shared()
                    .change(|state| state.change_runs(suite.uri(), |runs| runs.case_started(run, number)));
                self.progress.case(&case.id, None);
                let item = suite.item(case);
                self.client.push(Push::RunEvent(Box::new(RunEvent::CaseStarted {
                    run,
                    uri: item.uri,
                    case: item.case,
                })));
            }
            Event::CaseProgress(progress) => {
                let message = progress.message;
                let Some((_, case)) = case_of(progress.case.index) else { return };
                self.progress.case(&case.id, Some(&message));
                let item = suite.item(case);
                self.client.push(Push::RunEvent(Box::new(RunEvent::CaseProgress {
                    run,
                    uri: item.uri,
                    case: item.case,
                    message,
                })));
            }
            Event::CaseFinished(finished) => {
                let Some((number, case)) = case_of(finished.case.index) else { return };
                let Some(came) = self.came(suite, case, number, *finished) else { return };
                tally.cancelled |= came.status == CaseOutcome::Cancelled;
                self.control.finish(number);
                done.insert(number);
                self.over(suite, first, number, came, tally);
            }
            Event::Warning(warning) => self.client.push(Push::Log(warning.message)),
            Event::RunStarted(_) | Event::SuiteNotRun(_) | Event::InterruptedRun(_) | Event::RunFinished(_) => {}
        }
    }

    /// Result of a case, or `None` if it must be rerun because another case was stopped.
    fn came(&self, suite: &PlannedSuite, case: &PlannedCase, number: usize, finished: CaseFinished) -> Option<Came> {
        if finished.cancelled {
            return self.control.is_stopped(number).then(|| Came::cancelled().after(finished.duration_ms));
        }
        let came = verdict::judge(suite, case, finished);
        if let Some(transcript) = came.transcript.clone() {
            self.client.shared().change(|state| match suite.is_live() {
                true => state.keep_answer(suite.uri(), &case.id, transcript),
                false => state.keep_replayed(suite.uri(), &case.id),
            });
        }
        Some(came)
    }

    /// Reports that a case has finished.
    fn over(&self, suite: &PlannedSuite, first: usize, number: usize, came: Came, tally: &mut Tally) {
        let case = &suite.cases[number - first];
        let run = self.number;
        let failed = came.failure().map(|reason| {
            self.client.shared().change(|state| state.keep_failure(suite.uri(), &case.id, reason, &suite.target))
        });
        let came = came.after_answer(failed == Some(true));
        tally.add(&case.id, came.status, came.label());
        self.client.shared().change(|state| state.change_runs(suite.uri(), |runs| runs.case_finished(run, number)));
        self.progress.over();
        let item = suite.item(case);
        self.client.push(Push::RunEvent(Box::new(came.into_event(run, item, suite.text(case)))));
    }
}
