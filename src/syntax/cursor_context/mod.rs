//! The surroundings of a cursor in a text that is being typed, and is therefore broken at the cursor.
//!
//! The tree is the best reading of the whole text, in which an unclosed string has swallowed the text after it. Here the
//! text is read from the left up to the cursor, as the author reads it, and after the cursor only to the end of the innermost
//! container.

#[cfg(test)]
mod tests;
mod walk;

use crate::syntax::lexer::{Lexer, TokenKind};
use crate::syntax::string::decode;
use crate::text::Span;

use super::{Container, Path, Step};
use walk::Walk;

/// The surroundings of a cursor. Offsets are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CursorContext {
    /// The containers that are open, outermost first.
    pub(crate) open: Vec<Open>,
    /// The kind of text that belongs here.
    pub(crate) slot: Slot,
    /// The text at the cursor.
    pub(crate) token: Token,
    /// The offset at which a comma is missing before the cursor.
    pub(crate) comma_missing: Option<usize>,
    /// The next token.
    pub(crate) follows: Follows,
    /// The keys of the innermost container after the token, or its strings if it is a list.
    pub(crate) names_behind: Vec<String>,
}

/// A container that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// The kind.
    pub(crate) container: Container,
    /// The offset of its bracket.
    pub(crate) start: usize,
    /// The step to it from the container around it; `None` for the outermost.
    pub(crate) step: Option<Step>,
    /// The keys before the token, or its strings if it is a list.
    pub(crate) names: Vec<String>,
}

/// The kind of text that belongs at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A key of the innermost container, which is an object.
    Key,
    /// The value of this key of the innermost container.
    Value(String),
    /// The element of the innermost container with this index.
    Element(usize),
    /// The document.
    Document,
    /// Nothing: after a key without a colon, in a comment, after the document.
    Nothing,
}

/// The token that the cursor touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The text with its quotes; empty where no token is.
    pub(crate) span: Span,
    /// The quote at its start, if there is one.
    pub(crate) quote: Option<char>,
    /// Whether the cursor is after its closing quote.
    pub(crate) is_left: bool,
}

/// The next token after the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// The end of the text.
    End,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `}` or `]`
    Closer,
    /// A key.
    Key,
    /// The start of a value.
    Value,
    /// Something that is not JSON.
    Junk,
}

impl CursorContext {
    /// The surroundings of the byte `offset` of `text`. Each span of `known` counts as one value and is not read: this bounds
    /// the cost in a large document.
    pub(crate) fn at(text: &str, offset: usize, known: &[Span]) -> CursorContext {
        let mut walk = Walk::new(text, known);
        let touched = walk.up_to(offset);
        let (token, follows_from) = match touched {
            Some(touched) => {
                let token = walk::token(text, &touched, offset);
                (token, token.span.end)
            }
            None => (Token { span: Span::empty(offset), quote: None, is_left: false }, offset),
        };
        let follows = follows(text, follows_from);
        let slot = match walk.is_in_comment(offset) {
            true => Slot::Nothing,
            false => walk.slot(touched.as_ref(), follows),
        };
        let comma_missing = walk.comma_missing(&slot);
        let names_behind = walk.container().map(|container| names(text, follows_from, container, known));
        CursorContext {
            open: walk.into_open(),
            slot,
            token,
            comma_missing,
            follows,
            names_behind: names_behind.unwrap_or_default(),
        }
    }

    /// The context with offsets that count from `origin` bytes further up.
    #[must_use]
    pub(crate) fn shifted_by(mut self, origin: usize) -> CursorContext {
        self.token.span = self.token.span.shifted_by(origin);
        self.comma_missing = self.comma_missing.map(|offset| offset + origin);
        for open in &mut self.open {
            open.start += origin;
        }
        self
    }

    /// The way from the outermost container to what may be written here; to the container itself, where that is a key.
    pub(crate) fn path(&self) -> Path {
        let mut steps: Vec<Step> = self.open.iter().filter_map(|open| open.step.clone()).collect();
        match &self.slot {
            Slot::Value(key) => steps.push(Step::Key(key.clone())),
            Slot::Element(index) => steps.push(Step::Index(*index)),
            Slot::Key | Slot::Document | Slot::Nothing => {}
        }
        Path(steps)
    }

    /// The innermost container's keys, or strings in case of a list; the token is not among them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let before = self.open.last().into_iter().flat_map(|open| &open.names);
        before.chain(&self.names_behind).map(String::as_str)
    }
}

/// What comes next from the byte `from` on.
fn follows(text: &str, from: usize) -> Follows {
    let mut lexer = Lexer::starting_at(text, from);
    let token = lexer.next();
    let is_before_colon = || lexer.peek(token.span.end).is_some_and(|(_, byte)| byte == b':');
    match token.kind {
        TokenKind::End => Follows::End,
        TokenKind::Comma => Follows::Comma,
        TokenKind::Colon => Follows::Colon,
        TokenKind::CloseObject | TokenKind::CloseArray => Follows::Closer,
        TokenKind::String | TokenKind::Word | TokenKind::SingleQuoted if is_before_colon() => Follows::Key,
        TokenKind::Word | TokenKind::SingleQuoted | TokenKind::Stray(_) => Follows::Junk,
        _ => Follows::Value,
    }
}

/// The keys, or the strings in case of a list, that stand from the byte `from` on in the container that is open there.
fn names(text: &str, from: usize, container: Container, known: &[Span]) -> Vec<String> {
    let mut names = Vec::new();
    let mut lexer = Lexer::starting_at(text, from);
    let mut depth = 0_usize;
    let mut is_value = false;
    loop {
        let token = lexer.next();
        if let Some(known) = known.iter().find(|span| span.start == token.span.start && !span.is_empty()) {
            lexer.jump(known.end);
            continue;
        }
        let is_key = || lexer.peek(token.span.end).is_some_and(|(_, byte)| byte == b':');
        match token.kind {
            TokenKind::End => break,
            // An object where a key should be belongs to a list around this container, which was not closed.
            TokenKind::OpenObject if depth == 0 && container == Container::Object && !is_value => break,
            TokenKind::OpenObject | TokenKind::OpenArray => depth += 1,
            TokenKind::CloseObject | TokenKind::CloseArray if depth == 0 => break,
            TokenKind::CloseObject | TokenKind::CloseArray => depth -= 1,
            TokenKind::String if depth == 0 => match (container, is_key()) {
                (Container::Array, true) if token.on_new_line => break,
                (Container::Object, false) => {}
                _ => names.push(decode(&text[token.span.range()]).into_owned()),
            },
            _ => {}
        }
        is_value = token.kind == TokenKind::Colon;
    }
    names
}
