use ls_types::Uri;
use serde::{Deserialize, Serialize};

use crate::runs::RunState;
use crate::verdict::Status;

/// Parameters of `eval-ls/runs`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::lsp) struct RunsParams {
    /// Only the runs of this suite.
    #[serde(default)]
    pub(in crate::lsp) uri: Option<Uri>,
}

/// The answer to `eval-ls/runs`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct RunsResult {
    pub(in crate::lsp) runs: Vec<KeptRun>,
}

/// A run in a list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct KeptRun {
    /// The run's folder.
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) id: String,
    pub(in crate::lsp) state: RunState,
    /// A date and time of RFC 3339, in UTC.
    pub(in crate::lsp) started_at: String,
    pub(in crate::lsp) target: String,
    /// The worst status of its cases; `None` if no case has ended.
    pub(in crate::lsp) status: Option<Status>,
    /// The number of cases by status, and the state of a run that has not ended, for people.
    pub(in crate::lsp) counts: String,
    /// Duration and labels, for people.
    pub(in crate::lsp) description: String,
}

/// Parameters of `eval-ls/runCases`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct RunCasesParams {
    /// The run's folder.
    pub(in crate::lsp) run: Uri,
}

/// The answer to `eval-ls/runCases`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct RunCasesResult {
    pub(in crate::lsp) suites: Vec<SuiteOfRun>,
}

/// A suite of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct SuiteOfRun {
    pub(in crate::lsp) uri: Uri,
    /// Its path.
    pub(in crate::lsp) label: String,
    pub(in crate::lsp) status: Option<Status>,
    /// Counts, for people.
    pub(in crate::lsp) description: String,
    pub(in crate::lsp) cases: Vec<CaseOfRun>,
}

/// A case of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct CaseOfRun {
    pub(in crate::lsp) id: String,
    pub(in crate::lsp) status: Status,
    /// Its main reason or score, and its duration, for people.
    pub(in crate::lsp) description: String,
    /// Whether the run has its answer.
    pub(in crate::lsp) has_answer: bool,
}

/// Parameters of `eval-ls/report`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::lsp) struct ReportParams {
    /// The run's folder. Default: the last run that has ended.
    #[serde(default)]
    pub(in crate::lsp) run: Option<Uri>,
    /// Only the runs of this suite, if `run` is missing.
    #[serde(default)]
    pub(in crate::lsp) uri: Option<Uri>,
}

/// The answer to `eval-ls/report`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct ReportResult {
    /// The run's folder.
    pub(in crate::lsp) run: Uri,
    pub(in crate::lsp) id: String,
    /// A date and time of RFC 3339, in UTC.
    pub(in crate::lsp) started_at: String,
    /// The page, which loads nothing.
    pub(in crate::lsp) html: String,
}
