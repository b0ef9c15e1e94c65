//! Words of other languages for a value that is not there: `None`, `undefined`, `…`.

use crate::syntax::lexer::{Token, TokenKind};
use crate::text::Span;

use super::scene::{Candidate, Scene};

/// `None`, `undefined` and the like: JSON leaves the key out. And `…`, which stands for entries that are not there.
pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
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

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs(r#"{ "a": 1, "b": None }"#, r#"{ "a": 1 }"#);
}
