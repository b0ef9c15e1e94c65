//! How the parser's steps become nodes.

use crate::syntax::lexer::TokenKind;
use crate::syntax::parser::{Parser, State};
use crate::syntax::tree::Entry;
use crate::syntax::{Container, Kind, SyntaxErrorKind};
use crate::text::Span;

impl Parser<'_> {
    /// Closes the innermost container with this token, which is its bracket.
    pub(super) fn close(&mut self) {
        let frame = self.stack.pop().expect("a container is open");
        if frame.state == State::Comma && !self.last_comma.is_empty() {
            self.report(self.last_comma, SyntaxErrorKind::TrailingComma(frame.container));
            self.tree[frame.node as usize].broken = true;
        }
        self.quiet = false;
        self.advance();
        self.tree[frame.node as usize].end = self.previous_end as u32;
        self.tree[frame.node as usize].after = self.tree.len() as u32;
        if !self.stack.is_empty() {
            self.value_is_done();
        }
    }

    pub(super) fn value_is_done(&mut self) {
        if !self.stack.is_empty() {
            self.close_member(false);
            self.top_mut().state = State::Value;
        }
    }

    pub(super) fn open_member(&mut self, key: Kind) {
        let member = self.push(Kind::Member, self.token.span.start, key == Kind::Invalid);
        self.leaf_in(member, key, self.token.span, self.token.broken || key == Kind::Invalid);
        let frame = self.top_mut();
        frame.member = Some(member);
        frame.state = State::Key;
    }

    pub(super) fn close_member(&mut self, broken: bool) {
        if let Some(member) = self.top_mut().member.take() {
            let after = self.tree.len() as u32;
            let end = self.previous_end as u32;
            let entry = &mut self.tree[member as usize];
            entry.broken |= broken;
            entry.end = end.max(entry.start);
            entry.after = after;
        }
    }

    pub(super) fn push(&mut self, kind: Kind, start: usize, broken: bool) -> u32 {
        let index = self.tree.len() as u32;
        let mut parent = 0;
        if !self.stack.is_empty() {
            let frame = self.top_mut();
            frame.last_child = Some(index);
            parent = frame.member.unwrap_or(frame.node);
        }
        self.tree.push(Entry {
            start: start as u32,
            end: start as u32,
            parent,
            after: index + 1,
            kind,
            broken,
            is_part: false,
        });
        index
    }

    pub(super) fn leaf(&mut self, kind: Kind, span: Span, broken: bool) {
        let index = self.push(kind, span.start, broken);
        self.tree[index as usize].end = span.end as u32;
    }

    pub(super) fn leaf_in(&mut self, parent: u32, kind: Kind, span: Span, broken: bool) {
        let after = self.tree.len() as u32 + 1;
        self.tree.push(Entry {
            start: span.start as u32,
            end: span.end as u32,
            parent,
            after,
            kind,
            broken,
            is_part: false,
        });
    }

    pub(super) fn mark_broken(&mut self) {
        if !self.stack.is_empty() {
            let node = self.top().node as usize;
            self.tree[node].broken = true;
        }
    }

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
        let key = Span::new(
            self.tree[self.top().member.expect("a key opens a member") as usize].start as usize,
            self.previous_end,
        );
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
