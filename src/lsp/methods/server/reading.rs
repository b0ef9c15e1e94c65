//! Reads configurations, in another thread and while the state is not locked, so that a slow disk delays neither hovers nor the messages to
//! the client. Notifications that depend on them hold the messages after them. The client sends its settings, and reports changed files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{ConfigurationItem, Registration, Uri};
use serde_json::{Value, json};

use crate::lsp::client::settings::{SECTION, log};
use crate::lsp::convert::uris;
use crate::lsp::push::Push;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::state::State;
use crate::lsp::transport::{Hold, hold};

use super::Server;
use super::work::blocking;

impl Server {
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
            hold(Hold::AllButSmall);
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
            let is_affected = !state.reload().is_empty();
            change(state);
            is_affected
        });
    }

    /// Changes the configuration of documents, for which files were read `ahead`. If `change` returns true, diagnostics are
    /// refreshed.
    pub(crate) fn configure(&self, ahead: ReadAhead, change: impl FnOnce(&mut State) -> bool) {
        let is_affected = self.shared.change(|state| {
            state.supply(ahead);
            change(state)
        });
        if is_affected {
            self.client.push(Push::RefreshDiagnostics);
        }
        let globs = self.shared.change(State::globs_to_watch);
        if !globs.is_empty() {
            let watchers: Vec<_> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
            let id = format!("eval-ls.watch:{}", globs.join(","));
            self.register(id, "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
        }
        self.shared.note_revision();
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
                    if client.shared().change(|state| state.set_settings(&section)) {
                        client.push(Push::RefreshDiagnostics);
                    }
                    client.shared().note_revision();
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
