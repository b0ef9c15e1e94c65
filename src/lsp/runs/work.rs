//! The thread of a run: it starts a child for each suite, one suite after the other, and reports the events and the progress.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::diagnostic::quoted;
use crate::events::{CaseFinished, Event};
use crate::lsp::protocol::{CaseOutcome, RunEvent};
use crate::lsp::push::{ClientHandle, Push};
use crate::lsp::session::state::{Begun, Control, State};
use crate::text::visible;

use super::results::{self, Came, Tally};
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
        let came = results::judge(suite, case, finished);
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

/// The prefix of the progress tokens of runs; the run's number follows.
const TOKEN: &str = "eval-ls/run/";

/// How much of an id is shown, in code points. The status line has room for it.
const SHOWN: usize = 40;

/// The progress of a run, for a client that shows it. Reporting never waits for the client.
pub(crate) struct Progress {
    reports: Option<UnboundedSender<WorkDoneProgress>>,
    total: usize,
    finished: AtomicUsize,
}

/// The run whose progress has this token; `None` for other tokens.
pub(crate) fn run_of(token: &ProgressToken) -> Option<u64> {
    match token {
        ProgressToken::String(token) => token.strip_prefix(TOKEN)?.parse().ok(),
        ProgressToken::Number(_) => None,
    }
}

impl Progress {
    /// Reports the start of a run.
    pub(crate) fn start(client: &ClientHandle, run: u64, plan: &Plan) -> Self {
        let total = plan.items().count();
        let finished = AtomicUsize::new(0);
        if !client.shared().read(|state| state.support().work_done_progress) {
            return Self { reports: None, total, finished };
        }
        let (reports, receiver) = unbounded_channel();
        let token = ProgressToken::String(format!("{TOKEN}{run}"));
        client.spawn(send(client.clone(), token, receiver));
        let cases = if total == 1 { "1 case".to_owned() } else { format!("{total} cases") };
        let begin = WorkDoneProgressBegin {
            title: format!("Running {cases} with {}", shown(&plan.targets())),
            cancellable: Some(true),
            message: None,
            percentage: (total > 1).then_some(0),
        };
        // The receiver is gone if the client shows no progress or the session is over.
        let _ = reports.send(WorkDoneProgress::Begin(begin));
        Self { reports: Some(reports), total, finished }
    }

    /// Reports which case is running, and its current step.
    pub(crate) fn case(&self, id: &str, step: Option<&str>) {
        let message = match step {
            Some(step) => format!("{}: {}", shown(id), shown(step)),
            None => shown(id),
        };
        self.report(Some(message));
    }

    /// Reports that one more case has finished.
    pub(crate) fn over(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
        self.report(None);
    }

    /// Reports the end of the run, with its outcome.
    pub(crate) fn end(&self, outcome: &str) {
        if let Some(reports) = &self.reports {
            let end = WorkDoneProgressEnd { message: Some(outcome.to_owned()) };
            let _ = reports.send(WorkDoneProgress::End(end));
        }
    }

    fn report(&self, message: Option<String>) {
        let Some(reports) = &self.reports else { return };
        let percentage = (self.finished.load(Ordering::Relaxed) * 100 / self.total.max(1)).min(100);
        let percentage = (self.total > 1).then(|| u32::try_from(percentage).unwrap_or(100));
        let report = WorkDoneProgressReport { cancellable: Some(true), message, percentage };
        let _ = reports.send(WorkDoneProgress::Report(report));
    }
}

/// Asks the client to create the progress, then pushes each report.
async fn send(client: ClientHandle, token: ProgressToken, mut reports: UnboundedReceiver<WorkDoneProgress>) {
    if client.requests().create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    while let Some(report) = reports.recv().await {
        let value = ProgressParamsValue::WorkDone(report);
        client.push(Push::Progress(ProgressParams { token: token.clone(), value }));
    }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).map(visible).collect()
}
