//! Parses arrays, and recovers from errors in them.

use super::Parser;
use crate::syntax::Container;
use crate::syntax::lexer::TokenKind;

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
