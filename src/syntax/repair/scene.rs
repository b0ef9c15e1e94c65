use crate::syntax::SyntaxError;
use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::text::Span;

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
