//! The façade: text in, results out. No I/O, no threads, no protocol.
//!
//! A [`Document`] stores the results of each case with that case, so that an edit costs one case and not the whole file.
//! Each question also takes the [`Workspace`] around the document.

pub mod actions;
mod case_results;
mod completion;
mod cursor;
mod document;
pub mod folding;
pub mod formatting;
pub mod hover;
mod ids;
pub mod inlay_hints;
mod memo;
pub mod navigation;
pub mod rename;
pub mod selection;
pub mod semantic_tokens;
pub mod symbols;
pub mod verdicts;
mod warm_up;
mod weighing;
mod workspace;

pub use crate::lints::{Lint, Workspace, lint};
pub use completion::{
    Completion, CompletionContext, CompletionKind, Completions, Documentation, Layout, Snippet, TRIGGER_CHARACTERS,
    completions,
};
pub use document::Document;
pub use hover::{Hover, hover};
pub use verdicts::{Answer, Answers, CaseVerdict, Summary, VerdictFinding};
pub use warm_up::warm_up;
pub use workspace::{lint_names, workspace_of};

pub use crate::verdict::Status;

#[cfg(test)]
mod tests;
