//! The state of the server: the open documents and their configurations, the answers of their cases, and the runs.

#[cfg(feature = "program")]
pub(in crate::lsp) mod active_runs;
pub(in crate::lsp) mod choices;
pub(in crate::lsp) mod configurations;
pub(in crate::lsp) mod fence;
pub(in crate::lsp) mod open_document;
#[cfg(feature = "program")]
pub(in crate::lsp) mod run_control;
#[cfg(feature = "program")]
pub(in crate::lsp) mod shared;
pub(in crate::lsp) mod snapshot;
pub(in crate::lsp) mod state;
pub(in crate::lsp) mod suites;
pub(in crate::lsp) mod transcripts;
