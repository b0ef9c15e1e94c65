//! What the server sends to the client without a request.
//!
//! Everything goes through [`ClientHandle::push`]; [`Push`] lists all that there is. Four parts push:
//!
//! | part | pushes | runs in |
//! | --- | --- | --- |
//! | [`start_publisher`] | diagnostics of open suites and of configurations | a thread |
//! | [`push_changes`] | changed tests, verdicts and runs; refreshes, if lenses or verdicts change without an edit | a task |
//! | [`look_for_runs`] | changed runs, if another program writes them | a task |
//! | [`runs`](crate::lsp::runs) | run events, progress, log messages | a thread for each run |

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;
use std::{io, thread};

use ls_types::notification::{
    LogMessage, Notification, Progress as ProgressNotification, PublishDiagnostics, ShowMessage,
};
use ls_types::{
    Diagnostic, LogMessageParams, MessageActionItem, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
    ShowMessageParams, Uri, WorkDoneProgress, WorkDoneProgressBegin,
};
use serde::{Serialize, Serializer};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until};
use tower_lsp_server::{Client, jsonrpc};

use crate::config::Config;
use crate::lsp::client::settings::{Support, log};
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::features::diagnostics;
use crate::lsp::protocol::{Ask, AskParams, RunEvent, UrisParams};
use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::{Current, News, State};
use crate::lsp::session::suites::{self, Stamp};
use crate::lsp::transport::{self, Outbox};
use crate::runs::Runs;
use crate::text::visible_text;
use crate::transcript::Store;
use crate::workspace::root_of;
use crate::workspace::tools::Observers;

/// Starts the parts that push for as long as the session lasts. Must be called within the runtime.
///
/// # Errors
/// If a thread cannot be started.
pub(crate) fn start(client: &ClientHandle) -> io::Result<()> {
    start_publisher(client.clone())?;
    push_changes(client.clone());
    look_for_runs(client.clone());
    look_for_tools(client.clone())
}

/// How long a refresh of inlay hints waits for a request before it is repeated. The first is longer than VS Code waits
/// before it requests them. A client that shows no suite requests nothing, so there are few.
const HINT_WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// What may be pushed to the client.
#[derive(Debug)]
pub(crate) enum Push {
    /// `textDocument/publishDiagnostics`.
    Diagnostics(Diagnostics),
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
    /// `$/progress` of a run.
    Progress(ProgressParams),
    /// `window/logMessage`.
    Log(String),
    /// `window/showMessage`, without links.
    Message(String),
}

/// The parameters of `textDocument/publishDiagnostics`.
#[derive(Debug, Serialize)]
pub(crate) struct Diagnostics {
    #[serde(serialize_with = "as_written")]
    pub(crate) uri: Uri,
    pub(crate) diagnostics: Vec<Diagnostic>,
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
    outbox: Outbox,
    /// Disconnected as soon as the last diagnostics are written.
    last_diagnostics: Mutex<mpsc::Receiver<Infallible>>,
    hint_refreshes: AtomicU64,
    hint_requests: AtomicU64,
}

impl ClientHandle {
    /// Must be called within the runtime.
    pub(crate) fn new(shared: Arc<Shared>, client: Client, outbox: &Outbox) -> Self {
        let inner = Inner {
            shared,
            client,
            runtime: Handle::current(),
            outbox: outbox.clone(),
            last_diagnostics: Mutex::new(mpsc::channel().1),
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

    /// Shows progress. Reports, the last of which ends it, go to the returned sender. `None` if the client shows no progress. Never
    /// waits for the client.
    pub(crate) fn progress(
        &self,
        token: String,
        begin: WorkDoneProgressBegin,
    ) -> Option<UnboundedSender<WorkDoneProgress>> {
        if !self.inner.shared.read(|state| state.support().work_done_progress) {
            return None;
        }
        let (sender, reports) = unbounded_channel();
        self.spawn(self.clone().show_progress(ProgressToken::String(token), begin, reports));
        Some(sender)
    }

    async fn show_progress(
        self,
        token: ProgressToken,
        begin: WorkDoneProgressBegin,
        mut reports: UnboundedReceiver<WorkDoneProgress>,
    ) {
        if self.requests().create_work_done_progress(token.clone()).await.is_err() {
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
            Push::Diagnostics(params) => {
                let (until_written, last) = mpsc::channel();
                self.notify_until(PublishDiagnostics::METHOD, &params, until_written);
                *self.last_diagnostics() = last;
            }
            // Nothing depends on the client's answers to refreshes, so a client that does not answer delays nothing.
            Push::RefreshInlayHints if support.refreshes_inlay_hints => {
                let this = self.clone();
                self.spawn(async move { this.refresh_hints(&client).await });
            }
            Push::RefreshCodeLenses if support.refreshes_code_lenses => {
                self.spawn(async move { drop(client.code_lens_refresh().await) });
            }
            Push::RefreshInlayHints | Push::RefreshCodeLenses => {}
            Push::TestsChanged(uris) => self.notify_extension("eval-ls/testsChanged", &UrisParams { uris }),
            Push::VerdictsChanged(uris) => self.notify_extension("eval-ls/verdictsChanged", &UrisParams { uris }),
            Push::RunsChanged => self.notify_extension("eval-ls/runsChanged", &json!({})),
            Push::RunEvent(event) => self.notify_extension("eval-ls/runEvent", &event),
            Push::Progress(params) => self.notify::<ProgressNotification>(&params),
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
        // Nothing is ever sent.
        let _ = self.last_diagnostics().recv();
    }

    fn notify<N: Notification>(&self, params: &N::Params) {
        self.notify_until(N::METHOD, params, ());
    }

    fn notify_extension(&self, method: &str, params: &impl Serialize) {
        if self.inner.shared.read(|state| state.settings().run_events) {
            self.notify_until(method, params, ());
        }
    }

    fn notify_until(&self, method: &str, params: &impl Serialize, until_written: impl Send + 'static) {
        if let Err(error) = self.inner.outbox.notify(method, params, until_written) {
            log(&format!("could not send `{method}`: {error}"));
        }
    }

    fn last_diagnostics(&self) -> MutexGuard<'_, mpsc::Receiver<Infallible>> {
        self.inner.last_diagnostics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often folders are compared. A person who comes from a terminal looks at the editor about as late.
const INTERVAL: Duration = Duration::from_secs(2);

/// The identities of folders, and of the last run in each.
type Seen = BTreeMap<PathBuf, (Option<Stamp>, Option<Stamp>)>;

/// Starts to look for runs and transcripts.
pub(crate) fn look_for_runs(client: ClientHandle) {
    tokio::spawn(async move {
        let mut seen = Seen::new();
        loop {
            tokio::time::sleep(INTERVAL).await;
            let (suites, folders) = client.shared().read(State::places_of_answers);
            let Ok(now) = tokio::task::spawn_blocking(move || look(&suites, &folders)).await else {
                log("internal error while looking for new runs");
                continue;
            };
            let exists = |(folder, stamps): &(&PathBuf, &(Option<Stamp>, Option<Stamp>))| {
                stamps.0.is_some() || seen.contains_key(*folder)
            };
            if now.iter().filter(exists).any(|(folder, stamps)| seen.get(folder) != Some(stamps)) {
                client.shared().change(State::look_again);
                client.push(Push::RunsChanged);
            }
            seen = now;
        }
    });
}

fn look(suites: &[(PathBuf, Arc<Config>)], folders: &[(PathBuf, Arc<Config>)]) -> Seen {
    let stores = suites.iter().map(|(path, config)| suites::store(path, config));
    let transcripts = stores.filter(Store::is_inside).map(|store| {
        let folder = store.folder();
        (folder.to_owned(), (Stamp::of_file(folder), None))
    });
    let runs =
        folders.iter().map(|(folder, config)| suites::kept_runs(&root_of(folder), config)).filter(Runs::is_inside);
    let runs = runs.map(|runs| {
        let last = runs.last_record().as_deref().and_then(Stamp::of_file);
        (runs.path().to_owned(), (Stamp::of_file(runs.path()), last))
    });
    transcripts.chain(runs).collect()
}

/// The pause after a look. Several files that change together are one look.
const PAUSE: Duration = Duration::from_millis(200);

/// Looks for the tools of each workspace in the files around open suites, in one thread, so that requests never wait for the disk.
/// Requests to look again that arrive during a look or shortly after it lead to one more look.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn look_for_tools(client: ClientHandle) -> io::Result<()> {
    let look = move || {
        let mut observers = Observers::default();
        loop {
            let scopes = client.shared().wait(State::scopes_to_read);
            observers.keep(scopes.iter().map(|(scope, _)| scope));
            for (scope, config) in scopes {
                let look = AssertUnwindSafe(|| observers.of(&scope).tools(&config));
                let Ok(tools) = catch_unwind(look) else { continue };
                client.shared().change(|state| state.set_tools(&scope, tools));
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("lsp-observer".to_owned()).spawn(look).map(drop)
}

/// Starts the thread, which runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn start_publisher(client: ClientHandle) -> io::Result<()> {
    let support = client.shared().read(|state| Arc::clone(state.support()));
    let publisher = Publisher { client, support, published: HashMap::new() };
    thread::Builder::new().name("lsp-publisher".to_owned()).spawn(move || publisher.run()).map(drop)
}

struct Publisher {
    client: ClientHandle,
    support: Arc<Support>,
    /// What was sent for the documents for which the client may show diagnostics.
    published: HashMap<Uri, Sent>,
}

/// The verdicts that were sent last for a document, and how long it took to find them.
#[derive(Default)]
struct Sent {
    verdicts: Vec<Diagnostic>,
    judging: Duration,
}

/// If the verdicts took longer, or that of a case, the next findings do not wait for them.
const SLOW: Duration = Duration::from_millis(50);

impl Publisher {
    fn run(mut self) {
        loop {
            self.client.wait_until_diagnostics_are_written();
            let (uri, current) = self.client.shared().wait(State::next_outdated);
            self.publish(uri, current);
        }
    }

    fn publish(&mut self, uri: Uri, current: Current) {
        let version = match &current {
            Current::Suite(snapshot) => Some(snapshot.version),
            Current::Unreadable(version) => Some(*version),
            Current::OpenConfiguration(configuration) => configuration.version,
            Current::Configuration(_) | Current::Nothing => None,
        };
        let (sent, is_silent) = (self.published.remove(&uri), current.is_silent());
        if is_silent && sent.is_none() {
            return;
        }
        let push = |diagnostics| {
            self.client.push(Push::Diagnostics(Diagnostics { uri: uri.clone(), diagnostics, version }));
        };
        let find = || match &current {
            Current::Suite(snapshot) => {
                let Sent { verdicts: before, judging } = sent.unwrap_or_default();
                let mut diagnostics = diagnostics::of_findings(snapshot);
                if judging.max(snapshot.document.last_judging()) > SLOW {
                    push(diagnostics.iter().cloned().chain(before).collect());
                }
                let start = std::time::Instant::now();
                let verdicts = diagnostics::of_verdicts(snapshot);
                diagnostics.extend(verdicts.iter().cloned());
                (diagnostics, Sent { verdicts, judging: start.elapsed() })
            }
            _ => (diagnostics::of(&uri, &current, &self.support), Sent::default()),
        };
        let found = catch_unwind(AssertUnwindSafe(find));
        let (diagnostics, sent) = found.unwrap_or_else(|_| (vec![diagnostics::internal_error()], Sent::default()));
        // An edit copies nothing once this is dropped.
        drop(current);
        push(diagnostics);
        if !is_silent {
            self.published.insert(uri, sent);
        }
    }
}

/// How long changes are collected before more are sent. Below what a person notices.
const COLLECT: Duration = Duration::from_millis(50);

/// How often the lenses of running cases show a new duration. The duration is shown in seconds.
const TICK: Duration = Duration::from_secs(1);

/// Pushes what follows from changes of the state: changed tests, verdicts, lenses, runs and hints. Changes within a short time are sent once.
fn push_changes(client: ClientHandle) {
    let shared = Arc::clone(client.shared());
    let mut lens_requests = shared.lens_requests();
    tokio::spawn(async move {
        let mut refreshes = LensRefreshes::default();
        loop {
            let runs = !shared.read(|state| state.runs().is_empty());
            let next = refreshes.next(runs);
            tokio::select! {
                () = shared.news() => {}
                Ok(()) = lens_requests.changed() => {
                    refreshes.requested(Instant::now());
                    continue;
                }
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => refreshes.due = true,
            }
            let news = shared.change(|state| state.take_news());
            refreshes.due |= news.lenses;
            if refreshes.may_be_sent(Instant::now()) {
                lens_requests.mark_unchanged();
                client.push(Push::RefreshCodeLenses);
                refreshes.sent(Instant::now());
            }
            push_news(&client, news);
            sleep(COLLECT).await;
        }
    });
}

fn push_news(client: &ClientHandle, news: News) {
    if news.hints {
        client.push(Push::RefreshInlayHints);
    }
    if news.runs {
        client.push(Push::RunsChanged);
    }
    if !news.tests.is_empty() {
        client.push(Push::TestsChanged(news.tests.into_iter().collect()));
    }
    if !news.verdicts.is_empty() {
        client.push(Push::VerdictsChanged(news.verdicts.into_iter().collect()));
    }
}

/// When lenses are refreshed. VS Code waits before it requests lenses after a refresh (250 ms, or as long as its last requests
/// took), and again before it shows the response. Each refresh restarts the first wait, and each response restarts the second.
/// So if refreshes follow each other faster, the shown lenses never change. This sends a refresh when the client has requested
/// the lenses of the last one and has had time to show them. If the client does not request them, because it shows no suite or
/// because the focus has moved, the next refresh is sent after a wait that doubles.
#[derive(Debug, Default)]
struct LensRefreshes {
    /// Whether lenses have changed since the last refresh.
    due: bool,
    /// When the last refresh was sent.
    last: Option<Instant>,
    /// The earliest time of the next refresh.
    not_before: Option<Instant>,
    /// How long the last refresh waits for a request; none if the client has followed it.
    patience: Option<Duration>,
}

impl LensRefreshes {
    /// How long the client has to show the lenses that it has requested.
    const SHOW: Duration = Duration::from_millis(250);
    /// The longest time that a refresh waits for a request.
    const LONGEST: Duration = Duration::from_secs(8);

    /// The client has requested lenses.
    fn requested(&mut self, now: Instant) {
        self.patience = None;
        self.not_before = Some(now + Self::SHOW);
    }

    fn may_be_sent(&self, now: Instant) -> bool {
        self.due && self.not_before.is_none_or(|at| at <= now)
    }

    fn sent(&mut self, now: Instant) {
        let patience = self.patience.map_or(TICK, |patience| (patience * 2).min(Self::LONGEST));
        *self =
            LensRefreshes { due: false, last: Some(now), not_before: Some(now + patience), patience: Some(patience) };
    }

    /// When the next refresh is sent if there is no other news. `runs`: whether cases run.
    fn next(&self, runs: bool) -> Option<Instant> {
        let tick = self.last.filter(|_| runs).map(|at| at + TICK);
        match (self.due, tick) {
            (true, _) => self.not_before,
            (false, Some(tick)) => Some(self.not_before.map_or(tick, |at| at.max(tick))),
            (false, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn lenses_are_refreshed_when_the_client_has_requested_the_last_ones() {
        let now = Instant::now();
        let mut refreshes = LensRefreshes { due: true, ..LensRefreshes::default() };
        assert!(refreshes.may_be_sent(now));
        refreshes.sent(now);
        assert!(!refreshes.may_be_sent(now + TICK), "nothing has changed");
        refreshes.due = true;
        assert!(!refreshes.may_be_sent(now + SOON), "the client will request them");
        refreshes.requested(now + SOON);
        assert!(!refreshes.may_be_sent(now + SOON), "the client will show them");
        let shown = now + SOON + LensRefreshes::SHOW;
        assert_eq!(refreshes.next(false), Some(shown));
        assert!(refreshes.may_be_sent(shown));
    }

    #[test]
    fn a_client_that_requests_no_lenses_gets_fewer_and_fewer_refreshes() {
        let start = Instant::now();
        let mut refreshes = LensRefreshes { due: true, ..LensRefreshes::default() };
        refreshes.sent(start);
        let mut seconds = Vec::new();
        for _ in 0..6 {
            let next = refreshes.next(true).expect("a case runs");
            refreshes.due = true;
            assert!(refreshes.may_be_sent(next));
            seconds.push((next - start).as_secs());
            refreshes.sent(next);
        }
        assert_eq!(seconds, [1, 3, 7, 15, 23, 31]);
        let last = refreshes.last.expect("refreshes were sent");
        refreshes.requested(last + SOON);
        assert_eq!(refreshes.next(true), Some(last + TICK));
    }

    #[test]
    fn without_runs_and_news_nothing_is_due() {
        let mut refreshes = LensRefreshes::default();
        assert_eq!(refreshes.next(false), None);
        refreshes.sent(Instant::now());
        assert_eq!(refreshes.next(false), None);
    }
}
