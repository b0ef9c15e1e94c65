use crate::text::Span;

use super::lexer::{Lexer, Token, TokenKind};
use super::tree::Entry;
use super::{Container, Kind, SyntaxError, SyntaxErrorKind, Tree};

/// How many brackets may be open at once.
pub const MAX_DEPTH: usize = 512;

/// What a text was found to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// The nodes; empty where there is no value at all.
    pub tree: Tree,
    /// The errors, in the order in which they were noticed; none exactly where the text is JSON.
    pub errors: Vec<SyntaxError>,
}

/// Parses a document. Total: any text gives a tree, and never a panic.
///
/// Texts of 4 GiB and more are beyond the tree's offsets; callers refuse them.
pub fn parse(text: &str) -> Parse {
    let mut parser = Parser::new(text);
    parser.run();
    parser.finish()
}

/// Parses `text` as a value that stands inside the containers `around`, outermost first, of a larger document.
///
/// Answers only where the value is exactly `text` and would be parsed the same within that document, whatever
/// follows: this is what allows to parse one case afresh and keep all others. The document must have no error outside
/// of the value, since recovery from one may look ahead into it.
pub fn parse_nested(text: &str, around: &[Container]) -> Option<Parse> {
    let mut parser = Parser::new(text);
    parser.stack.extend(around.iter().map(|&container| Frame {
        container,
        state: State::Comma,
        node: 0,
        opener: Span::empty(0),
        member: None,
    }));
    parser.base = around.len();
    parser.run();
    let whole = parser.tree.first().is_some_and(|root| root.span() == Span::new(0, text.len()));
    let independent = !parser.left_base && !parser.lexer.saw_end.get() && parser.stack.len() == parser.base;
    (whole && independent).then(|| parser.finish())
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    tree: Vec<Entry>,
    stack: Vec<Frame>,
    token: Token,
    /// Where the last token that was taken ends.
    previous_end: usize,
    last_comma: Span,
    /// Whether an error was reported and nothing was as expected since: what goes wrong now follows from it.
    quiet: bool,
    /// How many containers of the stack belong to the document around a nested value.
    base: usize,
    /// Whether recovery closed one of those.
    left_base: bool,
}

struct Frame {
    container: Container,
    state: State,
    node: u32,
    opener: Span,
    /// The member that is open in an object.
    member: Option<u32>,
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

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Self {
            lexer,
            tree: Vec::with_capacity(text.len() / 24),
            stack: Vec::new(),
            token,
            previous_end: 0,
            last_comma: Span::empty(0),
            quiet: false,
            base: 0,
            left_base: false,
        }
    }

    fn finish(mut self) -> Parse {
        self.lexer.errors.sort_by_key(|error| error.span);
        Parse { tree: Tree { entries: self.tree }, errors: self.lexer.errors }
    }

    /// Each turn takes a token, moves to another state, or closes a container.
    fn run(&mut self) {
        loop {
            let root_is_done = self.stack.len() == self.base && !self.tree.is_empty();
            if root_is_done || self.left_base {
                return self.end();
            }
            if self.stack.len() == self.base {
                self.root();
                continue;
            }
            let Frame { container, state, .. } = *self.top();
            if self.token.kind == TokenKind::End {
                return self.end();
            }
            match (container, state) {
                (Container::Object, State::Opened | State::Comma) => self.key(),
                (Container::Object, State::Key) => self.colon(),
                (Container::Object, State::Colon) => self.member_value(),
                (Container::Object, State::Value) => self.after_member(),
                (Container::Array, State::Value) => self.after_element(),
                (Container::Array, _) => self.element(),
            }
        }
    }

    fn root(&mut self) {
        match self.token.kind {
            TokenKind::End => {
                self.report(Span::empty(self.token.span.end), SyntaxErrorKind::Empty);
                let end = self.token.span.end;
                self.leaf(Kind::Invalid, Span::empty(end), true);
            }
            _ if self.starts_value() => self.value(),
            _ => self.no_value(),
        }
    }

    /// The text's end, or the end of the document before it.
    fn end(&mut self) {
        if self.left_base {
            return;
        }
        if self.stack.len() > self.base {
            self.lexer.saw_end.set(true);
            let frame = self.top();
            let (opener, container) = (frame.opener, frame.container);
            if frame.state == State::Colon {
                self.invalid_value_is_missing();
            }
            self.report_unclosed(container, opener);
            while self.stack.len() > self.base {
                self.close_unclosed(self.token.span.end);
            }
        } else if self.token.kind != TokenKind::End {
            let start = self.token.span.start;
            let mark = self.lexer.errors.len();
            let mut end = start;
            while self.token.kind != TokenKind::End {
                end = self.token.span.end;
                self.token = self.lexer.next();
            }
            self.lexer.errors.truncate(mark);
            self.report(Span::new(start, end), SyntaxErrorKind::TextAfterEnd);
        }
    }

    fn key(&mut self) {
        match self.token.kind {
            TokenKind::String => {
                self.open_member(Kind::String);
                self.quiet = self.token.unclosed;
                self.advance();
            }
            TokenKind::CloseObject => self.close(),
            TokenKind::Comma => self.extra_comma(),
            TokenKind::Word
            | TokenKind::SingleQuoted
            | TokenKind::Number
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null => {
                let single = self.token.kind == TokenKind::SingleQuoted;
                let kind = if single { SyntaxErrorKind::SingleQuotes } else { SyntaxErrorKind::UnquotedKey };
                if !self.token.broken {
                    self.report(self.token.span, kind);
                }
                self.quiet = true;
                self.open_member(Kind::Invalid);
                self.advance();
            }
            TokenKind::OpenObject if self.top().state == State::Comma && self.is_array_below() => {
                self.unclosed_before_token();
            }
            TokenKind::CloseArray => self.array_closer_in_object(),
            TokenKind::Colon | TokenKind::OpenObject | TokenKind::OpenArray => {
                self.report(Span::empty(self.token.span.start), SyntaxErrorKind::ExpectedKey);
                let member = self.push(Kind::Member, self.token.span.start, true);
                self.top_mut().member = Some(member);
                self.leaf_in(member, Kind::Invalid, Span::empty(self.token.span.start), true);
                self.top_mut().state = State::Colon;
                if self.token.kind == TokenKind::Colon {
                    self.advance();
                }
            }
            TokenKind::Stray(c) => self.stray(c),
            TokenKind::End => {}
        }
    }

    fn colon(&mut self) {
        let key = Span::new(self.tree[self.open_member_index()].start as usize, self.previous_end);
        match self.token.kind {
            TokenKind::Colon => {
                self.quiet = false;
                self.advance();
                self.top_mut().state = State::Colon;
            }
            TokenKind::Stray('=') => {
                self.report(self.token.span, SyntaxErrorKind::ExpectedColon);
                self.advance();
                self.top_mut().state = State::Colon;
            }
            TokenKind::String if self.is_key() => {
                self.report(key, SyntaxErrorKind::ExpectedColon);
                self.close_member(true);
                self.top_mut().state = State::Comma;
            }
            TokenKind::Word | TokenKind::Stray(_) => {
                self.report(key, SyntaxErrorKind::ExpectedColon);
                self.skip_to_next_line();
                self.close_member(true);
                self.top_mut().state = State::Value;
            }
            _ => {
                self.report(key, SyntaxErrorKind::ExpectedColon);
                if self.starts_value() && !self.token.on_new_line {
                    self.top_mut().state = State::Colon;
                } else {
                    self.close_member(true);
                    self.top_mut().state = State::Value;
                }
            }
        }
    }

    fn member_value(&mut self) {
        match self.token.kind {
            TokenKind::String if self.is_key() && self.token.on_new_line => {
                self.invalid_value_is_missing();
                self.top_mut().state = State::Comma;
            }
            _ if self.starts_value() => self.value(),
            TokenKind::Comma | TokenKind::CloseObject | TokenKind::CloseArray | TokenKind::End => {
                self.invalid_value_is_missing();
            }
            _ => self.no_value(),
        }
    }

    /// A member ends behind its colon.
    fn invalid_value_is_missing(&mut self) {
        let place = Span::empty(self.previous_end);
        self.report(place, SyntaxErrorKind::ExpectedValue);
        self.leaf(Kind::Invalid, place, true);
        self.value_is_done();
    }

    fn after_member(&mut self) {
        match self.token.kind {
            TokenKind::Comma => self.comma(),
            TokenKind::CloseObject => self.close(),
            TokenKind::CloseArray => self.array_closer_in_object(),
            TokenKind::String if self.is_key() => self.missing_comma(Container::Object),
            TokenKind::OpenObject if self.is_array_below() => self.unclosed_before_token(),
            _ => self.skip_junk(Container::Object),
        }
    }

    fn element(&mut self) {
        match self.token.kind {
            TokenKind::CloseArray => self.close(),
            TokenKind::Comma => self.extra_comma(),
            TokenKind::CloseObject => self.object_closer_in_array(),
            TokenKind::String if self.ends_array() => self.unclosed_before_token(),
            _ if self.starts_value() => self.value(),
            _ => self.no_value(),
        }
    }

    fn after_element(&mut self) {
        match self.token.kind {
            TokenKind::Comma => self.comma(),
            TokenKind::CloseArray => self.close(),
            TokenKind::CloseObject => self.object_closer_in_array(),
            TokenKind::String if self.ends_array() => self.unclosed_before_token(),
            _ if self.starts_value() => self.missing_comma(Container::Array),
            _ => self.skip_junk(Container::Array),
        }
    }

    fn comma(&mut self) {
        self.quiet = false;
        self.last_comma = self.token.span;
        self.advance();
        self.top_mut().state = State::Comma;
    }

    fn missing_comma(&mut self, container: Container) {
        self.report(Span::empty(self.previous_end), SyntaxErrorKind::MissingComma(container));
        self.top_mut().state = State::Comma;
        // What follows stands as if the comma were there, so a closing bracket would not follow a comma.
        self.last_comma = Span::empty(self.previous_end);
    }

    fn extra_comma(&mut self) {
        self.report(self.token.span, SyntaxErrorKind::ExtraComma);
        self.mark_broken();
        self.advance();
    }

    fn stray(&mut self, c: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCharacter(c));
        self.mark_broken();
        self.advance();
    }

    /// Takes a value that starts at this token.
    fn value(&mut self) {
        let token = self.token;
        let container = match token.kind {
            TokenKind::OpenObject => Container::Object,
            TokenKind::OpenArray => Container::Array,
            _ => {
                let kind = match token.kind {
                    TokenKind::Number => Kind::Number,
                    TokenKind::True => Kind::True,
                    TokenKind::False => Kind::False,
                    TokenKind::Null => Kind::Null,
                    _ => Kind::String,
                };
                self.leaf(kind, token.span, token.broken);
                self.advance();
                self.value_is_done();
                // A text that ends within a number is one that is being typed.
                self.quiet = token.unclosed || (token.broken && self.token.kind == TokenKind::End);
                return;
            }
        };
        self.quiet = false;
        if self.stack.len() >= MAX_DEPTH {
            return self.skip_too_deep();
        }
        let kind = if container == Container::Object { Kind::Object } else { Kind::Array };
        let node = self.push(kind, token.span.start, false);
        self.stack.push(Frame { container, state: State::Opened, node, opener: token.span, member: None });
        self.advance();
    }

    /// Takes what stands where a value should be and is none.
    fn no_value(&mut self) {
        let token = self.token;
        let kind = match token.kind {
            TokenKind::Word => SyntaxErrorKind::InvalidLiteral(meant_literal(&self.lexer_text()[token.span.range()])),
            TokenKind::SingleQuoted => SyntaxErrorKind::SingleQuotes,
            TokenKind::Stray(c) => return self.stray_value(c),
            TokenKind::Colon => return self.stray_value(':'),
            TokenKind::Comma => return self.stray_value(','),
            TokenKind::CloseObject => return self.unexpected_closer('}'),
            TokenKind::CloseArray => return self.unexpected_closer(']'),
            _ => SyntaxErrorKind::ExpectedValue,
        };
        self.report(token.span, kind);
        self.quiet = true;
        self.leaf(Kind::Invalid, token.span, true);
        self.advance();
        self.value_is_done();
    }

    fn stray_value(&mut self, c: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCharacter(c));
        self.mark_broken();
        self.advance();
    }

    fn unexpected_closer(&mut self, closer: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCloser(closer));
        self.mark_broken();
        self.advance();
    }

    fn skip_too_deep(&mut self) {
        let opener = self.token.span;
        self.report(opener, SyntaxErrorKind::TooDeep);
        let mark = self.lexer.errors.len();
        let mut open = 0_usize;
        loop {
            match self.token.kind {
                TokenKind::OpenObject | TokenKind::OpenArray => open += 1,
                TokenKind::CloseObject | TokenKind::CloseArray => open -= 1,
                TokenKind::End => break,
                _ => {}
            }
            self.advance();
            if open == 0 {
                break;
            }
        }
        self.lexer.errors.truncate(mark);
        self.leaf(Kind::Invalid, Span::new(opener.start, self.previous_end), true);
        self.value_is_done();
        // Where the text ended in there, all that was open still is; that has been said.
        self.quiet = open > 0;
    }

    /// Skips what cannot stand behind a member or an element, up to where one can go on.
    fn skip_junk(&mut self, container: Container) {
        self.report(self.token.span, SyntaxErrorKind::ExpectedCommaOrEnd(container));
        self.mark_broken();
        let mark = self.lexer.errors.len();
        let mut open = 0_usize;
        loop {
            match self.token.kind {
                TokenKind::OpenObject | TokenKind::OpenArray => open += 1,
                TokenKind::CloseObject | TokenKind::CloseArray if open > 0 => open -= 1,
                TokenKind::End => break,
                TokenKind::Comma | TokenKind::CloseObject | TokenKind::CloseArray if open == 0 => break,
                TokenKind::String if open == 0 && self.is_key() => break,
                _ => {}
            }
            self.advance();
        }
        self.lexer.errors.truncate(mark);
        self.quiet = true;
    }

    fn skip_to_next_line(&mut self) {
        self.mark_broken();
        let mark = self.lexer.errors.len();
        loop {
            self.advance();
            if self.token.on_new_line || self.token.kind == TokenKind::End {
                break;
            }
        }
        self.lexer.errors.truncate(mark);
        self.quiet = true;
    }

    /// `]` where an object is open: either the object's `}` is missing, or the bracket is one too many.
    fn array_closer_in_object(&mut self) {
        let after = self.lexer.peek(self.token.span.end);
        let goes_on = match after {
            Some((at, b',')) => self.lexer.peek(at + 1).is_some_and(|(_, b)| b == b'"'),
            Some((_, next)) => next == b'}' && self.token.span.end != after.map_or(0, |(at, _)| at),
            None => false,
        };
        let superfluous = !self.token.on_new_line && goes_on;
        if superfluous || !self.stack.iter().any(|frame| frame.container == Container::Array) {
            return self.unexpected_closer(']');
        }
        self.unclosed_before_token();
        while !self.left_base && self.top().container == Container::Object {
            self.close_unclosed(self.token.span.start);
        }
    }

    /// `}` where an array is open: either the array's `]` is missing, or the brace is one too many.
    fn object_closer_in_array(&mut self) {
        let after = self.lexer.peek(self.token.span.end);
        let goes_on = match after {
            Some((at, b',')) => self.lexer.peek(at + 1).is_some_and(|(_, b)| b == b'{'),
            Some((_, next)) => next == b']',
            None => false,
        };
        if goes_on || !self.stack.iter().any(|frame| frame.container == Container::Object) {
            return self.unexpected_closer('}');
        }
        self.unclosed_before_token();
        while !self.left_base && self.top().container == Container::Array {
            self.close_unclosed(self.token.span.start);
        }
    }

    /// The innermost container should have ended before this token.
    fn unclosed_before_token(&mut self) {
        let frame = self.top();
        let (container, opener) = (frame.container, frame.opener);
        if frame.state == State::Colon {
            self.invalid_value_is_missing();
        }
        self.report_unclosed(container, opener);
        self.close_unclosed(self.token.span.start);
    }

    fn report_unclosed(&mut self, container: Container, opener: Span) {
        if !self.quiet {
            let kind = SyntaxErrorKind::Unclosed(container);
            let span = Span::empty(self.previous_end);
            self.lexer.errors.push(SyntaxError { span, kind, opened: Some(opener) });
        }
        self.quiet = true;
    }

    /// Closes the innermost container without its bracket; the white space before `end` is still within it.
    fn close_unclosed(&mut self, end: usize) {
        self.previous_end = end;
        if self.stack.len() <= self.base {
            self.left_base = true;
            return;
        }
        self.close_member(true);
        let frame = self.stack.pop().expect("the stack is deeper than its base");
        let after = self.tree.len() as u32;
        let entry = &mut self.tree[frame.node as usize];
        entry.broken = true;
        entry.end = end as u32;
        entry.after = after;
        if self.stack.len() > self.base {
            self.value_is_done();
        }
    }

    /// Closes the innermost container with this token, which is its bracket.
    fn close(&mut self) {
        let frame = self.stack.pop().expect("a container is open");
        if frame.state == State::Comma && !self.last_comma.is_empty() {
            self.report(self.last_comma, SyntaxErrorKind::TrailingComma(frame.container));
            self.tree[frame.node as usize].broken = true;
        }
        self.quiet = false;
        self.advance();
        self.tree[frame.node as usize].end = self.previous_end as u32;
        self.tree[frame.node as usize].after = self.tree.len() as u32;
        if self.stack.len() > self.base {
            self.value_is_done();
        }
    }

    fn value_is_done(&mut self) {
        if self.stack.len() > self.base {
            self.close_member(false);
            self.top_mut().state = State::Value;
        }
    }

    fn open_member(&mut self, key: Kind) {
        let member = self.push(Kind::Member, self.token.span.start, key == Kind::Invalid);
        self.leaf_in(member, key, self.token.span, self.token.broken || key == Kind::Invalid);
        let frame = self.top_mut();
        frame.member = Some(member);
        frame.state = State::Key;
    }

    fn open_member_index(&self) -> usize {
        self.top().member.expect("a key opens a member") as usize
    }

    fn close_member(&mut self, broken: bool) {
        if let Some(member) = self.top_mut().member.take() {
            let after = self.tree.len() as u32;
            let end = self.previous_end as u32;
            let entry = &mut self.tree[member as usize];
            entry.broken |= broken;
            entry.end = end.max(entry.start);
            entry.after = after;
        }
    }

    fn push(&mut self, kind: Kind, start: usize, broken: bool) -> u32 {
        let index = self.tree.len() as u32;
        let parent = if self.stack.len() > self.base { self.top().member.unwrap_or(self.top().node) } else { 0 };
        self.tree.push(Entry { start: start as u32, end: start as u32, parent, after: index + 1, kind, broken });
        index
    }

    fn leaf(&mut self, kind: Kind, span: Span, broken: bool) {
        let index = self.push(kind, span.start, broken);
        self.tree[index as usize].end = span.end as u32;
    }

    fn leaf_in(&mut self, parent: u32, kind: Kind, span: Span, broken: bool) {
        let after = self.tree.len() as u32 + 1;
        self.tree.push(Entry { start: span.start as u32, end: span.end as u32, parent, after, kind, broken });
    }

    fn mark_broken(&mut self) {
        if self.stack.len() > self.base {
            let node = self.top().node as usize;
            self.tree[node].broken = true;
        }
    }

    fn report(&mut self, span: Span, kind: SyntaxErrorKind) {
        if !self.quiet {
            self.lexer.errors.push(SyntaxError { span, kind, opened: None });
        }
        self.quiet = true;
    }

    fn advance(&mut self) {
        self.previous_end = self.token.span.end;
        self.token = self.lexer.next();
    }

    fn starts_value(&self) -> bool {
        use TokenKind::*;
        matches!(self.token.kind, OpenObject | OpenArray | String | Number | True | False | Null)
    }

    /// Whether this string is a key: a colon follows it.
    fn is_key(&self) -> bool {
        self.lexer.peek(self.token.span.end).is_some_and(|(_, b)| b == b':')
    }

    /// Whether this string shows that the array around it was to end before it: it is a key on a line of its own.
    fn ends_array(&self) -> bool {
        self.token.on_new_line && self.below() == Some(Container::Object) && self.is_key()
    }

    fn is_array_below(&self) -> bool {
        self.below() == Some(Container::Array)
    }

    fn below(&self) -> Option<Container> {
        Some(self.stack.get(self.stack.len().checked_sub(2)?)?.container)
    }

    fn top(&self) -> &Frame {
        self.stack.last().expect("a container is open")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("a container is open")
    }

    fn lexer_text(&self) -> &'a str {
        self.lexer.text()
    }
}

/// The literal of JSON that a word most likely stands for.
fn meant_literal(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "tru" | "ture" => Some("true"),
        "false" | "no" | "fals" | "flase" => Some("false"),
        "null" | "none" | "nil" | "undefined" | "nul" => Some("null"),
        _ => None,
    }
}
