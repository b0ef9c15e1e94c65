//! Suites that need not be open: their list (`eval-ls/tests`, `eval-ls/isSuite`), and their findings (`workspace/diagnostic`).

use std::sync::Arc;

use ls_types::{
    ProgressToken, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDocumentDiagnosticReport as Report,
};
use tower_lsp_server::jsonrpc::Result;

use crate::lsp::convert::uris;
use crate::lsp::features::diagnostics::Known;
use crate::lsp::features::test_explorer;
use crate::lsp::protocol::{IsSuiteParams, IsSuiteResult, TestsParams, TestsResult};
use crate::lsp::push::Push;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::lsp::transport::Work;
use crate::workspace::Membership;

use super::work::answer;
use super::{Server, uncancelled};

/// How many suites are reported at once to a client that asks for partial results.
const CHUNK: usize = 16;

impl Server {
    pub(crate) async fn tests(&self, params: TestsParams) -> Result<TestsResult> {
        let folders = self.shared.read(|state| state.folders().to_vec());
        match params.uri {
            Some(uri) => {
                let suite = self.suite(&uri).await?;
                uncancelled(move || test_explorer::one(suite.as_ref(), &folders)).await
            }
            None => {
                let open = self.shared.read(State::open_suites);
                answer(TestsResult::default(), Work::Slow, move || Ok(test_explorer::all(&open, &folders))).await
            }
        }
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
        let (membership, configuration, support) = self
            .shared
            .change(|state| (state.membership(&path), state.configuration_of(&path), Arc::clone(state.support())));
        uncancelled(move || {
            let is_suite = membership.on_disk(&path) == Membership::Suite;
            is_suite.then(|| suites::on_disk(uri, path, &configuration, support)).flatten()
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

    /// Reports all suites on disk. A client that accepts partial results gets them while others are read. It asks again
    /// after each response, so without a change the response waits for one.
    pub(crate) async fn workspace_reports(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReport> {
        let token = params.partial_result_params.partial_result_token;
        let mut known = Known::of(params.previous_result_ids);
        loop {
            let revised = self.shared.revised();
            tokio::pin!(revised);
            // Changes from here on are noticed, even while the suites are read.
            revised.as_mut().enable();
            self.shared.read(State::open_suites).iter().for_each(|open| known.forget(&open.uri));
            self.shared.change(State::take_closed).iter().for_each(|closed| known.forget(closed));
            let (items, has_changes) = self.reports(&known, token.as_ref()).await?;
            if has_changes || token.is_none() {
                return Ok(WorkspaceDiagnosticReport { items });
            }
            revised.await;
        }
    }

    /// Returns the reports that were not sent as partial results, and whether any is news for the client.
    async fn reports(&self, known: &Known, token: Option<&ProgressToken>) -> Result<(Vec<Report>, bool)> {
        let folders = self.shared.read(|state| match state.settings().workspace_diagnostics {
            true => state.folders().to_vec(),
            false => Vec::new(),
        });
        let paths = uncancelled(move || suites::below(&folders)).await?;
        let uris: Vec<Uri> = paths.iter().filter_map(|path| uris::from_path(path)).collect();
        let (mut items, mut has_changes) = (Vec::new(), false);
        for chunk in uris.chunks(CHUNK) {
            let (chunk, known, shared) = (chunk.to_vec(), known.clone(), Arc::clone(&self.shared));
            let read = move |uri: Uri| {
                let path = uris::to_path(&uri)?;
                let (configuration, support) = shared.change(|state| {
                    let is_closed = state.snapshot(&state.known_uri(&uri)).is_none();
                    is_closed.then(|| (state.configuration_of(&path), Arc::clone(state.support())))
                })?;
                Some(known.report(&suites::on_disk(uri, path, &configuration, support)?))
            };
            let reports: Vec<_> = uncancelled(move || chunk.into_iter().filter_map(read).collect()).await?;
            has_changes |= reports.iter().any(|report| matches!(report, Report::Full(_)));
            self.send_or_keep(reports, token, &mut items);
        }
        let gone = known.clone().gone(|uri| uris.contains(uri));
        has_changes |= !gone.is_empty();
        self.send_or_keep(gone, token, &mut items);
        Ok((items, has_changes))
    }

    fn send_or_keep(&self, reports: Vec<Report>, token: Option<&ProgressToken>, kept: &mut Vec<Report>) {
        match token {
            Some(token) if !reports.is_empty() => self.client.push(Push::Partial(token.clone(), reports)),
            Some(_) => {}
            None => kept.extend(reports),
        }
    }
}
