use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::Uri;

/// Parameters of `eval-ls/transcript` and `eval-ls/result`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TextParams {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) case: String,
    /// Whether what is on disk is meant, though a later answer is in memory.
    #[serde(default)]
    pub(in crate::lsp) kept: Option<bool>,
}

/// The answer to both, where there is one.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct TextResult {
    pub(in crate::lsp) text: String,
    /// Its file, where it is in one.
    pub(in crate::lsp) uri: Option<Uri>,
}

/// Parameters of `eval-ls/trust`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TrustParams {
    pub(in crate::lsp) trusted: bool,
}
