//! What the server does, a file a feature: plain functions of a [`Snapshot`](super::snapshot::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(super) mod code_actions;
pub(super) mod code_lenses;
pub(super) mod completion;
mod configuring;
pub(super) mod diagnostics;
pub(super) mod folding;
pub(super) mod formatting;
pub(super) mod hover;
pub(super) mod inlay_hints;
pub(super) mod links;
pub(super) mod navigation;
pub(super) mod refactorings;
pub(super) mod rename;
pub(super) mod run_actions;
pub(super) mod semantic_tokens;
pub(super) mod status;
pub(super) mod symbols;
pub(super) mod tests;
pub(super) mod texts;
pub(super) mod verdict_diagnostics;
pub(super) mod verdicts;
