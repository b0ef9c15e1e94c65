//! Signs in the place of a comma or a colon, surplus signs, and missing ones.

use crate::syntax::SyntaxErrorKind;
use crate::syntax::lexer::TokenKind;
use crate::text::Span;

use super::scene::{Candidate, Scene};

pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let run = sign_run(scene);
    let shown = scene.str(run);
    if !run.is_empty() && !shown.contains('"') {
        for (sign, cost) in [(",", 2), (":", 2), ("", 4)] {
            let (message, title) = match sign {
                "" => (format!("unexpected `{shown}`"), format!("remove `{shown}`")),
                _ => (format!("expected `{sign}`, found `{shown}`"), format!("replace with `{sign}`")),
            };
            found.push(Candidate::new(run, message, title).replace(run, sign).cost(cost));
        }
    }
    for token in scene.around(3, 2) {
        let at = token.span.end;
        let message = "expected `:` and a value after this key";
        found.push(Candidate::new(token.span, message, "insert the missing colon").insert(at, ":").cost(3));
        let message = SyntaxErrorKind::MissingComma(crate::syntax::Container::Array);
        if matches!(token.kind, TokenKind::String | TokenKind::CloseArray | TokenKind::CloseObject) {
            let span = Span::empty(at);
            found.push(Candidate::of(&message, span, "insert the missing comma").insert(at, ",").cost(5));
        }
        let single = matches!(token.kind, TokenKind::Comma | TokenKind::Colon | TokenKind::Stray(_));
        if single && token.span != run {
            let shown = scene.str(token.span);
            for (sign, cost) in [(",", 4), (":", 4), ("", 6)].into_iter().filter(|(sign, _)| *sign != shown) {
                let message = format!("unexpected `{shown}`");
                let title =
                    if sign.is_empty() { format!("remove `{shown}`") } else { format!("replace with `{sign}`") };
                found.push(Candidate::new(token.span, message, title).replace(token.span, sign).cost(cost));
            }
        }
        if token.kind == TokenKind::Word && scene.str(token.span).ends_with('.') && token.span.len() == 1 {
            found.push(
                Candidate::new(token.span, "expected `,`, found `.`", "replace with `,`").replace(token.span, ","),
            );
        }
    }
    // `"a": 1. "b"` and `"a": true. "b"`: the sign is glued to the token before it.
    for token in scene.around(2, 2) {
        let text = scene.str(token.span);
        if let Some(rest) = text.strip_suffix(['.', '-']).filter(|rest| !rest.is_empty()) {
            let span = Span::new(token.span.start + rest.len(), token.span.end);
            let message = format!("expected `,`, found `{}`", scene.str(span));
            found.push(Candidate::new(span, message, "replace with `,`").replace(span, ",").cost(3));
        }
    }
    found
}

/// The run of signs at the error that cannot be part of a value.
fn sign_run(scene: &Scene<'_>) -> Span {
    let is_sign = |c: char| {
        !c.is_whitespace()
            && !c.is_alphanumeric()
            && !matches!(c, '"' | '\'' | '[' | ']' | '{' | '}' | '_' | '`' | '“' | '”')
    };
    let token = scene.tokens.get(scene.index).map_or(scene.error.span, |token| token.span);
    let mut start = token.start;
    while let Some(c) = scene.text[..start].chars().next_back().filter(|c| is_sign(*c)) {
        start -= c.len_utf8();
    }
    let length = scene.text[token.start..].find(|c| !is_sign(c)).unwrap_or(0);
    Span::new(start, token.start + length)
}
