use crate::suite::Version;
use crate::text::{Span, visible};

use super::snippet::Snippet;

/// What a completion is, for editors that show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum CompletionKind {
    Key,
    /// A value of a closed list, a number or a boolean.
    Value,
    Group,
    Tool,
    Source,
    Phrase,
    Pattern,
    /// A whole structure.
    Structure,
}

/// What something means, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documentation {
    /// For editors that know no Markdown.
    pub plain: String,
    /// In Markdown.
    pub markdown: String,
}

impl Documentation {
    /// The same in both; there is nothing in it that Markdown would take for markup.
    pub(super) fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { plain: text.clone(), markdown: text }
    }
}

/// Something that may be written, before it is fitted in.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) label: String,
    pub(super) kind: CompletionKind,
    pub(super) detail: Option<String>,
    pub(super) documentation: Option<Documentation>,
    /// The JSON that is written; of a key, that of its value.
    pub(super) json: Snippet,
    pub(super) form: Form,
    /// The version that the suite must be raised to for it.
    pub(super) raises_to: Option<Version>,
}

/// How a candidate goes into the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A key, with its value where there is none yet.
    Member,
    /// Whole members of an empty object.
    Members,
    /// A value.
    Value,
    /// The only element of a list that is not there yet.
    OnlyElement,
    /// Some text of the string that the cursor is in, in the place of this span.
    Word(Span),
}

impl Candidate {
    pub(super) fn new(label: &str, kind: CompletionKind, json: Snippet) -> Self {
        Self {
            label: label.chars().map(visible).collect(),
            kind,
            detail: None,
            documentation: None,
            json,
            form: Form::Value,
            raises_to: None,
        }
    }

    /// A string that is offered by what it says.
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
