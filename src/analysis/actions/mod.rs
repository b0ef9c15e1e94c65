//! What may be done at a place in a suite, its faults aside: one file an action.
//!
//! Edits keep the text's layout: its indentation, its line ends, what stands on one line.

mod add_case;
mod configure;
mod label_number;
mod phrase_to_regex;
mod place;
mod scale_weights;
mod sort_cases;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::Edit;
use crate::text::Span;

pub use configure::{define_ui_hint, turn_lint_off};

use super::{Document, Workspace};
use place::Place;

/// A change that a person may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, as a command: "sort the cases by id".
    pub title: String,
    /// What kind of change it is.
    pub kind: ActionKind,
    /// What to replace; spans do not overlap, and all are meant for the same text.
    pub edits: Vec<Edit>,
}

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// The same expectation, said otherwise.
    Rewrite,
    /// Something new.
    Add,
    /// The same cases in another order.
    Sort,
}

/// What may be done where the bytes of `at`, or a cursor there, are.
pub fn actions(document: &Document, at: Span, workspace: &Arc<Workspace>) -> Vec<Action> {
    let of_case = Place::find(document, at, workspace).map(|place| {
        [
            scale_weights::action(&place),
            phrase_to_regex::action(&place),
            label_number::action(&place),
            add_case::action(&place),
        ]
    });
    of_case.into_iter().flatten().chain([sort_cases::action(document)]).flatten().collect()
}
