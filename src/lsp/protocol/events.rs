use ls_types::Uri;
use serde::Serialize;

use super::CheckFailure;
use crate::config::Debugger;
use crate::verdict::Status;

/// Parameters of `eval-ls/runEvent`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(in crate::lsp) enum RunEvent {
    /// The first of a run.
    Started { run: u64, target: String, live: bool, debugger: Option<DebuggerAt>, items: Vec<Item> },
    /// A case has started.
    CaseStarted { run: u64, uri: Uri, case: String },
    /// The current step of a case.
    CaseProgress { run: u64, uri: Uri, case: String, message: String },
    /// A case has its verdict.
    CaseFinished {
        run: u64,
        uri: Uri,
        case: String,
        status: CaseOutcome,
        soft_score: Option<f64>,
        /// Milliseconds.
        duration_ms: u64,
        /// The hash of the case's text that ran.
        hash: String,
        /// The answer and the failures, as text.
        output: String,
        label: Option<String>,
        reason: Option<String>,
        failures: Vec<CheckFailure>,
    },
    /// The last of a run.
    Finished { run: u64, cancelled: bool, reason: Option<String> },
}

/// Where the programs of a run wait for a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(in crate::lsp) struct DebuggerAt {
    #[serde(rename = "type")]
    pub(in crate::lsp) kind: Debugger,
    pub(in crate::lsp) port: u16,
}

/// A case that is to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::lsp) struct Item {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) case: String,
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::lsp) enum CaseOutcome {
    /// It was stopped.
    Cancelled,
    /// It was judged.
    #[serde(untagged)]
    Judged(Status),
}

/// Parameters of `eval-ls/testsChanged` and `eval-ls/verdictsChanged`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct UrisParams {
    pub(in crate::lsp) uris: Vec<Uri>,
}
