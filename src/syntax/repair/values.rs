//! Values as other languages or people write them: `None`, `undefined`, `…`, `.8`, `1_000`, `80 %`.

use crate::syntax::lexer::{Token, TokenKind};
use crate::text::Span;

use super::scene::{Candidate, Scene};

/// `None`, `undefined` and the like: JSON leaves the key out. And `…`, which stands for entries that are not there.
pub(super) fn words(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for token in scene.around(1, 2) {
        let word = scene.str(token.span);
        if matches!(word.to_ascii_lowercase().as_str(), "none" | "nil" | "undefined" | "nan" | "null") {
            let message = format!("`{word}` is not JSON; omit a key that has no value");
            if let Some(member) = member_of(scene, token) {
                found.push(Candidate::new(token.span, message.clone(), "remove the key").replace(member, "").cost(1));
            }
            found.push(Candidate::new(token.span, message, "replace with `null`").replace(token.span, "null").cost(2));
        }
        if matches!(word, "..." | "…") {
            let before = scene.text[..token.span.start].trim_end();
            let start = before.strip_suffix(',').map_or(token.span.start, str::len);
            let span = Span::new(start, token.span.end);
            let message = format!("unexpected `{word}`: JSON has no placeholder for omitted entries");
            found.push(Candidate::new(token.span, message, format!("remove `{word}`")).replace(span, "").cost(1));
        }
    }
    found
}

/// The member whose value is this token, with one comma.
fn member_of(scene: &Scene<'_>, value: &Token) -> Option<Span> {
    let index = scene.tokens.iter().position(|token| token.span == value.span)?;
    let [key, colon] = scene.tokens.get(index.checked_sub(2)?..index)? else { return None };
    if key.kind != TokenKind::String || colon.kind != TokenKind::Colon {
        return None;
    }
    let next = scene.tokens.get(index + 1)?;
    if next.kind == TokenKind::Comma {
        let following = scene.tokens.get(index + 2)?;
        return Some(Span::new(key.span.start, following.span.start));
    }
    let before = index.checked_sub(3).and_then(|before| scene.tokens.get(before));
    let start = before.filter(|token| token.kind == TokenKind::Comma).map_or(key.span.start, |comma| comma.span.start);
    Some(Span::new(start, value.span.end))
}

/// A number as other languages or people write it.
pub(super) fn numbers(scene: &Scene<'_>) -> Vec<Candidate> {
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
