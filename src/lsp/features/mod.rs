//! The features, one file for what belongs together: plain functions of a [`Snapshot`](crate::lsp::session::open_document::Snapshot) and of what was
//! asked, in the protocol's terms on both sides.

pub(crate) mod annotations;
pub(crate) mod challenges;
pub(crate) mod code_actions;
pub(crate) mod configurations;
pub(crate) mod diagnostics;
pub(crate) mod positions;
pub(crate) mod rename;
#[cfg(feature = "program")]
pub(crate) mod reports;
pub(crate) mod structure;
pub(crate) mod test_explorer;
pub(crate) mod texts;
