//! Parses objects and arrays, and recovers from errors in them.

use crate::syntax::lexer::TokenKind;
use crate::syntax::{Container, Kind, SyntaxErrorKind};
use crate::text::Span;

use super::{Parser, State};

impl Parser<'_> {
    pub(super) fn key(&mut self) {
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

    pub(super) fn colon(&mut self) {
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

    pub(super) fn member_value(&mut self) {
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
    pub(super) fn invalid_value_is_missing(&mut self) {
        let place = Span::empty(self.previous_end);
        self.report(place, SyntaxErrorKind::ExpectedValue);
        self.leaf(Kind::Invalid, place, true);
        self.value_is_done();
    }

    pub(super) fn after_member(&mut self) {
        match self.token.kind {
            TokenKind::Comma => self.comma(),
            TokenKind::CloseObject => self.close(),
            TokenKind::CloseArray => self.array_closer_in_object(),
            TokenKind::String if self.is_key() => self.missing_comma(Container::Object),
            TokenKind::OpenObject if self.is_array_below() => self.unclosed_before_token(),
            _ => self.skip_junk(Container::Object),
        }
    }
}

impl Parser<'_> {
    pub(super) fn element(&mut self) {
        if self.token.kind == TokenKind::String && self.is_in_lost_object() {
            return self.open_lost_object();
        }
        match self.token.kind {
            TokenKind::CloseArray if self.list_goes_on() => self.unexpected_closer(']'),
            TokenKind::CloseArray => self.close(),
            TokenKind::Comma => self.extra_comma(),
            TokenKind::CloseObject => self.object_closer_in_array(),
            TokenKind::String if self.ends_array() => self.unclosed_before_token(),
            _ if self.starts_value() => self.value(),
            _ => self.no_value(),
        }
    }

    pub(super) fn after_element(&mut self) {
        match self.token.kind {
            TokenKind::Comma => self.comma(),
            TokenKind::CloseArray if self.list_goes_on() => self.unexpected_closer(']'),
            TokenKind::CloseArray => self.close(),
            TokenKind::CloseObject => self.object_closer_in_array(),
            TokenKind::String if self.ends_array() => self.unclosed_before_token(),
            _ if self.starts_value() => self.missing_comma(Container::Array),
            _ => self.skip_junk(Container::Array),
        }
    }
}
