//! Converts between the protocol's types and those of this crate.

pub(in crate::lsp) mod from_lsp;
pub(in crate::lsp) mod surrogates;
pub(in crate::lsp) mod to_lsp;
pub(in crate::lsp) mod uris;
pub(in crate::lsp) mod workspace_edit;
