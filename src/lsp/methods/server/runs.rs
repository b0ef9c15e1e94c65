//! Requests to run and stop: lenses, code actions, commands and test explorers all use these. And the pages that clients show:
//! transcripts, results, reports, the server's status. A page without a file is written below the user's state directory, readable
//! by the user only.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ls_types::{LSPAny, Location, Position, Range, ShowDocumentParams, Uri, WorkDoneProgressCancelParams};
use serde_json::json;
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::analysis::lint_names;
use crate::config::CONFIG_FILE;
use crate::files;
use crate::lsp::client::settings::log;
use crate::lsp::convert::uris;
use crate::lsp::features::reports::{Opened, RunFault, Workspaces};
use crate::lsp::features::test_explorer::{self, hash};
use crate::lsp::methods::requests::{self, Fault, REQUEST_FAILED};
use crate::lsp::protocol::{
    Argument, ErrorData, Remedy, ReportParams, ReportResult, RequestApprovalParams, RequestApprovalResult, RunParams,
    RunResult, StopParams, StopResult, TrustParams, VerdictsParams, VerdictsResult,
};
use crate::lsp::push::{ClientHandle, Push};
use crate::lsp::runs::{self, Choice, Plan, PlanFault, PlannedSuite};
use crate::lsp::session::choices::state_folder;
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::suites;
use crate::lsp::trust::{self, LiveTarget, TrustFault};
use crate::transcript::file_name;
use crate::workspace::{ConfigCache, LoadedConfig, root_of_file};

use super::Server;
use super::workspace::uncancelled;

const UNTRUSTED: &str = "runs are disabled: the editor does not trust this workspace";

impl Server {
    /// Runs cases. Responds when the run has begun.
    pub(crate) async fn run(&self, params: RunParams) -> Result<RunResult> {
        // A change on disk applies at once, even if the client has not reported it yet.
        self.reload().await;
        let (mut suites, mut faults) = (Vec::new(), Vec::new());
        for wanted in &params.suites {
            let choice = Choice { cases: wanted.cases.clone(), target: params.target.clone() };
            let Ok(mut planned) = self.plan(&wanted.uri, choice).await.map_err(|it| faults.push(it)) else { continue };
            if params.changed == Some(true) {
                let judged = self.judged_suite(&wanted.uri).await?.ok_or_else(|| no_suite(&wanted.uri))?;
                let changed = uncancelled(move || {
                    planned.keep_changed(&judged);
                    planned
                });
                planned = changed.await?;
                if planned.is_empty() {
                    continue;
                }
            }
            suites.push(planned);
        }
        // What can run does, and the rest is reported.
        let mut cases = suites.iter().flat_map(|suite| &suite.cases);
        if cases.clone().all(|case| case.fault.is_some()) {
            if params.changed == Some(true) && faults.is_empty() {
                return Ok(RunResult { run: None });
            }
            let of_case = cases.find_map(|case| case.fault.clone()).unwrap_or(PlanFault::NoCases.to_string());
            return Err(faults.into_iter().next().unwrap_or_else(|| failed(of_case)));
        }
        faults.into_iter().for_each(|fault| self.client.push(Push::Message(fault.message.into_owned())));
        self.must_be_trusted()?;
        let run = separately(allow_and_start(Plan { suites }, self.client.clone())).await?;
        Ok(RunResult { run: Some(run) })
    }

    /// Stops running cases.
    pub(crate) async fn stop(&self, params: StopParams) -> Result<StopResult> {
        let path = params.uri.as_ref().and_then(uris::to_path);
        let stopped = self.shared.read(|state| state.runs().stop(&params, path.as_deref()));
        Ok(StopResult { stopped })
    }

    /// Stops the run whose progress was cancelled.
    pub(crate) fn cancel_progress(&self, params: &WorkDoneProgressCancelParams) {
        if let Some(run) = runs::run_of(&params.token) {
            let run = StopParams { run: Some(run), ..StopParams::default() };
            self.shared.read(|state| state.runs().stop(&run, None));
        }
    }

    /// Sets whether the workspace is trusted.
    pub(crate) fn trust(&self, params: &TrustParams) {
        self.shared.change(|state| state.set_trusted(params.trusted));
    }

    /// The verdicts on a suite's text.
    pub(crate) async fn verdicts(&self, params: VerdictsParams) -> Result<VerdictsResult> {
        let suite = self.judged_suite(&params.uri).await?.ok_or_else(|| no_suite(&params.uri))?;
        let path = suite.document.path().unwrap_or(Path::new(""));
        let running = self.shared.change(|state| {
            let configuration = state.configuration_of(path);
            requests::running(state, &suite.uri, &configuration)
        });
        uncancelled(move || test_explorer::verdicts(&suite, running)).await
    }

    fn must_be_trusted(&self) -> Result<()> {
        match self.shared.read(|state| state.is_trusted()) {
            true => Ok(()),
            false => Err(failed_until(Remedy::Trust, UNTRUSTED)),
        }
    }

    async fn plan(&self, uri: &Uri, choice: Choice) -> Result<PlannedSuite> {
        let suite = self.suite(uri).await?.ok_or_else(|| no_suite(uri))?;
        let path = suite.document.path().ok_or_else(|| failed_until(Remedy::Save, PlanFault::NoFile))?.to_owned();
        let (configuration, target) = self.shared.change(|state| {
            let configuration = state.configuration_of(&path);
            let target = choice.target.unwrap_or_else(|| state.target(&configuration));
            (configuration, target)
        });
        let choice = Choice { target: Some(target), ..choice };
        let plan = move || {
            let planned = PlannedSuite::new(suite, &configuration, &choice);
            planned.map_err(|fault| not_planned(&fault, &configuration))
        };
        uncancelled(plan).await?
    }

    /// Asks for approval of the targets that `eval-ls run` would start for these suites. Responds when all are allowed, with their
    /// hashes.
    pub(crate) async fn request_approval(&self, params: RequestApprovalParams) -> Result<RequestApprovalResult> {
        self.must_be_trusted()?;
        let wanted = params.clone();
        let (approved, targets) = uncancelled(move || targets_of(&wanted)).await??;
        let client = self.client.clone();
        separately(async move {
            for target in targets {
                target.allow(&client).await.map_err(not_allowed)?;
            }
            Ok(())
        })
        .await?;
        // A person may have taken long to answer.
        let (now, _) = uncancelled(move || targets_of(&params)).await??;
        if now != approved {
            return Err(failed("eval-ls.toml was changed during the question; run it again"));
        }
        Ok(RequestApprovalResult { approved })
    }
}

/// Does the work in a separate task, which continues if the request is cancelled: a person may take long to answer.
pub(crate) async fn separately<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    tokio::spawn(work).await.unwrap_or_else(|_| Err(failed("the server could not finish this")))
}

async fn allow_and_start(mut plan: Plan, client: ClientHandle) -> Result<u64> {
    trust::allow(&mut plan, &client).await.map_err(not_allowed)?;
    // Trust may have been revoked meanwhile.
    if !client.shared().read(|state| state.is_trusted()) {
        return Err(failed_until(Remedy::Trust, UNTRUSTED));
    }
    runs::start(plan, client).map_err(failed)
}

fn not_allowed(fault: TrustFault) -> Error {
    match fault {
        TrustFault::Declined(_) => Error { message: fault.to_string().into(), ..Error::request_cancelled() },
        fault => failed(fault),
    }
}

/// The hashes of the targets that `eval-ls run` would ask, and those of them that are live. The configurations are read from disk,
/// as that command does.
fn targets_of(params: &RequestApprovalParams) -> Result<(Vec<String>, Vec<LiveTarget>)> {
    let mut cache = ConfigCache::new(lint_names());
    let given = params.config.as_ref().map(|uri| uris::to_path(uri).ok_or_else(|| no_suite(uri))).transpose()?;
    let given = given.map(|path| Arc::new(LoadedConfig::read(&path, &lint_names())));
    let (mut hashes, mut targets, mut roots) = (Vec::new(), Vec::new(), BTreeSet::new());
    for uri in &params.uris {
        let path = uris::to_path(uri).ok_or_else(|| no_suite(uri))?;
        let folder = path.parent().ok_or_else(|| no_suite(uri))?;
        let loaded = given.clone().unwrap_or_else(|| cache.of_folder(folder));
        let loaded = loaded.as_ref().as_ref().map_err(failed)?;
        let (name, table) = runs::chosen_target(loaded, params.target.as_deref()).map_err(failed)?;
        if !roots.insert(loaded.root.clone()) {
            continue;
        }
        let approvable = loaded.config.approvable(table);
        // Also of `replay`: it may be replaced.
        hashes.push(approvable.run_fingerprint());
        if table.is_live() {
            runs::stays_inside(&path, &loaded.root, &loaded.config, true).map_err(failed)?;
            targets.push(LiveTarget::new(&loaded.root, name, approvable).map_err(failed)?);
        }
    }
    Ok((hashes, targets))
}

fn no_suite(uri: &Uri) -> Error {
    let name = uris::to_path(uri).map(|path| path.display().to_string()).unwrap_or_else(|| uri.as_str().to_owned());
    failed(PlanFault::NoSuite(name))
}

/// The error response of a request that cannot be carried out. It is also logged, because not every client shows it.
pub(crate) fn failed(reason: impl std::fmt::Display) -> Error {
    let reason = reason.to_string();
    log(&format!("request failed: {reason}"));
    Fault::new(REQUEST_FAILED, reason).into()
}

/// The error response of a request that succeeds after a person has done something.
pub(crate) fn failed_until(remedy: Remedy, reason: impl std::fmt::Display) -> Error {
    Error { data: Some(json!(ErrorData { remedy, location: None })), ..failed(reason) }
}

/// The error response of a run that cannot be planned. The place of an error in the `configuration` goes with it.
fn not_planned(fault: &PlanFault, configuration: &Configuration) -> Error {
    let PlanFault::FaultyConfiguration { place: Some(place), .. } = fault else { return failed(fault) };
    let uri = configuration.folder().and_then(|folder| uris::from_path(&folder.join(CONFIG_FILE)));
    let Some(uri) = uri else { return failed(fault) };
    let at = Position::new(place.line as u32 - 1, 0);
    let location = Some(Location { uri, range: Range::new(at, at) });
    Error { data: Some(json!(ErrorData { remedy: Remedy::Configuration, location })), ..failed(fault) }
}

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
        let html = uncancelled(move || opened.html()).await?.map_err(failed)?;
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
