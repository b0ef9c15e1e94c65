use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::Uri;

/// Parameters of `eval-ls/transcript` and `eval-ls/result`.
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

/// Parameters of `eval-ls/trust`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TrustParams {
    pub(in crate::lsp) trusted: bool,
}
