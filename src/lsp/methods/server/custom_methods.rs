//! The custom methods of `docs/lsp-extensions.md`.

use std::sync::Arc;

use ls_types::Uri;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::{ClientSocket, LspService};

use super::Server;
use super::work::{answer, uncancelled};
use crate::lsp::convert::uris;
use crate::lsp::features::tests;
use crate::lsp::protocol::{IsSuiteParams, IsSuiteResult, TestsParams, TestsResult};
use crate::lsp::session::shared::Shared;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::lsp::transport::{Connection, Work};
use crate::workspace::Membership;

/// A server for the client at the other end of the connection, and its state.
pub(in crate::lsp) fn service(connection: &Connection) -> (LspService<Server>, ClientSocket, Arc<Shared>) {
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
                uncancelled(move || tests::one(suite.as_ref(), &folders)).await
            }
            None => {
                let open = self.shared.read(State::open_suites);
                answer(Work::Slow, move || tests::all(&open, &folders)).await
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
    pub(super) async fn suite(&self, uri: &Uri) -> Result<Option<Snapshot>> {
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
    pub(super) async fn judged_suite(&self, uri: &Uri) -> Result<Option<Snapshot>> {
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
