//! Where the token at the cursor ends: whether the next quote is its own, or that of another string behind it.

use crate::syntax::lexer;
use crate::text::Span;

use super::Token;

/// A longer rest of a line, in bytes, was not typed by a person; its quotes say nothing of the one that is open.
const LONGEST: usize = 4096;

/// The token that a cursor at `offset` touches, as somebody who types there means it.
pub(super) fn token(text: &str, token: &lexer::Token, offset: usize) -> Token {
    let Span { start, end } = token.span;
    let is_string = token.kind == lexer::TokenKind::String;
    let is_single_quoted = token.kind == lexer::TokenKind::SingleQuoted;
    if is_string {
        let is_closed = !token.unclosed;
        let is_left = is_closed && offset == end;
        let spans_lines = text[token.span.range()].contains(['\n', '\r']);
        let end = if is_left || spans_lines { end } else { string_end(text, start, offset, is_closed.then_some(end)) };
        return Token { span: Span::new(start, end), quote: Some('"'), is_left };
    }
    if is_single_quoted {
        return Token { span: token.span, quote: Some('\''), is_left: offset == end };
    }
    // A single quote that nothing closes was begun with the word.
    let quoted = text[..start].ends_with('\'');
    Token { span: Span::new(start - usize::from(quoted), end), quote: quoted.then_some('\''), is_left: false }
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
