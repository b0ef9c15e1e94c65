use ls_types::request::Request;
use ls_types::{Range, Uri};
use serde::{Deserialize, Serialize};

/// Parameters of `eval-ls/result`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct ResultParams {
    pub(in crate::lsp) uri: Uri,
    /// `None` for all cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) case: Option<String>,
    /// Whether to use the transcript on disk even if there is a later answer in memory.
    #[serde(default)]
    pub(in crate::lsp) kept: Option<bool>,
}

/// Parameters of `eval-ls/transcript`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TextParams {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) case: String,
    /// Whether to use the transcript on disk even if there is a later answer in memory.
    #[serde(default)]
    pub(in crate::lsp) kept: Option<bool>,
}

/// The result of both, if there is an answer.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct TextResult {
    pub(in crate::lsp) text: String,
    /// Its file, if it has one.
    pub(in crate::lsp) uri: Option<Uri>,
}

/// Parameters of `eval-ls/transcriptPage`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TranscriptPageParams {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) case: String,
}

/// The answer to `eval-ls/transcriptPage`, if the case has an answer.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct TranscriptPage {
    /// The page, which loads nothing.
    pub(in crate::lsp) html: String,
    /// Its data, as JSON.
    pub(in crate::lsp) data: String,
    /// Of the case's id.
    pub(in crate::lsp) range: Range,
    /// The checks, in the order of the page.
    pub(in crate::lsp) checks: Vec<CheckPlace>,
}

/// The place of a check in the suite.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct CheckPlace {
    /// The check's id.
    pub(in crate::lsp) check: String,
    /// Of the expectation; `None` if it is gone.
    pub(in crate::lsp) range: Option<Range>,
}

/// The answer to `eval-ls/baselineAnswer`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct BaselineAnswer {
    /// The transcript.
    pub(in crate::lsp) text: String,
    /// Where it comes from, for people.
    pub(in crate::lsp) description: String,
}

/// Parameters of `eval-ls/isSuite`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct IsSuiteParams {
    pub(in crate::lsp) uri: Uri,
}

/// The answer to `eval-ls/isSuite`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct IsSuiteResult {
    pub(in crate::lsp) is_suite: bool,
    /// Why, for people.
    pub(in crate::lsp) reason: String,
}

/// `eval-ls/approve`, a request of the server.
pub(in crate::lsp) enum Approve {}

impl Request for Approve {
    type Params = ApproveParams;
    type Result = ApproveResult;
    const METHOD: &'static str = "eval-ls/approve";
}

/// Parameters of `eval-ls/approve`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct ApproveParams {
    /// The target's name.
    pub(in crate::lsp) target: String,
    /// The question: everything that would be started or opened.
    pub(in crate::lsp) message: String,
    /// The title of the answer that allows it.
    pub(in crate::lsp) allow: String,
}

/// The answer to `eval-ls/approve`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct ApproveResult {
    pub(in crate::lsp) allowed: bool,
}

/// Parameters of `eval-ls/trust`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TrustParams {
    pub(in crate::lsp) trusted: bool,
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
    pub(in crate::lsp) suites: Vec<SuiteOfRun>,
}

/// A suite of a run.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct SuiteOfRun {
    pub(in crate::lsp) uri: Uri,
    /// The suite's path, as the page names it.
    pub(in crate::lsp) label: String,
}

/// The version of these extensions. It rises when something is removed or changes its meaning; additions leave it.
pub(in crate::lsp) const PROTOCOL: u32 = 1;

/// The key of [`Experimental`] in `experimental` of the server's capabilities.
pub(in crate::lsp) const EXPERIMENTAL: &str = "eval-ls";

/// The extensions that the server announces.
#[derive(Serialize)]
pub(in crate::lsp) struct Experimental {
    pub(in crate::lsp) protocol: u32,
}
