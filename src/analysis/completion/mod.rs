//! Completion: suggestions for the text at the cursor, ready to be inserted.
//!
//! ```text
//! scene ─► keys   ─► candidate ─► insert ─► Completion
//!      └─► values ─┘
//! ```
//!
//! The [`scene`] describes the place of the cursor: the object or list around it, the entries that it has already, what
//! the schema allows, and the case. [`keys`] and [`values`] return candidates, best first. `keys` adapts each of them
//! to the text: it adds the missing quotes, colons and commas, and none that exist already.

mod candidate;
mod keys;
mod scene;
#[cfg(test)]
mod tests;
mod values;

use std::collections::HashSet;

use crate::diagnostic::Edit;
use crate::lints::Workspace;
use crate::syntax::Slot;
use crate::text::Span;

use super::{Answers, Document};
use scene::Scene;

pub(crate) use candidate::{CompletionKind, Documentation, Layout, Snippet};

/// The input of a completion beside the document.
#[derive(Clone, Copy, Debug)]
pub struct CompletionContext<'a> {
    /// The UI hints and the tools of the workspace.
    pub workspace: &'a Workspace,
    /// The last answers of the suite's cases, and the configuration.
    pub answers: &'a Answers,
    /// The typed character that triggered the completion; `None` if a person requested it.
    pub trigger: Option<char>,
}

/// All completions at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The completions, best first.
    pub items: Vec<Completion>,
    /// The layout of the text around the cursor.
    pub(crate) layout: Layout,
}

/// One suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text shown in the list. Text from suites and transcripts is made visible.
    pub(crate) label: String,
    /// The kind of the suggestion.
    pub(crate) kind: CompletionKind,
    /// A few words shown beside the label.
    pub(crate) detail: Option<String>,
    /// The explanation.
    pub(crate) documentation: Option<Documentation>,
    /// The text that editors compare with the typed text, which starts at [`span`](Self::span) and ends at the cursor.
    pub(crate) filter: String,
    /// The replaced bytes. They are on one line and touch the cursor.
    pub(crate) span: Span,
    /// The inserted text.
    pub(crate) text: Snippet,
    /// Edits elsewhere. They touch neither each other nor the span.
    pub(crate) also: Vec<Edit>,
}

/// The completions at the byte `offset` of a suite. Reads the case at the cursor, and only the needed fields of the other
/// cases.
pub fn completions(document: &Document, offset: usize, context: &CompletionContext<'_>) -> Completions {
    let scene = Scene::new(document, offset, context);
    let layout = keys::layout(&scene);
    let candidates = match scene.cursor.slot {
        _ if !is_answered(&scene) => Vec::new(),
        Slot::Key => keys::keys(&scene),
        Slot::Value(_) | Slot::Element(_) | Slot::Document => values::values(&scene),
        Slot::Nothing => Vec::new(),
    };
    let mut unique = HashSet::new();
    let items = candidates.into_iter().filter_map(|candidate| keys::insert(&scene, candidate));
    // The protocol allows only one line to be replaced. A string with a line break has several.
    let items = items.filter(|item| !document.text().slice(item.span).contains(['\n', '\r']));
    let items = items.filter(|item| unique.insert((item.label.clone(), item.span, item.text.to_plain(&layout))));
    Completions { items: items.collect(), layout }
}

/// The characters that trigger completion. Not every request gets an answer, see [`is_answered`].
pub(crate) const TRIGGER_CHARACTERS: [char; 3] = ['"', ':', ' '];

/// Whether to answer a request. A typed character must open something, so that a list does not pop up after a closing quote
/// or between the words of a prompt.
fn is_answered(scene: &Scene<'_>) -> bool {
    let Some(trigger) = scene.context.trigger else { return true };
    let before = &scene.text()[..scene.offset];
    match trigger {
        '"' => scene.inside_string().is_some_and(|inside| inside.start == scene.offset),
        ':' => is_gap(scene) && before.ends_with(':'),
        ' ' => is_gap(scene) && before.ends_with(": ") && before.trim_end_matches(' ').len() + 1 == before.len(),
        _ => true,
    }
}

fn is_gap(scene: &Scene<'_>) -> bool {
    scene.is_blank() && matches!(scene.cursor.slot, Slot::Value(_))
}
