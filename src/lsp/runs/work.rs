//! The thread of a run: it starts a child for each suite, one suite after the other, and reports the events and the progress, the result of
//! each case, and the outcome as one sentence.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use ls_types::{ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport};
use tokio::sync::mpsc::UnboundedSender;

use crate::analysis::{Answer, Answers};
use crate::diagnostic::quoted;
use crate::events::{CaseFinished, Event};
use crate::lsp::features::test_explorer::{failures, hash};
use crate::lsp::protocol::{CaseOutcome, CheckFailure, Item, RunEvent};
use crate::lsp::push::{ClientHandle, Push};
use crate::lsp::session::state::{Begun, Control, Runs, State};
use crate::lsp::session::transcripts::Transcripts;
use crate::text::{counted, visible, visible_text};
use crate::transcript::Transcript;
use crate::verdict::Status;
use crate::wording::{LAST_RUN_FAILED, error_label, main_reason};

use super::{Plan, PlannedCase, PlannedSuite, child};

/// Begins a run and returns its number. Its events are pushed to `client`.
///
/// # Errors
/// If its thread cannot be started.
pub(crate) fn start(plan: Plan, client: ClientHandle) -> std::io::Result<u64> {
    let suites = plan.suites.iter().map(|suite| suite.uri().clone()).collect();
    let cases = plan.items().map(|(suite, case)| (suite.path.clone(), case.id.clone())).collect();
    let Begun { number: run, control, replaced } = client.shared().change(|state| state.begin_run(suites, cases));
    let items = plan.items().map(|(suite, case)| suite.item(case)).collect();
    let (target, live) = (plan.targets(), plan.is_live());
    push(&client, RunEvent::Started { run, target, live, items });
    let progress = Progress::start(&client, run, &plan);
    let work = Work { control, run, client: client.clone(), progress, tally: Tally::default() };
    let spawned = thread::Builder::new().name("run".to_owned()).spawn(move || {
        replaced.into_iter().for_each(|(control, cases)| control.wait(&cases));
        work.all(&plan);
    });
    if let Err(error) = spawned {
        client.shared().change(|state| state.end_run(run));
        push(&client, RunEvent::Finished { run, cancelled: false, reason: Some(error.to_string()) });
        return Err(error);
    }
    Ok(run)
}

fn push(client: &ClientHandle, event: RunEvent) {
    client.push(Push::RunEvent(Box::new(event)));
}

struct Work {
    run: u64,
    control: Arc<Control>,
    client: ClientHandle,
    progress: Progress,
    tally: Tally,
}

/// A suite of a run.
struct OfPlan<'p> {
    suite: &'p PlannedSuite,
    /// The number of its first case in the run.
    first: usize,
}

impl<'p> OfPlan<'p> {
    fn case(&self, number: usize) -> &'p PlannedCase {
        &self.suite.cases[number - self.first]
    }
}

impl Work {
    fn all(mut self, plan: &Plan) {
        let mut first = 0;
        for suite in &plan.suites {
            self.suite(&OfPlan { suite, first });
            first += suite.cases.len();
        }
        self.client.shared().change(|state| state.end_run(self.run));
        let outcome = self.tally.sentence();
        self.progress.end(&outcome);
        if self.client.shared().read(State::needs_outcome) {
            self.client.push(Push::Message(outcome));
        }
        let Tally { cancelled, reason, .. } = self.tally;
        push(&self.client, RunEvent::Finished { run: self.run, cancelled, reason });
    }

    /// Runs the cases of a suite. If the child ends because some cases were stopped, another child runs the others.
    fn suite(&mut self, of: &OfPlan<'_>) {
        let (suite, path) = (of.suite, of.suite.path.display());
        let all = of.first..of.first + suite.cases.len();
        let (mut left, faulty): (Vec<_>, Vec<_>) = all.partition(|case| of.case(*case).fault.is_none());
        for case in faulty {
            self.over(of, case, Came::error(of.case(case).fault.clone().unwrap_or_default()));
        }
        loop {
            let (stopped, to_ask): (Vec<_>, Vec<_>) = left.into_iter().partition(|case| self.control.is_stopped(*case));
            for case in stopped {
                self.over(of, case, Came::cancelled());
            }
            if to_ask.is_empty() {
                return;
            }
            let count = to_ask.len();
            self.client.push(Push::Log(format!("asks {} for {count} cases of {path}", quoted(&suite.target))));
            let mut done = HashSet::new();
            let text = suite.excerpt(to_ask.iter().map(|case| of.case(*case)));
            let control = Arc::clone(&self.control);
            let ended = child::run(suite, &text, &to_ask, &control, |event| {
                done.extend(self.handle(of, &to_ask, event));
            });
            left = to_ask.into_iter().filter(|case| !done.contains(case)).collect();
            if !ended.was_stopped && !left.is_empty() {
                self.client.push(Push::Log(format!("{path} was not run to its end: {}", ended.reason)));
                for case in left {
                    self.over(of, case, Came::error(ended.reason.clone()));
                }
                self.tally.reason = Some(ended.reason);
                return;
            }
        }
    }

    /// Handles an event of a child that is asked these cases. Returns the case that is done.
    fn handle(&mut self, of: &OfPlan<'_>, asked: &[usize], event: Event) -> Option<usize> {
        let (run, suite) = (self.run, of.suite);
        match event {
            Event::CaseStarted(started) => {
                let number = *asked.get(started.case.index)?;
                let case = of.case(number);
                self.change_runs(suite, |runs| runs.case_started(run, number));
                self.progress.case(&case.id, None);
                let Item { uri, case } = suite.item(case);
                push(&self.client, RunEvent::CaseStarted { run, uri, case });
            }
            Event::CaseProgress(progress) => {
                let case = of.case(*asked.get(progress.case.index)?);
                let message = progress.message;
                self.progress.case(&case.id, Some(&message));
                let Item { uri, case } = suite.item(case);
                push(&self.client, RunEvent::CaseProgress { run, uri, case, message });
            }
            Event::CaseFinished(finished) => {
                let number = *asked.get(finished.case.index)?;
                let came = self.came(of, number, *finished);
                self.control.finish(number);
                self.over(of, number, came);
                return Some(number);
            }
            Event::Warning(warning) => self.client.push(Push::Log(warning.message)),
            Event::RunStarted(_) | Event::SuiteNotRun(_) | Event::InterruptedRun(_) | Event::RunFinished(_) => {}
        }
        None
    }

    fn came(&self, of: &OfPlan<'_>, number: usize, finished: CaseFinished) -> Came {
        let (suite, case) = (of.suite, of.case(number));
        let came = judge(suite, case, finished);
        if let Some(transcript) = came.transcript.clone() {
            self.note_ran(suite, |of| match suite.is_live() {
                true => of.keep(suite.uri(), &case.id, (*transcript).clone()),
                false => of.keep_replayed(suite.uri(), &case.id),
            });
        }
        came
    }

    fn note_ran<T>(&self, suite: &PlannedSuite, note: impl FnOnce(&mut Transcripts) -> T) -> T {
        self.client.shared().change(|state| state.note_ran(suite.uri(), note))
    }

    fn change_runs(&self, suite: &PlannedSuite, change: impl FnOnce(&mut Runs)) {
        self.client.shared().change(|state| state.change_runs(suite.uri(), change));
    }

    /// Reports that a case has finished.
    fn over(&mut self, of: &OfPlan<'_>, number: usize, mut came: Came) {
        let (run, suite, case) = (self.run, of.suite, of.case(number));
        if let Some(reason) = came.failure().filter(|_| case.fault.is_none()) {
            came.is_after_answer =
                self.note_ran(suite, |of| of.keep_failure(suite.uri(), &case.id, reason, &suite.target));
        }
        self.tally.add(&case.id, came.status, came.label());
        self.change_runs(suite, |runs| runs.case_finished(run, number));
        self.progress.over();
        push(&self.client, came.into_event(run, suite.item(case), suite.text(case)));
    }
}

/// The prefix of the progress tokens of runs; the run's number follows.
const TOKEN: &str = "eval-ls/run/";

/// How much of an id is shown, in code points. The status line has room for it.
const SHOWN: usize = 40;

/// The progress of a run, for a client that shows it. Reporting never waits for the client.
struct Progress {
    reports: Option<UnboundedSender<WorkDoneProgress>>,
    total: usize,
    finished: usize,
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
    fn start(client: &ClientHandle, run: u64, plan: &Plan) -> Self {
        let total = plan.items().count();
        let begin = WorkDoneProgressBegin {
            title: format!("Running {} with {}", counted(total, "case"), shown(&plan.targets())),
            cancellable: Some(true),
            message: None,
            percentage: (total > 1).then_some(0),
        };
        let reports = client.progress(format!("{TOKEN}{run}"), begin);
        Self { reports, total, finished: 0 }
    }

    /// Reports which case is running, and its current step.
    fn case(&self, id: &str, step: Option<&str>) {
        let message = match step {
            Some(step) => format!("{}: {}", shown(id), shown(step)),
            None => shown(id),
        };
        self.report(Some(message));
    }

    /// Reports that one more case has finished.
    fn over(&mut self) {
        self.finished += 1;
        self.report(None);
    }

    /// Reports the end of the run, with its outcome.
    fn end(&self, outcome: &str) {
        if let Some(reports) = &self.reports {
            let end = WorkDoneProgressEnd { message: Some(outcome.to_owned()) };
            let _ = reports.send(WorkDoneProgress::End(end));
        }
    }

    fn report(&self, message: Option<String>) {
        let Some(reports) = &self.reports else { return };
        let percentage = (self.finished * 100 / self.total.max(1)).min(100);
        let percentage = (self.total > 1).then(|| u32::try_from(percentage).unwrap_or(100));
        let report = WorkDoneProgressReport { cancellable: Some(true), message, percentage };
        let _ = reports.send(WorkDoneProgress::Report(report));
    }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).map(visible).collect()
}

/// How much of an answer is sent, in code points. The page of the answer has the whole text.
const MOST_SENT: usize = 20_000;

/// The result of a case: the verdict on the text that ran.
pub(crate) struct Came {
    pub(crate) status: CaseOutcome,
    pub(crate) transcript: Option<Arc<Transcript>>,
    pub(crate) soft_score: Option<f64>,
    pub(crate) duration_ms: u64,
    /// Why there is no verdict, perhaps on several lines.
    pub(crate) reason: Option<String>,
    /// Whether an earlier run got an answer, if this one did not.
    pub(crate) is_after_answer: bool,
    /// The verdict in the words of lenses and hints; `None` without a verdict.
    pub(crate) label: Option<String>,
    pub(crate) failures: Vec<CheckFailure>,
    pub(crate) screenshot: Option<String>,
}

/// Judges an answer like every other answer. Without an answer, returns the reason from the child.
pub(crate) fn judge(suite: &PlannedSuite, case: &PlannedCase, finished: CaseFinished) -> Came {
    let CaseFinished { duration_ms, answer, result, .. } = finished;
    let told = Came {
        status: CaseOutcome::Judged(result.status),
        duration_ms,
        reason: result.reason.clone(),
        screenshot: result.screenshot.clone(),
        ..Came::cancelled()
    };
    let Some(transcript) = answer.and_then(|answer| Transcript::parse(answer.as_str()).ok()) else { return told };
    let answer = Arc::new(Answer::live(transcript.clone(), SystemTime::now()));
    let live = HashMap::from([(case.id.clone(), answer)]);
    let answers = Answers::new(Arc::clone(&suite.config), Arc::default(), live);
    let Some(verdict) = suite.snapshot.document.verdict(case.index, &answers) else { return told };
    Came {
        status: CaseOutcome::Judged(verdict.status()),
        transcript: Some(Arc::new(transcript)),
        soft_score: verdict.soft_score(),
        reason: verdict.error().map(str::to_owned),
        label: Some(verdict.label()),
        failures: failures(&suite.snapshot, case.index, &verdict),
        ..told
    }
}

impl Came {
    pub(crate) fn cancelled() -> Self {
        Self { status: CaseOutcome::Cancelled, ..Self::error("stopped".to_owned()) }
    }

    /// Returns a result for a case that could not be judged.
    pub(crate) fn error(reason: String) -> Self {
        Self {
            status: CaseOutcome::Judged(Status::Error),
            transcript: None,
            soft_score: None,
            duration_ms: 0,
            reason: Some(reason),
            is_after_answer: false,
            label: None,
            failures: Vec::new(),
            screenshot: None,
        }
    }

    /// Returns why there is no answer; `None` if the case was stopped.
    pub(crate) fn failure(&self) -> Option<&str> {
        let failed = self.transcript.is_none() && self.status != CaseOutcome::Cancelled;
        self.reason.as_deref().filter(|_| failed)
    }

    /// The verdict in the words of lenses and hints; `None` if the case was stopped.
    pub(crate) fn label(&self) -> Option<String> {
        let not_judged = || Some(error_label(self.failure()?, self.is_after_answer));
        self.label.clone().or_else(not_judged)
    }

    pub(crate) fn into_event(self, run: u64, item: Item, text: &str) -> RunEvent {
        let output = self.output();
        let label = self.label();
        let failed_run = if self.is_after_answer { LAST_RUN_FAILED } else { "" };
        RunEvent::CaseFinished {
            run,
            uri: item.uri,
            case: item.case,
            status: self.status,
            soft_score: self.soft_score,
            duration_ms: self.duration_ms,
            hash: hash(text),
            output,
            label,
            reason: self.reason.as_deref().map(|reason| format!("{failed_run}{}", main_reason(reason))),
            failures: self.failures,
        }
    }

    fn output(&self) -> String {
        let mut output = String::new();
        if let Some(transcript) = &self.transcript {
            output.extend(transcript.response.chars().take(MOST_SENT));
            if transcript.response.chars().nth(MOST_SENT).is_some() {
                output.push('…');
            }
            output.push('\n');
        }
        for failure in &self.failures {
            output.push_str(&format!("✗ {}\n", failure.message));
        }
        if let Some(reason) = &self.reason {
            output.push_str(reason);
            output.push('\n');
        }
        // Editors turn a path in the output of a test into a link.
        if let Some(screenshot) = &self.screenshot {
            output.push_str(&format!("screenshot: {screenshot}\n"));
        }
        output
    }
}

/// How many cases the sentence names. A notification has two lines.
const MAX_NAMED: usize = 3;

/// The results of the cases so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether a case was stopped.
    pub(crate) cancelled: bool,
    /// Why the run ended early.
    pub(crate) reason: Option<String>,
    passed: usize,
    total: usize,
    /// The cases that neither passed nor were stopped, with their verdict.
    others: Vec<(String, String)>,
}

impl Tally {
    /// Adds the result of a case, with its verdict in a few words.
    pub(crate) fn add(&mut self, id: &str, status: CaseOutcome, label: Option<String>) {
        self.total += 1;
        match status {
            CaseOutcome::Cancelled => self.cancelled = true,
            CaseOutcome::Judged(Status::Pass) => self.passed += 1,
            CaseOutcome::Judged(status) => {
                self.others.push((id.to_owned(), label.unwrap_or_else(|| status.to_string())))
            }
        }
    }

    /// Returns how many cases passed, which did not, and why the run ended early.
    pub(crate) fn sentence(&self) -> String {
        let Tally { passed, total, .. } = self;
        let mut sentence = match (*passed, *total) {
            (1, 1) => "The case passed".to_owned(),
            (passed, total) if passed == total => format!("All {total} cases passed"),
            (passed, total) => format!("{passed} of {total} cases passed"),
        };
        let named = self.others.iter().take(MAX_NAMED);
        let named: Vec<_> = named.map(|(id, label)| format!("{} {label}", quoted(id))).collect();
        if !named.is_empty() {
            let more = self.others.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            sentence.push_str(&format!(": {}{more}", named.join(", ")));
        }
        if self.cancelled {
            sentence.push_str("; the run was stopped");
        }
        if let Some(reason) = &self.reason {
            sentence.push_str(&format!("; {reason}"));
        }
        visible_text(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_ends_with_the_picture() {
        let came = Came { screenshot: Some("/w/A.png".to_owned()), ..Came::error("it did not answer".to_owned()) };
        assert_eq!(came.output(), "it did not answer\nscreenshot: /w/A.png\n");
    }

    fn sentence(results: &[(&str, CaseOutcome)], reason: Option<&str>) -> String {
        let mut tally = Tally { reason: reason.map(str::to_owned), ..Tally::default() };
        results.iter().for_each(|(id, status)| tally.add(id, *status, None));
        tally.sentence()
    }

    #[test]
    fn the_sentence_has_the_reason_of_an_error() {
        let mut tally = Tally::default();
        let label = Some("ERROR no stored answer".to_owned());
        tally.add("A", CaseOutcome::Judged(Status::Error), label);
        assert_eq!(tally.sentence(), "0 of 1 cases passed: `A` ERROR no stored answer");
    }

    #[test]
    fn the_sentence_names_the_cases_that_did_not_pass() {
        let [pass, fail, partial, error] =
            [Status::Pass, Status::Fail, Status::Partial, Status::Error].map(CaseOutcome::Judged);
        for (results, reason, expected) in [
            (&[("A", pass)][..], None, "The case passed"),
            (&[("A", pass), ("B", pass)], None, "All 2 cases passed"),
            (&[("A", fail)], None, "0 of 1 cases passed: `A` FAIL"),
            (&[("A", pass), ("B", partial)], None, "1 of 2 cases passed: `B` PARTIAL"),
            (
                &[("A", fail), ("B", fail), ("C", error), ("D", fail), ("E", fail)],
                None,
                "0 of 5 cases passed: `A` FAIL, `B` FAIL, `C` ERROR and 2 more",
            ),
            (&[("A", pass), ("B", CaseOutcome::Cancelled)], None, "1 of 2 cases passed; the run was stopped"),
            (&[("A", error)], Some("the agent\nis missing"), "0 of 1 cases passed: `A` ERROR; the agent␊is missing"),
        ] {
            assert_eq!(sentence(results, reason), expected);
        }
    }
}
