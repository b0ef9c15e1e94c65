//! Requests about kept runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use ls_types::{LSPAny, Uri};
use serde_json::json;
use tower_lsp_server::jsonrpc::Result;

use super::runs::failed;
use super::{Server, uncancelled};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::features::kept_runs::{self, Opened, RunFault, Workspaces};
use crate::lsp::features::texts;
use crate::lsp::features::transcript_page::transcript_page;
use crate::lsp::methods::pages;
use crate::lsp::protocol::commands::Argument;
use crate::lsp::protocol::{
    ReportParams, ReportResult, RunCasesParams, RunCasesResult, RunsParams, RunsResult, TranscriptPage,
    TranscriptPageParams,
};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::workspace::root_of_file;

impl Server {
    /// Lists the kept runs.
    pub(super) async fn kept_runs(&self, params: RunsParams) -> Result<RunsResult> {
        let workspaces = self.workspaces().await?;
        let suite = params.uri.as_ref().and_then(uris::to_path);
        uncancelled(move || kept_runs::list(&workspaces, suite.as_deref())).await
    }

    /// Lists the cases of a kept run.
    pub(super) async fn run_cases_of(&self, params: RunCasesParams) -> Result<RunCasesResult> {
        let opened = self.opened(&params.run).await?;
        uncancelled(move || opened.cases()).await
    }

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
        let (id, started_at) = (opened.id().to_owned(), opened.started_at().to_owned());
        let suite = match (&params.run, &params.uri) {
            (None, Some(uri)) => self.suite(uri).await?,
            _ => None,
        };
        let html = uncancelled(move || match suite.as_ref().and_then(|suite| Some((suite, suite.document.path()?))) {
            Some((suite, path)) => opened.html_of_suite(path, &ids_of(suite)),
            None => opened.html(),
        });
        let html = html.await?.map_err(failed)?;
        Ok(ReportResult { run, id: id.to_string(), started_at, html })
    }

    /// Opens the HTML page of a kept run in the browser.
    pub(super) async fn open_report(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let report = self.report(ReportParams { run: argument.run, uri: argument.uri }).await?;
        self.open_in_browser(&report.run, format!("report {}", report.id), report.html).await
    }

    /// Opens the page of an answer of a kept run in the browser.
    pub(super) async fn open_run_answer(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let Argument { uri: Some(uri), case: Some(case), run: Some(run), .. } = argument else {
            return Err(failed("specify `run`, `uri` and `case`"));
        };
        let params = TranscriptPageParams { uri, case: case.clone(), run: Some(run.clone()) };
        let page = self.transcript_page_of_run(params).await?;
        let page = page.ok_or_else(|| failed(RunFault::NoAnswer(quoted(&case))))?;
        self.open_in_browser(&run, case, page.html).await
    }

    /// Writes an HTML page about a kept run, and opens it in the browser.
    async fn open_in_browser(&self, run: &Uri, about: String, html: String) -> Result<Option<LSPAny>> {
        let name = run.as_str().to_owned();
        let path = uncancelled(move || pages::write(&name, &about, ".html", &html)).await?.map_err(failed)?;
        let (client, shows) = (self.client.clone(), self.shared.read(|state| state.support().shows_documents));
        tokio::spawn(async move { pages::show_in_browser(&client, &path, shows).await });
        Ok(None)
    }

    /// The answer of a case in a kept run, judged by the current text, as an HTML page.
    pub(super) async fn transcript_page_of_run(&self, params: TranscriptPageParams) -> Result<Option<TranscriptPage>> {
        let run = params.run.ok_or_else(|| failed("specify `run`"))?;
        let opened = self.opened(&run).await?;
        let (suite, opened, case) = self.case_of_run(opened, Some(&params.uri), Some(params.case)).await?;
        uncancelled(move || transcript_page(&suite, &case, Some(&opened), SystemTime::now())).await
    }

    /// Accepts an answer of a kept run as the case's transcript.
    pub(super) async fn accept_run_answer(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let run = argument.run.ok_or_else(|| failed("specify `run`"))?;
        let opened = self.opened(&run).await?;
        let (suite, _, case) = self.case_of_run(opened, argument.uri.as_ref(), argument.case).await?;
        uncancelled(move || texts::accept(&suite, &case)).await?.map_err(failed)?;
        self.reload().await;
        Ok(Some(json!({})))
    }

    /// A case of a run, and its suite with the answer of the run.
    async fn case_of_run(
        &self,
        opened: Opened,
        uri: Option<&Uri>,
        case: Option<String>,
    ) -> Result<(Snapshot, Opened, String)> {
        let (Some(uri), Some(case)) = (uri, case) else { return Err(failed("specify `uri` and `case`")) };
        let suite = self.suite(uri).await?.ok_or_else(|| failed("the suite of this case does not exist any more"))?;
        uncancelled(move || (opened.with_answer(suite, &case), opened, case)).await
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
