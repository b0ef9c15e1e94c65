//! JSON strings: escapes resolved, written, and followed back to the text they came from.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::memchr;

use crate::text::Span;

/// The value of a JSON string literal, which may lack its closing quote. An invalid escape becomes U+FFFD.
pub(crate) fn decode(literal: &str) -> Cow<'_, str> {
    if memchr(b'\\', literal.as_bytes()).is_some() {
        return Cow::Owned(pieces(literal).map(|piece| piece.value).collect());
    }
    // Without a backslash, a quote at the end is the closing one.
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    Cow::Borrowed(inner.strip_suffix('"').unwrap_or(inner))
}

/// The place in a string literal, in bytes from its opening quote, of the bytes `decoded` of its value. Where those
/// begin or end within what one escape stands for, the whole escape is meant.
pub(crate) fn raw_span(literal: &str, decoded: Span) -> Span {
    let mut value_offset = 0;
    let mut start = None;
    let mut end = 1;
    for piece in pieces(literal) {
        let value_end = value_offset + piece.value.len_utf8();
        if start.is_none() && decoded.start < value_end {
            start = Some(piece.span.start);
        }
        if value_offset < decoded.end {
            end = piece.span.end;
        }
        if start.is_some() && value_offset >= decoded.end {
            break;
        }
        value_offset = value_end;
    }
    let start = start.unwrap_or(1 + inner(literal).len());
    Span::new(start, end.max(start))
}

/// `value` as a JSON string literal, quotes included. Characters that JSON allows stay as they are.
pub(crate) fn encode(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('"');
    for c in value.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\u{8}' => literal.push_str("\\b"),
            '\u{c}' => literal.push_str("\\f"),
            c if c < ' ' => write!(literal, "\\u{:04x}", c as u32).expect("a String takes whatever is written to it"),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// One character of the value and what it was written as.
struct Piece {
    /// Bytes from the opening quote.
    span: Span,
    value: char,
}

fn inner(literal: &str) -> &str {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let closed = inner.ends_with('"') && inner.bytes().rev().skip(1).take_while(|&b| b == b'\\').count() % 2 == 0;
    if closed { &inner[..inner.len() - 1] } else { inner }
}

fn pieces(literal: &str) -> impl Iterator<Item = Piece> {
    let text = inner(literal);
    let quote = usize::from(literal.starts_with('"'));
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let (value, length) = if first == '\\' { escape(rest) } else { (first, first.len_utf8()) };
        let span = Span::new(quote + at, quote + at + length);
        at += length;
        Some(Piece { span, value })
    })
}

/// The character that the escape at the start of `text` stands for, and the escape's length in bytes.
fn escape(text: &str) -> (char, usize) {
    let Some(letter) = text[1..].chars().next() else { return ('\u{fffd}', 1) };
    let value = match letter {
        '"' | '\\' | '/' => letter,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode_escape(text),
        _ => '\u{fffd}',
    };
    (value, 1 + letter.len_utf8())
}

fn unicode_escape(text: &str) -> (char, usize) {
    let Some(unit) = code_unit(text) else { return ('\u{fffd}', 2) };
    if let Some(c) = char::from_u32(unit) {
        return (c, 6);
    }
    let low = if unit < 0xdc00 { code_unit(&text[6..]) } else { None };
    match low {
        Some(low @ 0xdc00..=0xdfff) => {
            let code_point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(code_point).expect("two halves make a character above U+FFFF"), 12)
        }
        _ => ('\u{fffd}', 6),
    }
}

/// The code unit of the `\uXXXX` at the start of `text`.
pub(super) fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
    if hexadecimal { u32::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_the_same_as_serde_json() {
        for literal in [r#""""#, r#""a\"b""#, r#""\\\\""#, r#""\u00e9\ud83d\ude00\n""#, r#""é\/😀""#, r#""\b\f\r\t""#]
        {
            assert_eq!(decode(literal), serde_json::from_str::<String>(literal).unwrap(), "{literal}");
        }
    }

    #[test]
    fn continues_after_an_invalid_escape() {
        assert_eq!(decode(r#""\ud83d-\x-\u12""#), "\u{fffd}-\u{fffd}-\u{fffd}12");
        assert_eq!(decode(r#""\"#), "\u{fffd}");
        assert_eq!(decode(r#""open\""#), "open\"");
    }

    #[test]
    fn finds_the_text_behind_a_value() {
        let check = |literal: &str, decoded: Span, expected: &str| {
            assert_eq!(&literal[raw_span(literal, decoded).range()], expected, "{literal} {decoded:?}");
        };
        check(r#""abc""#, Span::new(1, 2), "b");
        check(r#""\u00e9[""#, Span::new(2, 3), "[");
        check(r#""\u00e9[""#, Span::new(0, 2), r"\u00e9");
        check(r#""\\s(""#, Span::new(0, 2), r"\\s");
        check(r#""\ud83d\ude00x""#, Span::new(4, 5), "x");
        check(r#""\ud83d\ude00x""#, Span::new(1, 2), r"\ud83d\ude00");
        check(r#""abc""#, Span::new(3, 3), "");
        check(r#""abc""#, Span::new(1, 1), "");
    }

    #[test]
    fn encodes_so_that_it_decodes_again() {
        for value in ["", "a\"b\\", "\u{0}\u{1f}\n\r\t\u{8}\u{c}", "é😀\u{2028}"] {
            assert_eq!(decode(&encode(value)), value);
            assert_eq!(serde_json::from_str::<String>(&encode(value)).unwrap(), value);
        }
    }
}
