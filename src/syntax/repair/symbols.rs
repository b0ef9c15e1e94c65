//! Signs, numbers, words and comments of other languages.

use crate::syntax::SyntaxErrorKind;
use crate::syntax::lexer::{Token, TokenKind};
use crate::text::Span;

use super::candidate::Candidate;
use super::scene::{Scene, line_at};

pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    found.extend(comment(scene));
    found.extend(number(scene));
    found.extend(nothing(scene));
    found.extend(before_the_start(scene));
    signs(scene, &mut found);
    found
}

/// Signs in the place of a comma or a colon, surplus signs, and missing ones.
fn signs(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
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

/// A comment of another language: up to the line's end, with the white space before it.
fn comment(scene: &Scene<'_>) -> Vec<Candidate> {
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

/// A number as other languages or people write it.
fn number(scene: &Scene<'_>) -> Vec<Candidate> {
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

/// `None`, `undefined` and the like: JSON leaves the key out. And `…`, which stands for entries that are not there.
fn nothing(scene: &Scene<'_>) -> Vec<Candidate> {
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

/// Prose or code before the document, and what it needs to end.
fn before_the_start(scene: &Scene<'_>) -> Option<Candidate> {
    let start = scene.text.find(['{', '['])?;
    let is_first = scene.error.span.start < start && scene.text[..scene.error.span.start].trim().is_empty();
    if !is_first {
        return None;
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
    Some(candidate)
}

/// The lines that a diff marked as added.
pub(super) fn diff_marker(scene: &Scene<'_>) -> Option<Candidate> {
    let line = line_at(scene.text, scene.at());
    let mark = scene.str(line).chars().next().filter(|c| matches!(c, '+' | '-' | '>'))?;
    let span = Span::new(line.start, line.start + 1);
    let message = format!("unexpected `{mark}` at the start of the line");
    Some(Candidate::new(span, message, format!("remove `{mark}`")).replace(span, "").cost(1))
}
