use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::notification::Progress as ProgressNotification;
use tower_lsp_server::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};

use super::Plan;
use crate::lsp::push::teller::Teller;
use crate::text::visible;

/// What the tokens of the progress of runs begin with; the run's number follows.
const TOKEN: &str = "eval-ls/run/";

/// How much of an id is shown, in code points.
const SHOWN: usize = 40;

/// How far a run is, for a client that shows that. Telling it takes no time.
pub(super) struct Progress {
    tell: Option<UnboundedSender<WorkDoneProgress>>,
    total: usize,
    over: AtomicUsize,
}

/// The run whose progress a client wants cancelled.
pub(in crate::lsp) fn run_of(token: &ProgressToken) -> Option<u64> {
    match token {
        ProgressToken::String(token) => token.strip_prefix(TOKEN)?.parse().ok(),
        ProgressToken::Number(_) => None,
    }
}

impl Progress {
    /// Says that a run has begun.
    pub(super) fn start(teller: &Teller, run: u64, plan: &Plan) -> Self {
        let total = plan.items().count();
        let over = AtomicUsize::new(0);
        if !teller.shared().read(|state| state.support().work_done_progress) {
            return Self { tell: None, total, over };
        }
        let (tell, told) = unbounded_channel();
        let token = ProgressToken::String(format!("{TOKEN}{run}"));
        teller.runtime().spawn(send(teller.client().clone(), token, told));
        let cases = if total == 1 { "a case".to_owned() } else { format!("{total} cases") };
        let begin = WorkDoneProgressBegin {
            title: format!("Running {cases} with {}", shown(&plan.targets())),
            cancellable: Some(true),
            message: None,
            percentage: (total > 1).then_some(0),
        };
        // Where nobody listens any more, the session is over.
        let _ = tell.send(WorkDoneProgress::Begin(begin));
        Self { tell: Some(tell), total, over }
    }

    /// Says which case is at what.
    pub(super) fn case(&self, id: &str, at: Option<&str>) {
        let message = match at {
            Some(at) => format!("{}: {}", shown(id), shown(at)),
            None => shown(id),
        };
        self.report(Some(message));
    }

    /// Says that one more case is over.
    pub(super) fn over(&self) {
        self.over.fetch_add(1, Ordering::Relaxed);
        self.report(None);
    }

    /// Says that the run is over.
    pub(super) fn end(&self, cancelled: bool, reason: Option<&str>) {
        let message = match (reason, cancelled) {
            (Some(reason), _) => Some(reason.chars().map(visible).collect()),
            (None, true) => Some("stopped".to_owned()),
            (None, false) => None,
        };
        if let Some(tell) = &self.tell {
            let _ = tell.send(WorkDoneProgress::End(WorkDoneProgressEnd { message }));
        }
    }

    fn report(&self, message: Option<String>) {
        let Some(tell) = &self.tell else { return };
        let percentage = (self.over.load(Ordering::Relaxed) * 100 / self.total.max(1)).min(100);
        let percentage = (self.total > 1).then(|| u32::try_from(percentage).unwrap_or(100));
        let report = WorkDoneProgressReport { cancellable: Some(true), message, percentage };
        let _ = tell.send(WorkDoneProgress::Report(report));
    }
}

/// Asks the client for a place to show the progress, and sends it there.
async fn send(client: Client, token: ProgressToken, mut told: UnboundedReceiver<WorkDoneProgress>) {
    if client.create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    while let Some(progress) = told.recv().await {
        let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(progress) };
        client.send_notification::<ProgressNotification>(params).await;
    }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).map(visible).collect()
}
