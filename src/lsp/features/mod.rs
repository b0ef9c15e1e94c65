//! What the server does, a file a feature: plain functions of a [`Snapshot`](crate::lsp::session::snapshot::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(crate) mod baselines;
pub(crate) mod challenges;
pub(crate) mod code_actions;
pub(crate) mod code_lenses;
pub(crate) mod completion;
pub(crate) mod configurations;
pub(crate) mod diagnostics;
mod file_names;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
#[cfg(feature = "program")]
pub(crate) mod kept_runs;
pub(crate) mod moved_files;
pub(crate) mod navigation;
pub(crate) mod rename;
#[cfg(feature = "program")]
pub(crate) mod status;
pub(crate) mod structure;
pub(crate) mod test_explorer;
pub(crate) mod texts;
#[cfg(feature = "program")]
pub(crate) mod transcript_page;
pub(crate) mod verdict_diagnostics;
pub(crate) mod verdicts;
pub(crate) mod whole_file;
