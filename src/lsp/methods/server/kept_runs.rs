//! Requests about kept runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::json;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{LSPAny, Uri};

use super::runs::failed;
use super::{Server, elsewhere};
use crate::lsp::convert::uris;
use crate::lsp::features::kept_runs::{self, Opened, RunFault, Workspaces};
use crate::lsp::features::texts;
use crate::lsp::features::transcript_page::transcript_page;
use crate::lsp::methods::pages;
use crate::lsp::protocol::commands::Argument;
use crate::lsp::protocol::{
    ReportParams, ReportResult, RunCasesParams, RunCasesResult, RunPage, RunPageParams, RunsParams, RunsResult,
    TextResult, TranscriptPage, TranscriptPageParams,
};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::workspace::root_of_file;

impl Server {
    /// Lists the kept runs.
    pub(super) async fn kept_runs(&self, params: RunsParams) -> Result<RunsResult> {
        let workspaces = self.workspaces().await?;
        let suite = params.uri.as_ref().and_then(uris::to_path);
        elsewhere(move || kept_runs::list(&workspaces, suite.as_deref())).await
    }

    /// Lists the cases of a kept run.
    pub(super) async fn run_cases_of(&self, params: RunCasesParams) -> Result<RunCasesResult> {
        let opened = self.opened(&params.run).await?;
        elsewhere(move || opened.cases()).await
    }

    /// A page about a kept run.
    pub(super) async fn run_page(&self, params: RunPageParams) -> Result<TextResult> {
        let opened = self.opened(&params.run).await?;
        let text = match params.page {
            RunPage::Report => elsewhere(move || opened.report()).await?,
            RunPage::Rescore => {
                let mut now = Vec::new();
                for path in opened.suites() {
                    let Some(uri) = uris::from_path(&path) else { continue };
                    now.extend(self.suite(&uri).await?);
                }
                elsewhere(move || {
                    let now: Vec<_> = now.into_iter().map(|suite| opened.with_answers(suite)).collect();
                    opened.rescore(&now)
                })
                .await?
            }
            RunPage::Answer => {
                let (suite, opened, case) = self.case_of_run(opened, params.uri.as_ref(), params.case).await?;
                elsewhere(move || opened.answer(&suite, &case)).await?.map_err(failed)?
            }
        };
        Ok(TextResult { text, uri: None })
    }

    /// The HTML page of a kept run.
    pub(super) async fn report(&self, params: ReportParams) -> Result<ReportResult> {
        let opened = match &params.run {
            Some(run) => self.opened(run).await?,
            None => {
                let workspaces = self.workspaces().await?;
                let suite = params.uri.as_ref().and_then(uris::to_path);
                elsewhere(move || Opened::last(&workspaces, suite.as_deref())).await?.map_err(failed)?
            }
        };
        let run = uris::from_path(opened.folder()).ok_or_else(|| failed(RunFault::NoRun))?;
        let (id, started_at) = (opened.id().to_owned(), opened.started_at().to_owned());
        let suite = match (&params.run, &params.uri) {
            (None, Some(uri)) => self.suite(uri).await?,
            _ => None,
        };
        let html = elsewhere(move || match suite.as_ref().and_then(|suite| Some((suite, suite.document.path()?))) {
            Some((suite, path)) => opened.html_of_suite(path, &ids_of(suite)),
            None => opened.html(),
        });
        let html = html.await?.map_err(failed)?;
        Ok(ReportResult { run, id: id.to_string(), started_at, html })
    }

    /// Opens the HTML page of a kept run in the browser.
    pub(super) async fn open_report(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let report = self.report(ReportParams { run: argument.run, uri: argument.uri }).await?;
        let name = report.run.as_str().to_owned();
        let write = move || pages::write(&name, &format!("report {}", report.id), ".html", &report.html);
        let path = elsewhere(write).await?.map_err(failed)?;
        let (client, shows) = (self.client.clone(), self.shared.read(|state| state.support().shows_documents));
        tokio::spawn(async move { pages::show_in_browser(&client, &path, shows).await });
        Ok(None)
    }

    /// Shows the page of a command about a kept run.
    pub(super) async fn open_run_page(&self, argument: Argument, page: RunPage) -> Result<Option<LSPAny>> {
        let Argument { uri, case, run, .. } = argument;
        let run = run.ok_or_else(|| failed("specify `run`"))?;
        let about = match (page, &case) {
            (RunPage::Answer, Some(case)) => case.clone(),
            (RunPage::Rescore, _) => "judged again".to_owned(),
            _ => "run".to_owned(),
        };
        let name = run.as_str().to_owned();
        let page = self.run_page(RunPageParams { run, page, uri, case }).await?;
        self.show_text(&name, &about, ".md", Some(page)).await
    }

    /// The answer of a case in a kept run, judged by the current text, as an HTML page.
    pub(super) async fn transcript_page_of_run(&self, params: TranscriptPageParams) -> Result<Option<TranscriptPage>> {
        let run = params.run.ok_or_else(|| failed("specify `run`"))?;
        let opened = self.opened(&run).await?;
        let (suite, opened, case) = self.case_of_run(opened, Some(&params.uri), Some(params.case)).await?;
        elsewhere(move || transcript_page(&suite, &case, Some(&opened), SystemTime::now())).await
    }

    /// Accepts an answer of a kept run as the case's transcript.
    pub(super) async fn accept_run_answer(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let run = argument.run.ok_or_else(|| failed("specify `run`"))?;
        let opened = self.opened(&run).await?;
        let (suite, _, case) = self.case_of_run(opened, argument.uri.as_ref(), argument.case).await?;
        elsewhere(move || texts::accept(&suite, &case)).await?.map_err(failed)?;
        self.reload().await;
        Ok(Some(json!({})))
    }

    /// A case of a run, and its suite with the answers of the run.
    async fn case_of_run(
        &self,
        opened: Opened,
        uri: Option<&Uri>,
        case: Option<String>,
    ) -> Result<(Snapshot, Opened, String)> {
        let (Some(uri), Some(case)) = (uri, case) else { return Err(failed("specify `uri` and `case`")) };
        let suite = self.suite(uri).await?.ok_or_else(|| failed("the suite of this case does not exist any more"))?;
        let of_run = move || (opened.with_answers(suite), opened);
        let (suite, opened) = elsewhere(of_run).await?;
        Ok((suite, opened, case))
    }

    async fn opened(&self, run: &Uri) -> Result<Opened> {
        let workspaces = self.workspaces().await?;
        let path = uris::to_path(run);
        let path = path.ok_or_else(|| failed(RunFault::Unknown(run.as_str().to_owned())))?;
        elsewhere(move || Opened::open(&path, &workspaces)).await?.map_err(failed)
    }

    /// The workspaces of the open suites and of those in the workspace folders.
    async fn workspaces(&self) -> Result<Workspaces> {
        let (folders, open) = self.shared.read(|state| (state.folders().to_vec(), state.open_suites()));
        let paths = elsewhere(move || {
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
