//! What the server does, a file a feature: plain functions of a [`Snapshot`](crate::lsp::session::snapshot::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(in crate::lsp) mod baselines;
pub(in crate::lsp) mod challenges;
pub(in crate::lsp) mod code_actions;
pub(in crate::lsp) mod code_lenses;
pub(in crate::lsp) mod completion;
pub(in crate::lsp) mod configurations;
pub(in crate::lsp) mod diagnostics;
mod file_names;
pub(in crate::lsp) mod hover;
pub(in crate::lsp) mod inlay_hints;
#[cfg(feature = "program")]
pub(in crate::lsp) mod kept_runs;
pub(in crate::lsp) mod moved_files;
pub(in crate::lsp) mod navigation;
pub(in crate::lsp) mod rename;
#[cfg(feature = "program")]
pub(in crate::lsp) mod status;
pub(in crate::lsp) mod structure;
pub(in crate::lsp) mod test_explorer;
pub(in crate::lsp) mod texts;
#[cfg(feature = "program")]
pub(in crate::lsp) mod transcript_page;
pub(in crate::lsp) mod verdict_diagnostics;
pub(in crate::lsp) mod verdicts;
pub(in crate::lsp) mod whole_file;
