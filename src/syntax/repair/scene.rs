//! A text with edits made, and the way back from its places to those of the text before.

use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::syntax::{Container, SyntaxError, SyntaxErrorKind};
use crate::text::Span;

use super::{Mistake, Repair};

/// How many bytes around an error are looked at on its line, at most.
/// The slip is near the error, and each try parses that much.
const REACH: usize = 600;

/// The surroundings of an error.
pub(super) struct Scene<'a> {
    pub(super) text: &'a str,
    pub(super) error: &'a SyntaxError,
    pub(super) tokens: Vec<Token>,
    /// The index of the first token that ends behind the error's start.
    pub(super) index: usize,
    /// The line of the error, or a part of it if it is long.
    pub(super) line: Span,
}

impl<'a> Scene<'a> {
    pub(super) fn new(text: &'a str, error: &'a SyntaxError) -> Self {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == TokenKind::End {
                break;
            }
            tokens.push(token);
        }
        let at = error.span.start;
        let index = tokens.partition_point(|token| token.span.end <= at && token.span.start < at);
        let line = line_at(text, at);
        Self { text, error, tokens, index, line }
    }

    pub(super) fn at(&self) -> usize {
        self.error.span.start
    }

    /// The tokens from `before` ahead of the error to `behind` after it.
    pub(super) fn around(&self, before: usize, behind: usize) -> &[Token] {
        let start = self.index.saturating_sub(before);
        &self.tokens[start..(self.index + behind).min(self.tokens.len())]
    }

    pub(super) fn str(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Whether a value, a key or a container may end at `offset`: structure or the line's end follows.
    pub(super) fn may_end(&self, offset: usize) -> bool {
        let rest = self.text[offset..].trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with([',', ':', ']', '}', '\n', '\r'])
    }

    /// Whether a value or a key may start at `offset`: structure or the line's start is before it.
    pub(super) fn may_start(&self, offset: usize) -> bool {
        let before = self.text[..offset].trim_end_matches([' ', '\t', '\n', '\r']);
        before.is_empty() || before.ends_with([',', ':', '[', '{'])
    }
}

/// The line around `at` without its break, cut to what is near.
pub(super) fn line_at(text: &str, at: usize) -> Span {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |found| found + 1);
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |found| at + found);
    let start = text.ceil_char_boundary(start.max(at.saturating_sub(REACH)));
    let end = text.floor_char_boundary(end.min(at + REACH));
    Span::new(start, end)
}

/// The lines of a text with their breaks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(Span::new(start, *at))
    })
}

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

/// Where edits end in an edited text.
#[derive(Clone, Debug, Default)]
pub(super) struct Edited {
    /// The end of each edit in the edited text, in order, and the bytes that all edits up to there have added.
    ends: Vec<(usize, isize)>,
}

impl Edited {
    /// The text after edits, which are in order and apart.
    pub(super) fn of<'e>(text: &str, edits: impl IntoIterator<Item = &'e (Span, String)>) -> (String, Edited) {
        let mut edited = String::with_capacity(text.len() + 16);
        let mut ends = Vec::new();
        let mut at = 0;
        for (span, with) in edits.into_iter().filter(|(span, _)| span.end <= text.len()) {
            edited.push_str(text.get(at..span.start).unwrap_or_default());
            edited.push_str(with);
            at = at.max(span.end);
            ends.push((edited.len(), edited.len() as isize - at as isize));
        }
        edited.push_str(&text[at..]);
        (edited, Edited { ends })
    }

    /// The span in the text before all edits. What an edit inserted is at its end.
    pub(super) fn original(&self, span: Span) -> Span {
        let start = self.place(span.start, |end| end <= span.start);
        // An edit that starts where the span ends is not within it.
        Span::new(start, if span.is_empty() { start } else { self.place(span.end, |end| end < span.end).max(start) })
    }

    /// The place before the edits of a place that is after the edits with such an end.
    fn place(&self, at: usize, is_before: impl Fn(usize) -> bool) -> usize {
        let next = self.ends.partition_point(|(end, _)| is_before(*end));
        let added = next.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let back = at.saturating_add_signed(-added);
        self.ends.get(next).map_or(back, |(end, added)| back.min(end.saturating_add_signed(-added)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_before() {
        let edits = [(Span::empty(2), "XYZ".to_owned()), (Span::new(3, 5), String::new())];
        let (text, edited) = Edited::of("ab cd ef", &edits);
        assert_eq!(text, "abXYZ  ef");
        for (place, before) in [(0, 0), (2, 2), (4, 2), (5, 2), (6, 5), (7, 6), (9, 8)] {
            assert_eq!(edited.original(Span::empty(place)), Span::empty(before), "{place}");
        }
        assert_eq!(edited.original(Span::new(0, 2)), Span::new(0, 2));
    }
}
