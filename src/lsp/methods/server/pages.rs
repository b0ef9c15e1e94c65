//! Pages that clients show: transcripts, results, reports, the server's status. A page without a file is written below the user's
//! state directory, readable by the user only.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ls_types::{LSPAny, Range, ShowDocumentParams, Uri};
use tower_lsp_server::jsonrpc::Result;

use crate::files;
use crate::lsp::client::settings::log;
use crate::lsp::convert::uris;
use crate::lsp::features::reports::{Opened, RunFault, Workspaces};
use crate::lsp::features::test_explorer::hash;
use crate::lsp::protocol::commands::Argument;
use crate::lsp::protocol::{ReportParams, ReportResult};
use crate::lsp::push::Push;
use crate::lsp::session::choices::state_folder;
use crate::lsp::session::suites;
use crate::transcript::file_name;
use crate::workspace::root_of_file;

use super::runs::failed;
use super::{Server, uncancelled};

/// The age at which pages are removed. An editor may show a page for a day.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes old pages.
pub(crate) fn clean() {
    let Some(folder) = folder() else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = written.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > MAX_AGE));
        if is_old {
            // A page that cannot be removed now is removed in a later session.
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
    }
}

/// Writes a page about a case of a suite and returns its path. `extension` begins with a dot. Each page has a folder, so that its
/// name is short: editors show it as a title.
pub(crate) fn write(suite: &str, about: &str, extension: &str, text: &str) -> Result<PathBuf> {
    let folder = folder().ok_or_else(|| failed("no folder for pages: set `XDG_STATE_HOME` or `HOME`"))?;
    let name = file_name(about);
    let name = name.strip_suffix(".json").unwrap_or(&name);
    let name: String = name.chars().take(100).collect();
    let path = folder.join(hash(&format!("{suite}\n{about}"))).join(format!("{name}{extension}"));
    files::replace_private(&path, text.as_bytes()).map_err(failed)?;
    Ok(path)
}

fn folder() -> Option<PathBuf> {
    Some(state_folder()?.join("pages"))
}

impl Server {
    /// The HTML page of a kept run.
    pub(crate) async fn report(&self, params: ReportParams) -> Result<ReportResult> {
        let of_suite = params.uri.as_ref().and_then(uris::to_path);
        let path = |run: &Uri| uris::to_path(run).ok_or_else(|| failed(RunFault::Unknown(run.as_str().to_owned())));
        let of_run = params.run.as_ref().map(path).transpose()?;
        let workspaces = self.workspaces().await?;
        let opened = uncancelled(move || match of_run {
            Some(run) => Opened::open(&run, &workspaces),
            None => Opened::last(&workspaces, of_suite.as_deref()),
        });
        let opened = opened.await?.map_err(failed)?;
        let run = uris::from_path(opened.run.folder()).ok_or_else(|| failed(RunFault::NoRun))?;
        let (id, started_at, suites) =
            (opened.run.id().to_string(), opened.run.record().started_at.clone(), opened.suites());
        let suite = match (&params.run, &params.uri) {
            (None, Some(uri)) => self.suite(uri).await?,
            _ => None,
        };
        let html = uncancelled(move || opened.html(suite.as_ref())).await?.map_err(failed)?;
        Ok(ReportResult { run, id, started_at, html, suites })
    }

    /// Opens the HTML page of a kept run in the browser.
    pub(crate) async fn open_report(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let report = self.report(ReportParams { run: argument.run, uri: argument.uri }).await?;
        let (name, about) = (report.run.as_str().to_owned(), format!("report {}", report.id));
        let path = uncancelled(move || write(&name, &about, ".html", &report.html)).await??;
        self.show(path, Some(true), None);
        Ok(None)
    }

    /// Has the client show a file, in the editor with this selection, or in an external program such as the browser. If it cannot, shows
    /// the file's path in a message.
    pub(crate) fn show(&self, path: PathBuf, external: Option<bool>, selection: Option<Range>) {
        let (client, shows_documents) =
            (self.client.clone(), self.shared.read(|state| state.support().shows_documents));
        tokio::spawn(async move {
            if let Some(uri) = uris::from_path(&path).filter(|_| shows_documents) {
                let take_focus = external.is_none().then_some(true);
                let params = ShowDocumentParams { uri, external, take_focus, selection };
                match client.requests().show_document(params).await {
                    Ok(true) => return,
                    Ok(false) => log("the client did not show a document that it was asked to show"),
                    Err(error) => log(&format!("the client could not show a document: {error}")),
                }
            }
            client.push(Push::Message(path.display().to_string()));
        });
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
            let config = || self.shared.change(|state| Arc::clone(&state.configuration_of(&path).config));
            workspaces.entry(root).or_insert_with(config);
        }
        Ok(workspaces)
    }
}
