//! What may be written at the cursor, ready to be inserted.
//!
//! ```text
//! scene ─► keys   ─► candidate ─► insert ─► Completion
//!      └─► values ─┘
//! ```
//!
//! The [`scene`] is where the cursor is, as somebody sees it who types: which object or list, what is in it already, what
//! the schema allows there, which case it belongs to. [`keys`] and [`values`] say what may come, the best first;
//! [`insert`] makes it fit, with the quotes, the colon and the commas that are missing and none that are there already.

mod candidate;
mod insert;
mod keys;
mod scene;
mod snippet;
mod triggers;
mod values;

use std::collections::HashSet;

use crate::diagnostic::Edit;
use crate::lints::Workspace;
use crate::syntax::Slot;
use crate::text::Span;

use super::{Answers, Document};
use scene::Scene;

pub use candidate::{CompletionKind, Documentation};
pub use snippet::{Layout, Snippet};
pub use triggers::TRIGGER_CHARACTERS;

/// What is known around a document when a completion is asked for.
#[derive(Clone, Copy, Debug)]
pub struct CompletionContext<'a> {
    /// What the workspace defines and has shown.
    pub workspace: &'a Workspace,
    /// What the suite's cases were answered last, and what the configuration says.
    pub answers: &'a Answers,
    /// The character whose typing asked, where nobody did on purpose.
    pub trigger: Option<char>,
}

/// What may be written at a place, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// What may be written.
    pub items: Vec<Completion>,
    /// How the text is laid out there.
    pub layout: Layout,
}

/// One thing that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What people choose it by. Text of suites and transcripts is in it, with nothing that is invisible.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words on it.
    pub detail: Option<String>,
    /// What it means.
    pub documentation: Option<Documentation>,
    /// What is compared with the text from the start of [`span`](Self::span) to the cursor.
    pub filter: String,
    /// What it replaces, in bytes: on one line, and the cursor is in it.
    pub span: Span,
    /// What comes instead.
    pub text: Snippet,
    /// Further edits elsewhere, which touch neither each other nor the span.
    pub also: Vec<Edit>,
}

/// What may be written at the byte `offset` of a suite. Costs the case that the cursor is in, and a look at those fields
/// of the other cases that are asked about.
pub fn completions(document: &Document, offset: usize, context: &CompletionContext<'_>) -> Completions {
    let scene = Scene::new(document, offset, context);
    let layout = insert::layout(&scene);
    let candidates = match scene.spot.slot {
        _ if !triggers::is_answered(&scene) => Vec::new(),
        Slot::Key => keys::keys(&scene),
        Slot::Value(_) | Slot::Element(_) | Slot::Document => values::values(&scene),
        Slot::Nothing => Vec::new(),
    };
    let mut seen = HashSet::new();
    let items = candidates.into_iter().filter_map(|candidate| insert::insert(&scene, candidate));
    let items = items.filter(|item| seen.insert((item.label.clone(), item.span, item.text.to_plain(&layout))));
    Completions { items: items.collect(), layout }
}

#[cfg(test)]
mod tests;
