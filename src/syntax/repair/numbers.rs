//! Numbers as other languages or people write them.

use crate::syntax::lexer::TokenKind;
use crate::text::Span;

use super::scene::{Candidate, Scene};

/// A number as other languages or people write it.
pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for token in scene.around(3, 2).iter().filter(|token| token.kind == TokenKind::Number) {
        let rest = &scene.text[token.span.end..];
        let text = scene.str(token.span);
        // It is one of JSON's, and only too large: no other number is meant.
        if text.parse::<f64>().is_ok_and(f64::is_infinite) {
            continue;
        }
        let mut push = |span: Span, plain: String| {
            let message = format!("`{}` is not a JSON number", scene.str(span));
            found.push(Candidate::new(span, message, format!("replace with `{plain}`")).replace(span, plain).cost(1));
        };
        let fraction =
            rest.strip_prefix(',').map(|rest| rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len());
        if let Some(digits) = fraction.filter(|digits| *digits > 0 && text.bytes().all(|b| b.is_ascii_digit())) {
            let span = Span::new(token.span.start, token.span.end + 1 + digits);
            push(span, scene.str(span).replace(',', "."));
        }
        let length = rest.len() - rest.trim_start_matches([' ', '%']).len();
        if rest[..length].contains('%')
            && let Ok(value) = text.parse::<f64>()
        {
            let end = token.span.end + rest[..length].rfind('%').map_or(0, |at| at + 1);
            push(Span::new(token.span.start, end), format!("{}", (value * 1e6).round() / 1e8));
        }
        if let Some(plain) = plain_number(text).filter(|plain| plain != text) {
            push(token.span, plain);
        }
    }
    found
}

/// `.8`, `+1`, `08`, `5.`, `1_000`, `0x1f` and `180min` as JSON writes them.
fn plain_number(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(hex) = rest.strip_prefix("0x").or(rest.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok().map(|value| format!("{sign}{value}"));
    }
    let digits: String = rest.chars().filter(|c| *c != '_').take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let has_digits = digits.contains(|c: char| c.is_ascii_digit());
    let plain = if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
    (has_digits && plain.parse::<f64>().is_ok()).then_some(plain)
}

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs(r#"{ "a": 08 }"#, r#"{ "a": 8 }"#);
}
