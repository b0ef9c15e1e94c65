//! What the server does, a file a feature: plain functions of a [`Snapshot`](crate::lsp::session::snapshot::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(crate) mod challenges;
pub(crate) mod code_actions;
pub(crate) mod code_lenses;
pub(crate) mod completion;
pub(crate) mod configurations;
pub(crate) mod diagnostics;
#[cfg(feature = "program")]
pub(crate) mod html;
pub(crate) mod inlay_hints;
pub(crate) mod navigation;
pub(crate) mod rename;
#[cfg(feature = "program")]
pub(crate) mod status;
pub(crate) mod structure;
pub(crate) mod test_explorer;
pub(crate) mod texts;
