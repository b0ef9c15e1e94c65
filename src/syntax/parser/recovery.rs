//! How the parser goes on after an error: what it skips, and where it takes a container as ended.

use crate::text::Span;

use super::{Parser, State};
use crate::syntax::lexer::TokenKind;
use crate::syntax::{Container, Kind, SyntaxError, SyntaxErrorKind};

impl Parser<'_> {
    /// Reads text in the place of a value that is not a value.
    pub(super) fn no_value(&mut self) {
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

    pub(super) fn stray_value(&mut self, c: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCharacter(c));
        self.mark_broken();
        self.advance();
    }

    pub(super) fn unexpected_closer(&mut self, closer: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCloser(closer));
        self.mark_broken();
        self.advance();
    }

    pub(super) fn skip_too_deep(&mut self) {
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

    /// Skips invalid text after a member or an element, up to a token at which parsing can continue.
    pub(super) fn skip_junk(&mut self, container: Container) {
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

    pub(super) fn skip_to_next_line(&mut self) {
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
    pub(super) fn array_closer_in_object(&mut self) {
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
        let array = self.stack.iter().rposition(|frame| frame.container == Container::Array);
        if array.is_some_and(|array| self.closer_hides_cases(array, ']')) {
            return;
        }
        self.unclosed_before_token();
        while self.top().container == Container::Object {
            self.close_unclosed(self.token.span.start);
        }
    }

    /// `}` where an array is open: either the array's `]` is missing, or the brace is one too many.
    pub(super) fn object_closer_in_array(&mut self) {
        let after = self.lexer.peek(self.token.span.end);
        let goes_on = match after {
            Some((at, b',')) => self.lexer.peek(at + 1).is_some_and(|(_, b)| b == b'{'),
            Some((_, next)) => next == b']',
            None => false,
        };
        if goes_on || !self.stack.iter().any(|frame| frame.container == Container::Object) {
            return self.unexpected_closer('}');
        }
        let object = self.stack.iter().rposition(|frame| frame.container == Container::Object);
        if object.is_some_and(|object| self.closer_hides_cases(object, '}')) {
            return;
        }
        self.unclosed_before_token();
        while self.top().container == Container::Array {
            self.close_unclosed(self.token.span.start);
        }
    }

    /// The innermost container should have ended before this token.
    pub(super) fn unclosed_before_token(&mut self) {
        let frame = self.top();
        let (container, opener) = (frame.container, frame.opener);
        if frame.state == State::Colon {
            self.invalid_value_is_missing();
        }
        self.report_unclosed(container, opener);
        self.close_unclosed(self.token.span.start);
    }

    pub(super) fn report_unclosed(&mut self, container: Container, opener: Span) {
        if !self.quiet {
            let kind = SyntaxErrorKind::Unclosed(container);
            let span = Span::empty(self.previous_end);
            self.lexer.errors.push(SyntaxError { span, kind, opened: Some(opener) });
        }
        self.quiet = true;
    }

    /// Closes the innermost container without its bracket; the white space before `end` is still within it.
    pub(super) fn close_unclosed(&mut self, end: usize) {
        self.previous_end = end;
        self.close_member(true);
        let frame = self.stack.pop().expect("a container is open");
        let after = self.tree.len() as u32;
        let entry = &mut self.tree[frame.node as usize];
        entry.broken = true;
        entry.end = end as u32;
        entry.after = after;
        if !self.stack.is_empty() {
            self.value_is_done();
        }
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
