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

    /// The mistake that it explains.
    pub(super) fn into_mistake(self) -> Mistake {
        let repair = Repair { title: self.title, edits: self.edits, is_safe: self.is_safe };
        Mistake {
            span: self.span,
            message: self.message,
            opened: self.opened,
            repairs: if repair.edits.is_empty() { Vec::new() } else { vec![repair] },
            is_harmless: self.is_harmless,
        }
    }
}
