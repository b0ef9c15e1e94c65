use serde::{Deserialize, Serialize};

/// Parameters of `eval-ls/trust`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct TrustParams {
    pub(in crate::lsp) trusted: bool,
}
