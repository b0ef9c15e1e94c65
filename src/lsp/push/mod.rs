//! What the server sends without being asked.

pub(in crate::lsp) mod announcer;
pub(in crate::lsp) mod observer;
pub(in crate::lsp) mod publisher;
pub(in crate::lsp) mod refresher;
pub(in crate::lsp) mod teller;
