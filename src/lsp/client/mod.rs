//! What the client can do, and what it wants.

pub(in crate::lsp) mod settings;
pub(in crate::lsp) mod support;
