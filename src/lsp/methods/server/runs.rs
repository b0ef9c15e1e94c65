//! Running, asked for by whomever: lenses, code actions, commands and test explorers all come through here.

use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::{Uri, WorkDoneProgressCancelParams};

use super::{Server, elsewhere};
use crate::lsp::convert::uris;
use crate::lsp::features::verdicts::{self, Running};
use crate::lsp::protocol::{RunParams, RunResult, StopParams, StopResult, TrustParams, VerdictsParams, VerdictsResult};
use crate::lsp::push::teller::Teller;
use crate::lsp::runs::{self, Choice, Plan, PlanFault, PlannedSuite};
use crate::lsp::transport::log;
use crate::lsp::trust;

/// What the protocol calls a request that was understood and cannot be done.
pub(super) const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// Why the workspace is not run at all.
const UNTRUSTED: &str = "nothing is run, because the editor does not trust this workspace";

impl Server {
    /// Runs cases; answers when the run has begun.
    pub(super) async fn run(&self, params: RunParams) -> Result<RunResult> {
        // What was changed on disk a moment ago holds already, whether or not the client tells of it.
        self.reload();
        let mut suites = Vec::new();
        for wanted in &params.suites {
            let choice = Choice { cases: wanted.cases.clone(), target: params.target.clone() };
            suites.push(self.plan(&wanted.uri, choice).await?);
        }
        if suites.is_empty() {
            return Err(failed(PlanFault::NoCases));
        }
        self.begin(Plan { suites, record: params.record == Some(true) }).await.map(|run| RunResult { run })
    }

    /// Stops what runs.
    pub(super) async fn stop(&self, params: StopParams) -> Result<StopResult> {
        let path = params.uri.as_ref().and_then(uris::to_path);
        let stopped = self.shared.read(|state| state.runs().stop(&params, path.as_deref()));
        Ok(StopResult { stopped })
    }

    /// Stops the run whose progress a person has cancelled.
    pub(super) async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        if let Some(run) = runs::run_of(&params.token) {
            let run = StopParams { run: Some(run), ..StopParams::default() };
            self.shared.read(|state| state.runs().stop(&run, None));
        }
    }

    /// Learns whether the workspace is trusted.
    pub(super) async fn trust(&self, params: TrustParams) {
        self.shared.change(|state| state.set_trusted(params.trusted));
    }

    /// The verdicts on a suite's text.
    pub(super) async fn verdicts(&self, params: VerdictsParams) -> Result<VerdictsResult> {
        let suite = self.judged_suite(&params.uri).await?.ok_or_else(|| no_suite(&params.uri))?;
        let running = self.running(&suite.uri);
        elsewhere(move || verdicts::verdicts(&suite, running)).await
    }

    /// What runs of a suite, and whom runs ask.
    pub(super) fn running(&self, uri: &Uri) -> Running {
        // What is in no file cannot run, and has its own place among targets all the same.
        let path = uris::to_path(uri).unwrap_or_default();
        self.shared.change(|state| {
            let configuration = state.configuration_of(&path);
            Running {
                cases: state.runs().of_suite(&path),
                target: state.target(&configuration),
                targets: configuration.config().targets.keys().cloned().collect(),
                is_open: state.snapshot(uri).is_some(),
            }
        })
    }

    /// The same; nothing where nothing may be run.
    pub(super) fn running_if_trusted(&self, uri: &Uri) -> Option<Running> {
        self.shared.read(|state| state.is_trusted()).then(|| self.running(uri))
    }

    async fn plan(&self, uri: &Uri, choice: Choice) -> Result<PlannedSuite> {
        let suite = self.suite(uri).await?.ok_or_else(|| no_suite(uri))?;
        let path = suite.document.path().ok_or_else(|| failed(PlanFault::NoFile))?.to_owned();
        let (configuration, target) = self.shared.change(|state| {
            let configuration = state.configuration_of(&path);
            let target = choice.target.unwrap_or_else(|| state.target(&configuration));
            (configuration, target)
        });
        let choice = Choice { target: Some(target), ..choice };
        elsewhere(move || PlannedSuite::new(suite, &configuration, &choice)).await?.map_err(failed)
    }

    /// Begins a run, if it is allowed. A person may take their time to say so: the handler waits in a task of its own.
    async fn begin(&self, plan: Plan) -> Result<u64> {
        if !self.shared.read(|state| state.is_trusted()) {
            return Err(failed(UNTRUSTED));
        }
        let teller = self.teller.clone();
        let (tell, told) = oneshot::channel();
        tokio::spawn(async move {
            // Who asked may have lost interest.
            let _ = tell.send(allow_and_start(plan, teller).await);
        });
        told.await.unwrap_or_else(|_| Err(failed("the run could not begin")))
    }
}

async fn allow_and_start(plan: Plan, teller: Teller) -> Result<u64> {
    trust::allow(&plan, teller.client()).await.map_err(failed)?;
    // It may have been taken back while a person was asked.
    if !teller.shared().read(|state| state.is_trusted()) {
        return Err(failed(UNTRUSTED));
    }
    runs::start(plan, teller).map_err(failed)
}

fn no_suite(uri: &Uri) -> Error {
    let name = uris::to_path(uri).map(|path| path.display().to_string()).unwrap_or_else(|| uri.as_str().to_owned());
    failed(PlanFault::NoSuite(name))
}

/// The answer to what cannot be done. It is logged, too: not every client shows it.
pub(super) fn failed(reason: impl std::fmt::Display) -> Error {
    let reason = reason.to_string();
    log(&format!("nothing is run: {reason}"));
    Error { code: REQUEST_FAILED, message: reason.into(), data: None }
}
