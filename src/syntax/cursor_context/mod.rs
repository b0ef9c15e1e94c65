//! What stands around a cursor in a text that is being typed, and is therefore broken right there.
//!
//! The tree says what a text means once it is whole; it has to take an unclosed string or a value without its comma for
//! something. Here the text is read from the left as far as the cursor, as somebody who types reads it, and behind the
//! cursor only as far as the innermost container goes.

mod behind;
mod quotes;
mod walk;

use crate::text::Span;

use super::{Container, Path, Step};
use walk::Walk;

/// See the module's page. Offsets are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CursorContext {
    /// The containers that are open, outermost first.
    pub(crate) open: Vec<Open>,
    /// What may be written here.
    pub(crate) slot: Slot,
    /// What of it is written already.
    pub(crate) token: Token,
    /// Behind this byte a comma is missing, before anything else may stand here.
    pub(crate) comma_missing: Option<usize>,
    /// What comes next, behind the token.
    pub(crate) follows: Follows,
    /// The innermost container's keys, or strings in case of a list, that stand behind the token.
    pub(crate) names_behind: Vec<String>,
}

/// A container that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// Which one.
    pub(crate) container: Container,
    /// Where its bracket is.
    pub(crate) start: usize,
    /// How its own container leads to it; `None` for the outermost.
    pub(crate) step: Option<Step>,
    /// Its keys, or strings in case of a list, before the token.
    pub(crate) names: Vec<String>,
}

/// What may be written at a place.
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
    /// Nothing: behind a key that has no colon, within a comment, behind the document.
    Nothing,
}

/// The token that the cursor touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its text, quotes included; empty where there is none.
    pub(crate) span: Span,
    /// The quote that it starts with, if it does.
    pub(crate) quote: Option<char>,
    /// Whether the cursor stands behind its closing quote.
    pub(crate) is_left: bool,
}

/// What comes next.
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
    /// Something that is no JSON.
    Junk,
}

impl CursorContext {
    /// What stands around the byte `offset` of `text`. Each span of `known` is read as one value without being looked
    /// into: that keeps the costs down where much stands before the cursor.
    pub(crate) fn at(text: &str, offset: usize, known: &[Span]) -> CursorContext {
        let mut walk = Walk::new(text, known);
        let touched = walk.up_to(offset);
        let (token, follows_from) = match touched {
            Some(touched) => {
                let token = quotes::token(text, &touched, offset);
                (token, token.span.end)
            }
            None => (Token { span: Span::empty(offset), quote: None, is_left: false }, offset),
        };
        let follows = behind::follows(text, follows_from);
        let slot = match walk.is_in_comment(offset) {
            true => Slot::Nothing,
            false => walk.slot(touched.as_ref(), follows),
        };
        let comma_missing = walk.comma_missing(&slot);
        let names_behind = walk.container().map(|container| behind::names(text, follows_from, container, known));
        CursorContext {
            open: walk.into_open(),
            slot,
            token,
            comma_missing,
            follows,
            names_behind: names_behind.unwrap_or_default(),
        }
    }

    /// The same, its offsets counted from `origin` bytes further up.
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

#[cfg(test)]
mod tests;
