//! Suites that need not be open: their list (`eval-ls/tests`, `eval-ls/isSuite`), and what is read for them. Long work runs in separate
//! threads, so that other requests do not wait. No handler waits for the answer of the client.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{ConfigurationItem, Registration, Uri};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::cancellation::Canceller;
use crate::lsp::client::settings::{SECTION, log};
use crate::lsp::convert::uris;
use crate::lsp::features::test_explorer;
use crate::lsp::methods::requests::{Answer, Work};
use crate::lsp::methods::server::internal_error;
use crate::lsp::protocol::{IsSuiteParams, IsSuiteResult, TestsParams};
use crate::lsp::push::Push;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::lsp::transport::{QUICK, enter, places_for};
use crate::workspace::Membership;

use super::{Answered, Server};

impl Server {
    /// The suites of the workspace, or one with its cases.
    pub(crate) async fn tests(&self, params: TestsParams) -> Result<Work> {
        let (folders, open) = self.shared.read(|state| (state.folders().to_vec(), state.open_suites()));
        Ok(match params.uri {
            Some(uri) => {
                let suite = self.suite(&uri).await?;
                Box::new(move || Answer::new(&test_explorer::one(suite.as_ref(), &folders)))
            }
            None => Box::new(move || Answer::new(&test_explorer::all(&open, &folders))),
        })
    }

    /// Decides by the path, and if that is not enough, by the text in the editor or else on disk. A client that gives an
    /// open document the language `eval-suite` does not ask.
    pub(crate) async fn is_suite(&self, params: IsSuiteParams) -> Result<IsSuiteResult> {
        let Some(path) = uris::to_path(&params.uri) else {
            return Ok(IsSuiteResult { is_suite: false, reason: "Not a suite: it is not a file".to_owned() });
        };
        self.know([&params.uri]).await;
        let (membership, open) = self.shared.change(|state| (state.membership(&path), state.text(&params.uri)));
        let membership = match open {
            Some(text) => membership.decided(text.as_str()),
            None => uncancelled(move || membership.on_disk(&path)).await?,
        };
        Ok(IsSuiteResult { is_suite: membership == Membership::Suite, reason: membership.to_string() })
    }

    /// A suite as it is in the editor, or else on disk.
    pub(crate) async fn suite(&self, uri: &Uri) -> Result<Option<Snapshot>> {
        let uri = self.shared.read(|state| state.known_uri(uri));
        if let Some(suite) = self.shared.read(|state| state.snapshot(&uri)) {
            return Ok(Some(suite));
        }
        let Some(path) = uris::to_path(&uri) else { return Ok(None) };
        self.know([&uri]).await;
        let (membership, configuration, support, settings) = self.shared.change(|state| {
            let (support, settings) = (Arc::clone(state.support()), Arc::clone(state.settings()));
            (state.membership(&path), state.configuration_of(&path), support, settings)
        });
        uncancelled(move || {
            let is_suite = membership.on_disk(&path) == Membership::Suite;
            is_suite.then(|| suites::on_disk(uri, path, &configuration, support, settings)).flatten()
        })
        .await
    }

    /// A suite with the answers of its cases. Answers of an open suite are known soon after it is opened; others are read.
    pub(crate) async fn judged_suite(&self, uri: &Uri) -> Result<Option<Snapshot>> {
        // First, because they may become known after the suite was taken.
        let are_known = self.shared.read(|state| state.transcripts().are_read(&state.known_uri(uri)));
        let Some(suite) = self.suite(uri).await? else { return Ok(None) };
        if are_known {
            return Ok(Some(suite));
        }
        let ran = self.shared.read(|state| state.transcripts().ran(&suite.uri));
        uncancelled(move || Some(suites::with_answers(suite, &ran))).await
    }
}

/// Cancels the work when its waiting handler is dropped, because the client has cancelled the request.
#[derive(Default)]
struct Waiting(Canceller);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Computes a value in a separate thread, to the end even if the client cancels the request.
pub(crate) async fn uncancelled<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let place = enter(&QUICK).await;
    // The thread has the place: a request that is cancelled does not free it early.
    blocking(move || (work(), place)).await.map(|(value, _)| value)
}

/// Computes a value in a separate thread.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => Ok(value),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => Err(internal_error(error)),
        },
    }
}

impl Server {
    /// Answers a request with the result of work in a separate thread.
    pub(crate) async fn work(&self, method: &str, work: Work) -> Result<Answered> {
        let waiting = Waiting::default();
        let (canceller, place) = (waiting.0.clone(), enter(places_for(method)).await);
        // Until the answer is written, the place is with it, even if the client cancels the request.
        let (answer, place) = blocking(move || (canceller.run(work), place)).await?;
        let mut answer = answer.ok_or_else(Error::request_cancelled)??;
        answer.message.take().into_iter().for_each(|message| self.client.push(Push::Message(message)));
        Ok((answer, Some(place)))
    }

    /// Reads the configurations that apply to these files and folders and are not known yet; all that are in use if one of
    /// those has changed.
    pub(crate) fn read_ahead(&self, mut folders: BTreeSet<PathBuf>) -> impl Future<Output = ReadAhead> + use<> {
        let shared = Arc::clone(&self.shared);
        read(move || {
            let (known, opened) = shared.read(State::known_configurations);
            if !known.is_outdated() {
                return ReadAhead::of(&folders, &opened, &known);
            }
            folders.extend(shared.read(State::configured_folders));
            ReadAhead::of_all(&folders, &opened, &known)
        })
    }

    /// Reads the configurations that apply to these files and are not known yet.
    pub(crate) async fn know(&self, files: impl IntoIterator<Item = &Uri>) {
        let (folders, (known, opened)) = (folders_of(files), self.shared.read(State::known_configurations));
        let ahead = read(move || ReadAhead::of(&folders, &opened, &known)).await;
        self.shared.change(|state| state.supply(ahead));
    }

    /// Reads the configuration again.
    pub(crate) async fn reload(&self) {
        self.reload_with(BTreeSet::new(), |_| {}).await;
    }

    /// Reads the configuration again if it has changed on disk. Returns at once if it has not.
    pub(crate) async fn reload_if_outdated(&self) {
        if self.shared.read(State::known_configurations).0.is_outdated() {
            self.reload().await;
        }
    }

    /// Reads the configuration again, and that of the files in these folders, before the state changes.
    pub(crate) async fn reload_with(&self, mut folders: BTreeSet<PathBuf>, change: impl FnOnce(&mut State)) {
        let shared = Arc::clone(&self.shared);
        let ahead = read(move || {
            let (used, (known, opened)) =
                shared.read(|state| (state.configured_folders(), state.known_configurations()));
            folders.extend(used);
            ReadAhead::of_all(&folders, &opened, &known)
        });
        self.configure(ahead.await, |state| {
            state.reload();
            change(state);
        });
    }

    /// Changes the configuration of documents, for which files were read `ahead`.
    pub(crate) fn configure(&self, ahead: ReadAhead, change: impl FnOnce(&mut State)) {
        let globs = self.shared.change(|state| {
            state.supply(ahead);
            change(state);
            state.globs_to_watch()
        });
        if !globs.is_empty() {
            let watchers: Vec<_> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
            let id = format!("eval-ls.watch:{}", globs.join(","));
            self.register(id, "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
        }
    }

    /// Registers for a notification that the client would not send otherwise.
    pub(crate) fn register(&self, id: String, method: &'static str, options: Value) {
        let registration = Registration { id, method: method.to_owned(), register_options: Some(options) };
        let client = self.client.clone();
        tokio::spawn(async move {
            if let Err(error) = client.requests().register_capability(vec![registration]).await {
                log(&format!("the client does not support `{method}`; changes are picked up on save: {error}"));
            }
        });
    }

    /// Asks the client for its configuration.
    pub(crate) fn ask_for_settings(&self) {
        let client = self.client.clone();
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            match client.requests().configuration(vec![item]).await {
                Ok(sections) => {
                    let section = sections.into_iter().next().unwrap_or_default();
                    client.shared().change(|state| state.set_settings(&section));
                }
                Err(error) => log(&format!("the client did not send its configuration: {error}")),
            }
        });
    }
}

/// The folders of these files.
pub(crate) fn folders_of<'a>(files: impl IntoIterator<Item = &'a Uri>) -> BTreeSet<PathBuf> {
    let paths = files.into_iter().filter_map(uris::to_path);
    paths.filter_map(|path| path.parent().map(Path::to_owned)).collect()
}

/// Reads in another thread. This has no limit of answers, because a client that does not read must not prevent it.
async fn read(read: impl FnOnce() -> ReadAhead + Send + 'static) -> ReadAhead {
    // It fails only if the runtime ends.
    blocking(read).await.unwrap_or_default()
}
