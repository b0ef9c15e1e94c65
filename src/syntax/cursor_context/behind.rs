//! The text after the cursor.

use crate::syntax::Container;
use crate::syntax::lexer::{Lexer, TokenKind};
use crate::syntax::string::decode;
use crate::text::Span;

use super::Follows;

/// What comes next from the byte `from` on.
pub(super) fn follows(text: &str, from: usize) -> Follows {
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
pub(super) fn names(text: &str, from: usize, container: Container, known: &[Span]) -> Vec<String> {
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
