//! The custom methods of `docs/lsp-extensions.md`.
//!
//! Configurations are read in another thread and while the state is not locked, so that a slow disk delays neither hovers nor
//! the messages to the client. Notifications that depend on them hold the messages after them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{LSPAny, Uri};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::{ClientSocket, LspService};

use crate::lsp::convert::uris;
use crate::lsp::features::html::{Opened, RunFault, Workspaces};
use crate::lsp::features::test_explorer;
use crate::lsp::methods::pages;
use crate::lsp::protocol::running::Argument;
use crate::lsp::protocol::{IsSuiteParams, IsSuiteResult, ReportParams, ReportResult, TestsParams, TestsResult};
use crate::lsp::push::Push;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::lsp::transport::{Connection, Hold, Work, hold};
use crate::workspace::{Membership, root_of_file};

use super::runs::failed;
use super::work::{answer, blocking};
use super::{Server, uncancelled};

/// A server for the client at the other end of the connection, and its state.
pub(crate) fn service(connection: &Connection) -> (LspService<Server>, ClientSocket, Arc<Shared>) {
    let (service, socket) = LspService::build(|client| Server::new(client, connection))
        .custom_method("eval-ls/tests", Server::tests)
        .custom_method("eval-ls/isSuite", Server::is_suite)
        .custom_method("eval-ls/run", Server::run)
        .custom_method("eval-ls/requestApproval", Server::request_approval)
        .custom_method("eval-ls/stop", Server::stop)
        .custom_method("eval-ls/verdicts", Server::verdicts)
        .custom_method("eval-ls/transcript", Server::transcript)
        .custom_method("eval-ls/transcriptPage", Server::transcript_page)
        .custom_method("eval-ls/result", Server::result)
        .custom_method("eval-ls/report", Server::report)
        .custom_method("eval-ls/baselineAnswer", Server::baseline_answer)
        .custom_method("eval-ls/trust", Server::trust)
        // The library knows the protocol's own notification only in the other direction.
        .custom_method("window/workDoneProgress/cancel", Server::cancel_progress)
        .finish();
    let shared = Arc::clone(&service.inner().shared);
    (service, socket, shared)
}

impl Server {
    async fn tests(&self, params: TestsParams) -> Result<TestsResult> {
        let folders = self.shared.read(|state| state.folders().to_vec());
        match params.uri {
            Some(uri) => {
                let suite = self.suite(&uri).await?;
                uncancelled(move || test_explorer::one(suite.as_ref(), &folders)).await
            }
            None => {
                let open = self.shared.read(State::open_suites);
                answer(Work::Slow, move || test_explorer::all(&open, &folders)).await
            }
        }
    }

    /// Decides by the path, and if that is not enough, by the text in the editor or else on disk. A client that gives an
    /// open document the language `eval-suite` does not ask.
    async fn is_suite(&self, params: IsSuiteParams) -> Result<IsSuiteResult> {
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
        let (membership, configuration, support) = self
            .shared
            .change(|state| (state.membership(&path), state.configuration_of(&path), Arc::clone(state.support())));
        uncancelled(move || {
            let is_suite = membership.on_disk(&path) == Membership::Suite;
            is_suite.then(|| suites::on_disk(uri, path, &configuration, support)).flatten()
        })
        .await
    }

    /// The same with the answers of its cases: those of an open suite are known soon after it is opened, the others are read.
    pub(crate) async fn judged_suite(&self, uri: &Uri) -> Result<Option<Snapshot>> {
        // First, because they may become known after the suite was taken.
        let are_known = self.shared.read(|state| state.are_answers_known(&state.known_uri(uri)));
        let Some(suite) = self.suite(uri).await? else { return Ok(None) };
        if are_known {
            return Ok(Some(suite));
        }
        let ran = self.shared.read(|state| state.ran(&suite.uri));
        uncancelled(move || Some(suites::with_answers(suite, &ran))).await
    }
}

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
            self.watch(&globs);
        }
        self.shared.note_revision();
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

impl Server {
    /// The HTML page of a kept run.
    pub(crate) async fn report(&self, params: ReportParams) -> Result<ReportResult> {
        let opened = match &params.run {
            Some(run) => self.opened(run).await?,
            None => {
                let workspaces = self.workspaces().await?;
                let suite = params.uri.as_ref().and_then(uris::to_path);
                uncancelled(move || Opened::last(&workspaces, suite.as_deref())).await?.map_err(failed)?
            }
        };
        let run = uris::from_path(opened.folder()).ok_or_else(|| failed(RunFault::NoRun))?;
        let (id, started_at, suites) = (opened.id().to_string(), opened.started_at().to_owned(), opened.suites());
        let suite = match (&params.run, &params.uri) {
            (None, Some(uri)) => self.suite(uri).await?,
            _ => None,
        };
        let html = uncancelled(move || match suite.as_ref().and_then(|suite| Some((suite, suite.document.path()?))) {
            Some((suite, path)) => opened.html_of_suite(path, &ids_of(suite)),
            None => opened.html(),
        });
        let html = html.await?.map_err(failed)?;
        Ok(ReportResult { run, id, started_at, html, suites })
    }

    /// Opens the HTML page of a kept run in the browser.
    pub(crate) async fn open_report(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let report = self.report(ReportParams { run: argument.run, uri: argument.uri }).await?;
        let (name, about) = (report.run.as_str().to_owned(), format!("report {}", report.id));
        let path = uncancelled(move || pages::write(&name, &about, ".html", &report.html)).await?.map_err(failed)?;
        let (client, shows) = (self.client.clone(), self.shared.read(|state| state.support().shows_documents));
        tokio::spawn(async move { pages::show_in_browser(&client, &path, shows).await });
        Ok(None)
    }

    async fn opened(&self, run: &Uri) -> Result<Opened> {
        let workspaces = self.workspaces().await?;
        let path = uris::to_path(run);
        let path = path.ok_or_else(|| failed(RunFault::Unknown(run.as_str().to_owned())))?;
        uncancelled(move || Opened::open(&path, &workspaces)).await?.map_err(failed)
    }

    /// The workspaces of the open suites and of those in the workspace folders.
    async fn workspaces(&self) -> Result<Workspaces> {
        let (folders, open) = self.shared.read(|state| (state.folders().to_vec(), state.open_suites()));
        let paths = uncancelled(move || {
            let open = open.iter().filter_map(|suite| suite.document.path().map(ToOwned::to_owned));
            let mut paths = suites::below(&folders);
            paths.extend(open);
            // A folder whose suites are gone may still have runs.
            paths.extend(folders.iter().map(|folder| folder.join("suite.json")));
            let with_root = |path: PathBuf| (root_of_file(&path), path);
            paths.into_iter().map(with_root).collect::<Vec<_>>()
        })
        .await?;
        let mut workspaces = Workspaces::new();
        for (root, path) in paths {
            let config = || self.shared.change(|state| Arc::clone(state.configuration_of(&path).config()));
            workspaces.entry(root).or_insert_with(config);
        }
        Ok(workspaces)
    }
}

/// The ids of the cases of a suite.
fn ids_of(suite: &Snapshot) -> Vec<String> {
    suite.document.suite().cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.clone())).collect()
}
