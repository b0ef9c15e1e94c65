use ls_types::Uri;
use serde::{Deserialize, Serialize};

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
    pub(in crate::lsp) suites: Vec<SuiteOfRun>,
}

/// A suite of a run.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct SuiteOfRun {
    pub(in crate::lsp) uri: Uri,
    /// The suite's path, as the page names it.
    pub(in crate::lsp) label: String,
}
