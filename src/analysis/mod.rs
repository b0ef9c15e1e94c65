//! The façade: text in, results out. No I/O, no protocol, no threads that outlive a call.
//!
//! A [`Document`] stores the results of each case with that case, so that an edit costs one case and not the whole file.
//! Each question also takes the [`Workspace`] around the document.

pub(crate) mod actions;
pub(crate) mod challenges;
mod completion;
pub(crate) mod configuration;
mod cursor;
mod document;
pub(crate) mod hover;
mod ids;
pub(crate) mod inlay_hints;
mod lint_findings;
pub(crate) mod navigation;
pub(crate) mod rename;
pub(crate) mod symbols;
pub(crate) mod verdicts;
mod weighing;

pub(crate) use crate::challenge::Sample;
pub(crate) use crate::foreign::{Log, START};
pub(crate) use crate::lints::{Workspace, lint, message_with_help, not_utf8};
pub(crate) use crate::verdict::Status;
pub(crate) use completion::{Completion, CompletionKind, Completions, Documentation, Layout, TRIGGER_CHARACTERS};
pub use completion::{CompletionContext, completions};
pub use document::Document;
pub use hover::hover;
pub(crate) use lint_findings::{AllowedUse, PlacedFinding, lint_names, relative, warm_up, workspace_of};
pub use verdicts::{Answer, Answers};
pub(crate) use verdicts::{Around, JudgedCase, RunFailure, Samples, VerdictCounts, VerdictFinding};

#[cfg(test)]
mod tests;
