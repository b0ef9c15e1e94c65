use crate::syntax::{Container, SyntaxErrorKind};
use crate::text::Span;

use super::{Mistake, Repair};

/// Edits that may undo a mistake, and how it is worded if they do.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) title: String,
    pub(super) edits: Vec<(Span, String)>,
    /// How unlikely it is; among equals the lowest wins.
    pub(super) cost: usize,
    pub(super) is_safe: bool,
    pub(super) is_harmless: bool,
    /// The container that it closes.
    pub(super) closes: Option<Container>,
    pub(super) opened: Option<Span>,
}

impl Candidate {
    pub(super) fn new(span: Span, message: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            title: title.into(),
            edits: Vec::new(),
            cost: 0,
            is_safe: false,
            is_harmless: false,
            closes: None,
            opened: None,
        }
    }

    /// A candidate whose message is that of a syntax error.
    pub(super) fn of(kind: &SyntaxErrorKind, span: Span, title: impl Into<String>) -> Self {
        Self::new(span, kind.to_string(), title)
    }

    pub(super) fn replace(mut self, span: Span, with: impl Into<String>) -> Self {
        self.edits.push((span, with.into()));
        self
    }

    pub(super) fn insert(self, at: usize, text: impl Into<String>) -> Self {
        self.replace(Span::empty(at), text)
    }

    pub(super) fn cost(self, cost: usize) -> Self {
        Self { cost, ..self }
    }

    pub(super) fn closes(self, container: Container) -> Self {
        Self { closes: Some(container), ..self }
    }

    /// The text with its edits made, and where the last of them ends in it.
    pub(super) fn apply(&self, text: &str) -> (String, usize) {
        let mut edited = String::with_capacity(text.len() + 16);
        let mut at = 0;
        for (span, with) in &self.edits {
            edited.push_str(&text[at..span.start]);
            edited.push_str(with);
            at = span.end;
        }
        let floor = edited.len();
        edited.push_str(&text[at..]);
        (edited, floor)
    }

    /// The mistake, its places moved back by what earlier edits added.
    pub(super) fn into_mistake(self, grown: isize) -> Mistake {
        let back = |span: Span| {
            let offset = |at: usize| at.saturating_add_signed(-grown);
            Span::new(offset(span.start), offset(span.end))
        };
        let edits: Vec<_> = self.edits.into_iter().map(|(span, with)| (back(span), with)).collect();
        let repair = Repair { title: self.title, edits, is_safe: self.is_safe };
        Mistake {
            span: back(self.span),
            message: self.message,
            opened: self.opened.map(back),
            repairs: if repair.edits.is_empty() { Vec::new() } else { vec![repair] },
            is_harmless: self.is_harmless,
        }
    }
}
