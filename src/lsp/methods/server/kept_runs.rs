//! The page of a kept run.

use std::path::PathBuf;
use std::sync::Arc;

use ls_types::{LSPAny, Uri};
use tower_lsp_server::jsonrpc::Result;

use super::runs::failed;
use super::{Server, uncancelled};
use crate::lsp::convert::uris;
use crate::lsp::features::kept_runs::{Opened, RunFault, Workspaces};
use crate::lsp::methods::pages;
use crate::lsp::protocol::commands::Argument;
use crate::lsp::protocol::{ReportParams, ReportResult};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::workspace::root_of_file;

impl Server {
    /// The HTML page of a kept run.
    pub(super) async fn report(&self, params: ReportParams) -> Result<ReportResult> {
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
    pub(super) async fn open_report(&self, argument: Argument) -> Result<Option<LSPAny>> {
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
