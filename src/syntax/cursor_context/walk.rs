//! Reads a text from the left up to the cursor, and where the token there ends.

use crate::syntax::lexer::{self, Lexer, Token, TokenKind};
use crate::syntax::string::decode;
use crate::syntax::{Container, Step, SyntaxErrorKind};
use crate::text::Span;

use super::{Follows, Open, Slot};

/// Reads a text from the left. Where it is broken, it guesses as the parser does.
pub(super) struct Walk<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    known: &'a [Span],
    frames: Vec<Frame>,
    is_done: bool,
    previous_end: usize,
}

struct Frame {
    open: Open,
    state: State,
    /// The key that was read last.
    key: String,
    /// How many elements were read.
    count: usize,
}

/// What of the container was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Opened,
    Comma,
    Key,
    Colon,
    Value,
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str, known: &'a [Span]) -> Self {
        Self { text, lexer: Lexer::new(text), known, frames: Vec::new(), is_done: false, previous_end: 0 }
    }

    /// Reads up to the byte `offset`; returns the token that it touches.
    pub(super) fn up_to(&mut self, offset: usize) -> Option<Token> {
        loop {
            let token = self.lexer.next();
            let known = self.known.iter().find(|span| span.start == token.span.start && span.end <= offset);
            if let Some(known) = known {
                self.lexer.jump(known.end);
                self.previous_end = known.end;
                self.value_is_read();
                continue;
            }
            if token.kind == TokenKind::End || token.span.start >= offset {
                return None;
            }
            if offset < token.span.end || (offset == token.span.end && is_typed(token.kind)) {
                return Some(token);
            }
            self.read(token);
        }
    }

    /// Whether the byte `offset` is in a comment.
    pub(super) fn is_in_comment(&self, offset: usize) -> bool {
        let within = |span: Span| {
            let is_closed = self.text[span.range()].starts_with("/*") && self.text[span.range()].ends_with("*/");
            span.start < offset && (offset < span.end || (offset == span.end && !is_closed))
        };
        self.lexer.errors.iter().any(|error| error.kind == SyntaxErrorKind::Comment && within(error.span))
    }

    /// What may be written at the place that was reached, or in the place of the token there.
    pub(super) fn slot(&mut self, touched: Option<&Token>, follows: Follows) -> Slot {
        let is_key = follows == Follows::Colon && touched.is_some();
        let is_on_new_line = touched.is_some_and(|token| token.on_new_line);
        if is_key && is_on_new_line && self.is_in_list_of_object() {
            self.pop();
            // A comma would not fix it: the bracket of the list is missing.
            self.set(State::Comma);
        }
        let Some(frame) = self.frames.last() else {
            return if self.is_done { Slot::Nothing } else { Slot::Document };
        };
        match (frame.open.container, frame.state) {
            (Container::Array, _) => Slot::Element(frame.count),
            (Container::Object, State::Colon) if is_key => match is_on_new_line {
                true => Slot::Key,
                false => Slot::Nothing,
            },
            (Container::Object, State::Colon) => Slot::Value(frame.key.clone()),
            (Container::Object, State::Key) if !is_on_new_line => Slot::Nothing,
            (Container::Object, _) => Slot::Key,
        }
    }

    /// Where a comma is missing before what may be written.
    pub(super) fn comma_missing(&self, slot: &Slot) -> Option<usize> {
        let is_behind_value = self.frames.last().is_some_and(|frame| frame.state == State::Value);
        (is_behind_value && matches!(slot, Slot::Key | Slot::Element(_))).then_some(self.previous_end)
    }

    /// The innermost container that is open.
    pub(super) fn container(&self) -> Option<Container> {
        Some(self.frames.last()?.open.container)
    }

    pub(super) fn into_open(self) -> Vec<Open> {
        self.frames.into_iter().map(|frame| frame.open).collect()
    }

    fn read(&mut self, token: Token) {
        use TokenKind::*;
        match token.kind {
            OpenObject => self.push(Container::Object, token),
            OpenArray => self.push(Container::Array, token),
            CloseObject | CloseArray => self.close(token),
            Comma => self.set(State::Comma),
            Colon => self.colon(),
            Stray('=') if self.state() == Some(State::Key) => self.set(State::Colon),
            Stray(_) | End => return,
            String | Number | True | False | Null | Word | SingleQuoted => self.scalar(token),
        }
        self.previous_end = token.span.end;
    }

    fn scalar(&mut self, token: Token) {
        let is_key = self.is_key(&token);
        if is_key && token.on_new_line && self.is_in_list_of_object() {
            self.pop();
        }
        let Some(frame) = self.frames.last_mut() else {
            self.is_done = true;
            return;
        };
        let text = &self.text[token.span.range()];
        let name = || if token.kind == TokenKind::String { decode(text).into_owned() } else { text.to_owned() };
        match (frame.open.container, frame.state) {
            (Container::Array, _) => {
                if token.kind == TokenKind::String {
                    frame.open.names.push(name());
                }
                frame.count += 1;
                frame.state = State::Value;
            }
            (Container::Object, State::Value) if !is_key => {}
            (Container::Object, State::Key) if !is_key => {
                // Without its colon, a key on the line before has no value either.
                frame.state = State::Value;
            }
            (Container::Object, State::Colon) if !(is_key && token.on_new_line) => frame.state = State::Value,
            (Container::Object, _) => {
                frame.key = name();
                frame.open.names.push(frame.key.clone());
                frame.state = State::Key;
            }
        }
    }

    fn colon(&mut self) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.open.container == Container::Object) {
            if frame.state != State::Key {
                frame.key.clear();
            }
            frame.state = State::Colon;
        }
    }

    fn push(&mut self, container: Container, token: Token) {
        let is_element_below = container == Container::Object
            && matches!(self.state(), Some(State::Comma | State::Value))
            && self.container() == Some(Container::Object)
            && self.below() == Some(Container::Array);
        if is_element_below {
            // The object before it was not closed.
            self.pop();
        }
        let step = self.frames.last().map(|frame| match frame.open.container {
            Container::Array => Step::Index(frame.count),
            Container::Object if matches!(frame.state, State::Key | State::Colon) => Step::Key(frame.key.clone()),
            Container::Object => Step::Key(String::new()),
        });
        let open = Open { container, start: token.span.start, step, names: Vec::new() };
        self.frames.push(Frame { open, state: State::Opened, key: String::new(), count: 0 });
    }

    /// Closes the container that the bracket belongs to, and with it those within that were not closed.
    fn close(&mut self, token: Token) {
        let closes = if token.kind == TokenKind::CloseObject { Container::Object } else { Container::Array };
        let is_open = self.frames.iter().any(|frame| frame.open.container == closes);
        if !is_open || (self.container() != Some(closes) && self.is_superfluous(&token)) {
            return;
        }
        while self.container().is_some_and(|container| container != closes) {
            self.pop();
        }
        self.pop();
    }

    /// Whether a bracket that does not fit is one too many, rather than the sign that another is missing.
    fn is_superfluous(&self, token: &Token) -> bool {
        let next = self.lexer.peek(token.span.end);
        let behind_comma = |at: usize| self.lexer.peek(at + 1).map(|(_, byte)| byte);
        match (token.kind, next) {
            (TokenKind::CloseArray, Some((at, b','))) => !token.on_new_line && behind_comma(at) == Some(b'"'),
            (TokenKind::CloseArray, Some((at, b'}'))) => !token.on_new_line && at != token.span.end,
            (TokenKind::CloseObject, Some((at, b','))) => behind_comma(at) == Some(b'{'),
            (TokenKind::CloseObject, Some((_, next))) => next == b']',
            _ => false,
        }
    }

    fn pop(&mut self) {
        self.frames.pop();
        self.value_is_read();
    }

    fn value_is_read(&mut self) {
        match self.frames.last_mut() {
            Some(frame) => {
                frame.state = State::Value;
                frame.count += 1;
            }
            None => self.is_done = true,
        }
    }

    fn set(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }

    fn state(&self) -> Option<State> {
        Some(self.frames.last()?.state)
    }

    fn below(&self) -> Option<Container> {
        Some(self.frames.get(self.frames.len().checked_sub(2)?)?.open.container)
    }

    fn is_in_list_of_object(&self) -> bool {
        self.container() == Some(Container::Array) && self.below() == Some(Container::Object)
    }

    fn is_key(&self, token: &Token) -> bool {
        token.kind == TokenKind::String && self.lexer.peek(token.span.end).is_some_and(|(_, byte)| byte == b':')
    }
}

/// Whether a token may be still being typed while the cursor is behind it.
fn is_typed(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, String | Number | True | False | Null | Word | SingleQuoted)
}

/// A longer rest of a line, in bytes, was not typed by a person; its quotes say nothing of the one that is open.
const LONGEST: usize = 4096;

/// The token that a cursor at `offset` touches, as somebody who types there means it.
pub(super) fn token(text: &str, token: &Token, offset: usize) -> super::Token {
    let Span { start, end } = token.span;
    let is_string = token.kind == lexer::TokenKind::String;
    let is_single_quoted = token.kind == lexer::TokenKind::SingleQuoted;
    if is_string {
        let is_closed = !token.unclosed;
        let is_left = is_closed && offset == end;
        let spans_lines = text[token.span.range()].contains(['\n', '\r']);
        let end = if is_left || spans_lines { end } else { string_end(text, start, offset, is_closed.then_some(end)) };
        return super::Token { span: Span::new(start, end), quote: Some('"'), is_left };
    }
    if is_single_quoted {
        return super::Token { span: token.span, quote: Some('\''), is_left: offset == end };
    }
    // A single quote that nothing closes was begun with the word.
    let quoted = text[..start].ends_with('\'');
    super::Token { span: Span::new(start - usize::from(quoted), end), quote: quoted.then_some('\''), is_left: false }
}

/// Where the string ends that starts at `start` and that the cursor at `offset` is in. `closed` is its end with a quote.
fn string_end(text: &str, start: usize, offset: usize, closed: Option<usize>) -> usize {
    let rest = &text[offset..text.floor_char_boundary(offset + LONGEST)];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let is_escaped = text[start + 1..offset].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    let quotes = quotes(line, is_escaped);
    let word = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(line.len());
    let unclosed = offset + word;
    let Some(&first) = quotes.first() else {
        return closed.filter(|_| line.len() >= LONGEST - 3).unwrap_or(unclosed);
    };
    let behind = line[first + 1..].trim_start().chars().next();
    let fits = matches!(behind, None | Some(',' | ':' | ']' | '}' | '"'));
    let is_plain = !line[..first].contains([',', ':', '{', '}', '[', ']']);
    let is_own = fits && (is_plain || line.len() >= LONGEST - 3 || quotes.len() % 2 == 1);
    if is_own { offset + first + 1 } else { unclosed }
}

/// The quotes of a line that no backslash escapes.
fn quotes(line: &str, is_escaped: bool) -> Vec<usize> {
    let mut quotes = Vec::new();
    let mut escaped = is_escaped;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quotes.push(at),
            _ => {}
        }
    }
    quotes
}
