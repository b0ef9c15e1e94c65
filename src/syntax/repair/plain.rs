//! The repair that an error suggests by itself; signs in the place of a comma or a colon, surplus and missing ones; and text that JSON
//! has no place for: prose, marks of a diff, comments of other languages.

use crate::syntax::lexer::TokenKind;
use crate::syntax::string::encode;
use crate::syntax::{SyntaxError, SyntaxErrorKind};
use crate::text::{Span, is_invisible};

use super::scene::{Candidate, Scene};

/// The error as the parser reports it, with its own repair if it has one.
pub(super) fn candidate(text: &str, errors: &[SyntaxError], error: &SyntaxError) -> Candidate {
    use SyntaxErrorKind::*;
    let span = error.span;
    let at_fault = text.get(span.range()).unwrap_or_default();
    let of = |title: &str| Candidate::of(&error.kind, span, title);
    let mut candidate = match &error.kind {
        MissingComma(_) => of("insert the missing comma").insert(span.start, ","),
        TrailingComma(_) => of("remove the trailing comma").replace(span, ""),
        ExtraComma => of("remove the comma").replace(span, ""),
        Comment => of("remove the comment").replace(span, ""),
        ControlCharacter(_) => {
            let literal = encode(at_fault);
            of("write it as an escape").replace(span, &literal[1..literal.len() - 1])
        }
        InvalidEscape if at_fault.len() == 2 => {
            let mut end = span.end;
            let same = errors.iter().skip_while(|other| other.span != span).take_while(|other| {
                let between = text.get(end..other.span.start).unwrap_or_default();
                end = other.span.end;
                other.kind == InvalidEscape && other.span.len() == 2 && !between.contains(['"', '\n'])
            });
            let candidate = of("double the backslash");
            same.fold(candidate, |candidate, other| candidate.insert(other.span.start, "\\"))
        }
        InvalidLiteral(Some(meant)) if *meant != "null" => of(&format!("replace with `{meant}`")).replace(span, *meant),
        UnexpectedCharacter(c) if c.is_whitespace() => of("replace with a space").replace(span, " "),
        UnexpectedCharacter(c) if is_invisible(*c) => of("remove the invisible character").replace(span, ""),
        NeverOpened => of("insert `{`").insert(span.start, "{"),
        UnexpectedCloser(_) => of("remove the bracket").replace(span, ""),
        // The rest of a document that ended too early is something that its author wants to keep.
        TextAfterEnd if !at_fault.contains('"') || at_fault.starts_with(['{', '[']) => of("remove the text")
            .replace(Span::new(text[..span.start].trim_end().len(), span.start), "")
            .replace(span, ""),
        _ => of(""),
    };
    candidate.opened = error.opened;
    candidate.is_safe = is_safe(&error.kind) && !is_between_touching_tokens(text, error);
    candidate.is_harmless = is_harmless(&error.kind);
    candidate
}

/// Whether the repair of such an error changes commas alone, or how a character is written.
pub(super) fn is_safe(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    matches!(kind, MissingComma(_) | TrailingComma(_) | ExtraComma | ControlCharacter(_))
}

/// Whether such an error leaves no doubt about the text around it, commas included.
fn is_harmless(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::{ExtraComma, MissingComma, TrailingComma};
    kind.is_local() && !matches!(kind, MissingComma(_) | TrailingComma(_) | ExtraComma)
}

/// A missing comma between two tokens that touch each other is in doubt unless both are strings: `{2}[a]` may be text.
fn is_between_touching_tokens(text: &str, error: &SyntaxError) -> bool {
    let at = error.span.start;
    let next = text[at..].chars().next();
    matches!(error.kind, SyntaxErrorKind::MissingComma(_))
        && !next.is_some_and(char::is_whitespace)
        && !(text[..at].ends_with('"') && next == Some('"'))
}

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

/// Prose or code before the document, and what it needs to end.
pub(super) fn prose(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some(start) = scene.text.find(['{', '[']) else { return Vec::new() };
    let is_first = scene.error.span.start < start && scene.text[..scene.error.span.start].trim().is_empty();
    if !is_first {
        return Vec::new();
    }
    let span = Span::new(scene.error.span.start, start);
    let shown = Span::new(span.start, span.start + scene.str(span).trim_end().len());
    let end = scene.text.trim_end();
    let candidate = Candidate::new(shown, "unexpected text before the start of the document", "remove the text")
        .replace(span, "")
        .cost(1);
    let candidate = match end.strip_suffix(';') {
        Some(document) => candidate.replace(Span::new(document.len(), end.len()), ""),
        None => candidate,
    };
    vec![candidate]
}

/// A comment of another language: up to the line's end, with the white space before it.
pub(super) fn comments(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let line = scene.str(scene.line);
    for mark in ["#", "--", "//", "<!--", ";", "%"] {
        let mut offset = 0;
        while let Some(next) = line[offset..].find(mark) {
            let at = scene.line.start + offset + next;
            offset += next + mark.len();
            let is_near = at <= scene.error.span.end.max(scene.at()) && scene.at() < at + 200;
            let before = &scene.text[scene.line.start..at];
            if !is_near || !(before.is_empty() || before.ends_with([' ', '\t'])) {
                continue;
            }
            let comment = Span::new(at, scene.line.end);
            // A whole line goes with its break.
            let (start, end) = match before.trim().is_empty() {
                true => (scene.line.start, scene.line.end + line_break(scene.text, scene.line.end)),
                false => (scene.line.start + before.trim_end().len(), scene.line.end),
            };
            let candidate = Candidate::of(&SyntaxErrorKind::Comment, comment, "remove the comment");
            found.push(candidate.replace(Span::new(start, end), "").cost(if mark == "#" { 4 } else { 6 }));
            if found.len() > 6 {
                return found;
            }
        }
    }
    found
}

fn line_break(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) }
}
