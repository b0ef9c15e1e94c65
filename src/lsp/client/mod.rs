//! What the client can do, and what it wants.

pub(in crate::lsp) mod completion_support;
pub(in crate::lsp) mod log;
pub(in crate::lsp) mod settings;
pub(in crate::lsp) mod support;
