//! Refactorings at a cursor or selection, one file per action. Fixes of findings are not here: lints have those.
//!
//! Edits keep the layout of the text: its indentation, its line breaks, and what is on one line.

mod accept_said;
mod add_case;
mod configure;
mod context;
mod label_number;
mod phrase_to_regex;
mod propose;
mod scale_weights;
mod sort_cases;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::Edit;
use crate::text::Span;

pub(crate) use accept_said::accept_said;
pub(crate) use configure::{
    StartedHint, allow_in_case, define_ui_hints, know_tool, match_reply_only, narrow_source, read_plain, turn_lint_off,
};
pub(crate) use propose::propose_checks;
pub(crate) use sort_cases::{can_sort_cases, sorted_cases};

use super::{Document, Workspace};
use context::ActionContext;

/// A change of one case that a person may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    /// The command: "give the number a label".
    pub(crate) title: String,
    /// The kind of change.
    pub(crate) kind: ActionKind,
    /// What to replace; spans do not overlap, and all are meant for the same text.
    pub(crate) edits: Vec<Edit>,
}

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// The same expectation, written differently.
    Rewrite,
    /// Something new.
    Add,
}

/// The actions for a selection or cursor at the bytes `at`.
pub(crate) fn actions(document: &Document, at: Span, workspace: &Arc<Workspace>) -> Vec<Action> {
    let in_case = ActionContext::find(document, at, workspace).map(|context| {
        [
            scale_weights::action(&context),
            phrase_to_regex::action(&context),
            label_number::action(&context),
            add_case::action(&context),
        ]
    });
    in_case.into_iter().flatten().flatten().collect()
}
