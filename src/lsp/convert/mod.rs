//! Between the protocol's terms and ours.

pub(in crate::lsp) mod from_lsp;
pub(in crate::lsp) mod to_lsp;
pub(in crate::lsp) mod uris;
pub(in crate::lsp) mod workspace_edit;
