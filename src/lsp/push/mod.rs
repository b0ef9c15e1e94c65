//! What the server sends to the client without a request.
//!
//! Everything goes through [`ClientHandle::push`]; [`Push`] lists all that there is. Four parts push:
//!
//! | part | pushes | runs in |
//! | --- | --- | --- |
//! | [`publisher`] | diagnostics of open suites and of configurations, and progress if they take long | a thread |
//! | [`changes`] | changed tests, verdicts and runs; refreshes, if lenses, verdicts or ages change without an edit | two tasks |
//! | [`outside`] | changed runs, if another program writes them; a refresh, if the tools of a workspace change | a task, a thread |
//! | [`runs`](crate::lsp::runs) | run events, progress, log messages | a thread for each run |

mod changes;
mod outside;
mod publisher;

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ls_types::notification::{
    LogMessage, Notification, Progress as ProgressNotification, PublishDiagnostics, ShowMessage,
};
use ls_types::{
    LogMessageParams, MessageActionItem, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
    ShowMessageParams, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkspaceDiagnosticReportPartialResult,
    WorkspaceDocumentDiagnosticReport,
};
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc;

use crate::lsp::client::settings::log;
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::protocol::{Ask, AskParams, RunEvent, UrisParams};
use crate::lsp::session::shared::Shared;
use crate::lsp::transport::{self, Connection, Notifier};
use crate::text::visible_text;

/// Starts the parts that push for as long as the session lasts. Must be called within the runtime.
///
/// # Errors
/// If a thread cannot be started.
pub(crate) fn start(client: &ClientHandle) -> io::Result<()> {
    publisher::start(client.clone())?;
    changes::start(client.clone());
    outside::look_for_runs(client.clone());
    outside::look_for_tools(client.clone())
}

/// How long a refresh of inlay hints waits for a request before it is repeated. The first is longer than VS Code waits
/// before it requests them. A client that shows no suite requests nothing, so there are few.
const HINT_WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// What may be pushed to the client.
#[derive(Debug)]
pub(crate) enum Push {
    /// `textDocument/publishDiagnostics`.
    Diagnostics(Diagnostics),
    /// `workspace/diagnostic/refresh`, if the client pulls diagnostics.
    RefreshDiagnostics,
    /// `workspace/inlayHint/refresh`, if the client supports it.
    RefreshInlayHints,
    /// `workspace/codeLens/refresh`, if the client supports it.
    RefreshCodeLenses,
    /// `eval-ls/testsChanged`, if the client wants run events.
    TestsChanged(Vec<Uri>),
    /// `eval-ls/verdictsChanged`, if the client wants run events.
    VerdictsChanged(Vec<Uri>),
    /// `eval-ls/runsChanged`, if the client wants run events.
    RunsChanged,
    /// `eval-ls/runEvent`, if the client wants run events.
    RunEvent(Box<RunEvent>),
    /// `$/progress` of a run or a check.
    Progress(ProgressParams),
    /// `$/progress` with a part of the diagnostics that the client requested with this token.
    Partial(ProgressToken, Vec<WorkspaceDocumentDiagnosticReport>),
    /// `window/logMessage`.
    Log(String),
    /// `window/showMessage`, without links.
    Message(String),
}

/// The parameters of `textDocument/publishDiagnostics`, with diagnostics that may have been written for an earlier
/// version.
#[derive(Debug, Serialize)]
pub(crate) struct Diagnostics {
    #[serde(serialize_with = "as_written")]
    pub(crate) uri: Uri,
    pub(crate) diagnostics: Vec<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<i32>,
}

/// Diagnostics go to the document that the client knows.
fn as_written<S: Serializer>(uri: &Uri, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&transport::as_written(uri))
}

/// The client and the state, for code that is not a handler. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ClientHandle {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    client: Client,
    runtime: Handle,
    /// Sends diagnostics. It is separate because its thread waits until the client has read the last ones.
    diagnostics: Mutex<Notifier>,
    /// Sends all other notifications, so that they keep their order.
    others: Mutex<Notifier>,
    hint_refreshes: AtomicU64,
    hint_requests: AtomicU64,
}

impl ClientHandle {
    /// Must be called within the runtime.
    pub(crate) fn new(shared: Arc<Shared>, client: Client, connection: &Connection) -> Self {
        let diagnostics = Mutex::new(connection.notifier());
        let others = Mutex::new(connection.notifier());
        let inner = Inner {
            shared,
            client,
            runtime: Handle::current(),
            diagnostics,
            others,
            hint_refreshes: AtomicU64::default(),
            hint_requests: AtomicU64::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The state.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// The client, for requests whose answer is used.
    pub(crate) fn requests(&self) -> &Client {
        &self.inner.client
    }

    /// Asks a person: with `eval-ls/ask` if the client asks itself, else with `window/showMessageRequest`, which also offers
    /// `refusal`. `None` if nobody answers.
    ///
    /// # Errors
    /// If the client cannot ask.
    pub(crate) async fn ask(
        &self,
        message: String,
        choices: &[&str],
        refusal: &str,
    ) -> jsonrpc::Result<Option<String>> {
        if self.shared().read(|state| state.settings().asks) {
            let params = AskParams { message, choices: choices.iter().map(ToString::to_string).collect() };
            return self.requests().send_request::<Ask>(params).await;
        }
        let titles = choices.iter().chain([&refusal]).map(ToString::to_string);
        let actions = titles.map(|title| MessageActionItem { title, properties: HashMap::default() }).collect();
        let chosen = self.requests().show_message_request(MessageType::WARNING, message, Some(actions)).await?;
        Ok(chosen.map(|chosen| chosen.title))
    }

    /// Runs a task beside the handlers. Works in any thread.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.inner.runtime.spawn(task);
    }

    /// Shows progress that takes longer than `delay`. Reports, the last of which ends it, go to the returned sender. `None` if
    /// the client shows no progress. Never waits for the client.
    pub(crate) fn progress(
        &self,
        token: String,
        delay: Duration,
        begin: WorkDoneProgressBegin,
    ) -> Option<UnboundedSender<WorkDoneProgress>> {
        if !self.inner.shared.read(|state| state.support().work_done_progress) {
            return None;
        }
        let (sender, reports) = unbounded_channel();
        self.spawn(self.clone().show_progress(ProgressToken::String(token), delay, begin, reports));
        Some(sender)
    }

    async fn show_progress(
        self,
        token: ProgressToken,
        delay: Duration,
        begin: WorkDoneProgressBegin,
        mut reports: UnboundedReceiver<WorkDoneProgress>,
    ) {
        // What ends so early is not shown.
        let ends_before = !delay.is_zero() && timeout(delay, reports.recv()).await.is_ok();
        if ends_before || self.requests().create_work_done_progress(token.clone()).await.is_err() {
            return;
        }
        let push = |report| {
            let value = ProgressParamsValue::WorkDone(report);
            self.push(Push::Progress(ProgressParams { token: token.clone(), value }));
        };
        push(WorkDoneProgress::Begin(begin));
        while let Some(report) = reports.recv().await {
            push(report);
        }
    }

    /// Sends something, if the client supports and wants it. Never waits for the client. Notifications
    /// other than diagnostics arrive in the order in which they were sent.
    pub(crate) fn push(&self, push: Push) {
        let client = self.inner.client.clone();
        let support = self.inner.shared.read(|state| Arc::clone(state.support()));
        match push {
            Push::Diagnostics(params) => notify(&self.inner.diagnostics, PublishDiagnostics::METHOD, &params),
            // Nothing depends on the client's answers to refreshes, so a client that does not answer delays nothing.
            Push::RefreshDiagnostics if support.pulls_diagnostics => {
                self.spawn(async move { drop(client.workspace_diagnostic_refresh().await) });
            }
            Push::RefreshInlayHints if support.refreshes_inlay_hints => {
                let this = self.clone();
                self.spawn(async move { this.refresh_hints(&client).await });
            }
            Push::RefreshCodeLenses if support.refreshes_code_lenses => {
                self.spawn(async move { drop(client.code_lens_refresh().await) });
            }
            Push::RefreshDiagnostics | Push::RefreshInlayHints | Push::RefreshCodeLenses => {}
            Push::TestsChanged(uris) => self.notify_extension("eval-ls/testsChanged", &UrisParams { uris }),
            Push::VerdictsChanged(uris) => self.notify_extension("eval-ls/verdictsChanged", &UrisParams { uris }),
            Push::RunsChanged => self.notify_extension("eval-ls/runsChanged", &json!({})),
            Push::RunEvent(event) => self.notify_extension("eval-ls/runEvent", &event),
            Push::Progress(params) => self.notify::<ProgressNotification>(&params),
            Push::Partial(token, items) => {
                let value = WorkspaceDiagnosticReportPartialResult { items };
                notify(&self.inner.others, ProgressNotification::METHOD, &json!({ "token": token, "value": value }));
            }
            Push::Log(text) => {
                let message = visible_text(text);
                self.notify::<LogMessage>(&LogMessageParams { typ: MessageType::INFO, message });
            }
            Push::Message(message) => {
                let message = without_links(&message);
                self.notify::<ShowMessage>(&ShowMessageParams { typ: MessageType::INFO, message });
            }
        }
    }

    /// Notes that the client has requested inlay hints.
    pub(crate) fn note_hint_request(&self) {
        self.inner.hint_requests.fetch_add(1, Ordering::SeqCst);
    }

    /// Refreshes inlay hints. Repeats this if the client has requested them before, and neither a request nor another refresh
    /// follows: VS Code ignores a refresh that it receives before the response to its first request.
    async fn refresh_hints(&self, client: &Client) {
        let Inner { hint_refreshes, hint_requests, .. } = &*self.inner;
        let refresh = hint_refreshes.fetch_add(1, Ordering::SeqCst) + 1;
        let mut waits = HINT_WAITS.into_iter();
        loop {
            let requests = hint_requests.load(Ordering::SeqCst);
            drop(client.inlay_hint_refresh().await);
            let Some(wait) = waits.next() else { return };
            sleep(wait).await;
            let is_last = hint_refreshes.load(Ordering::SeqCst) == refresh;
            if requests == 0 || !is_last || hint_requests.load(Ordering::SeqCst) != requests {
                return;
            }
        }
    }

    /// Blocks until the diagnostics that were pushed last are written.
    pub(crate) fn wait_until_diagnostics_are_written(&self) {
        lock(&self.inner.diagnostics).ready();
    }

    fn notify<N: Notification>(&self, params: &N::Params) {
        notify(&self.inner.others, N::METHOD, params);
    }

    fn notify_extension(&self, method: &str, params: &impl Serialize) {
        if self.inner.shared.read(|state| state.settings().run_events) {
            notify(&self.inner.others, method, params);
        }
    }
}

fn notify(notifier: &Mutex<Notifier>, method: &str, params: &impl Serialize) {
    if let Err(error) = lock(notifier).notify(method, params) {
        log(&format!("could not send `{method}`: {error}"));
    }
}

fn lock(notifier: &Mutex<Notifier>) -> MutexGuard<'_, Notifier> {
    notifier.lock().unwrap_or_else(PoisonError::into_inner)
}
