//! What the server does, a file a feature: plain functions of a [`Snapshot`](crate::lsp::session::snapshot::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(in crate::lsp) mod baselines;
pub(in crate::lsp) mod code_actions;
pub(in crate::lsp) mod code_lenses;
pub(in crate::lsp) mod completion;
pub(in crate::lsp) mod configurations;
mod configuring;
pub(in crate::lsp) mod diagnostics;
mod file_names;
pub(in crate::lsp) mod folding;
pub(in crate::lsp) mod formatting;
pub(in crate::lsp) mod hover;
pub(in crate::lsp) mod inlay_hints;
#[cfg(feature = "program")]
pub(in crate::lsp) mod kept_runs;
pub(in crate::lsp) mod links;
pub(in crate::lsp) mod moved_files;
pub(in crate::lsp) mod navigation;
pub(in crate::lsp) mod proofs;
mod refactorings;
mod remedies;
pub(in crate::lsp) mod rename;
pub(in crate::lsp) mod run_actions;
mod samples;
pub(in crate::lsp) mod semantic_tokens;
pub(in crate::lsp) mod sent_findings;
#[cfg(feature = "program")]
pub(in crate::lsp) mod status;
mod strays;
pub(in crate::lsp) mod symbols;
pub(in crate::lsp) mod tests;
pub(in crate::lsp) mod texts;
#[cfg(feature = "program")]
pub(in crate::lsp) mod transcript_page;
pub(in crate::lsp) mod verdict_diagnostics;
pub(in crate::lsp) mod verdicts;
pub(in crate::lsp) mod whole_file;
pub(in crate::lsp) mod workspace_diagnostics;
