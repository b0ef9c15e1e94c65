use std::sync::atomic::{AtomicUsize, Ordering};

use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::lsp::push::{ClientHandle, Push};
use crate::text::visible;

use super::Plan;

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
