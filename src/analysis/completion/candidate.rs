use crate::suite::Version;
use crate::text::{Span, visible_text};

use super::snippet::Snippet;

/// The kind of a completion, shown by editors as an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is what its name says")]
pub(crate) enum CompletionKind {
    Key,
    /// A value from a closed list, a number or a boolean.
    Value,
    Group,
    Tool,
    Source,
    Phrase,
    Pattern,
    /// A whole structure.
    Structure,
}

/// The explanation of a completion, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Documentation {
    /// For editors that do not support Markdown.
    pub(crate) plain: String,
    /// In Markdown.
    pub(crate) markdown: String,
}

impl Documentation {
    /// The same text for both forms. It must not contain anything that Markdown reads as markup.
    pub(super) fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { plain: text.clone(), markdown: text }
    }
}

/// A suggestion before it is adapted to the text around the cursor.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) label: String,
    pub(super) kind: CompletionKind,
    pub(super) detail: Option<String>,
    pub(super) documentation: Option<Documentation>,
    /// The JSON to insert; for a key, the JSON of its value.
    pub(super) json: Snippet,
    pub(super) form: Form,
    /// The version that the suite must be raised to.
    pub(super) raises_to: Option<Version>,
}

/// How a candidate is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A key, and its value if there is none yet.
    Member,
    /// All members of an empty object.
    Members,
    /// A value.
    Value,
    /// The only element of a list that must be inserted too.
    OnlyElement,
    /// Text within the string under the cursor; replaces this span.
    Word(Span),
}

impl Candidate {
    pub(super) fn new(label: &str, kind: CompletionKind, json: Snippet) -> Self {
        Self {
            label: visible_text(label),
            kind,
            detail: None,
            documentation: None,
            json,
            form: Form::Value,
            raises_to: None,
        }
    }

    /// A string whose label is its value.
    pub(super) fn string(value: &str, kind: CompletionKind) -> Self {
        Self::new(value, kind, Snippet::string(value))
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into()).filter(|detail| !detail.is_empty());
        self
    }

    pub(super) fn documentation(mut self, documentation: Option<Documentation>) -> Self {
        self.documentation = documentation;
        self
    }

    pub(super) fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }
}
