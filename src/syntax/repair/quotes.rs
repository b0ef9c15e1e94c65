//! Quotes that are lost, doubled, not escaped, or of another kind; and values as other languages or people write them: `None`,
//! `undefined`, `…`, `.8`, `1_000`, `80 %`.

use crate::syntax::SyntaxErrorKind;
use crate::syntax::lexer::{Token, TokenKind};
use crate::text::Span;

use super::scene::{Candidate, Scene, line_at};

/// How many places for a quote are tried on one line. Each is tried by parsing again.
const MOST_PLACES: usize = 24;

pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    other_quotes(scene, &mut found);
    unescaped(scene, &mut found);
    for line in lines(scene) {
        missing(scene, line, &mut found);
    }
    bare_text(scene, &mut found);
    doubled(scene, &mut found);
    found
}

/// The error's line, and the one before it: an unclosed string may be noticed on the next line only.
fn lines(scene: &Scene<'_>) -> Vec<Span> {
    let mut lines = vec![scene.line];
    let before = scene.text[..scene.line.start].trim_end();
    if scene.text[scene.line.start..scene.at().max(scene.line.start)].trim().is_empty() && !before.is_empty() {
        lines.push(line_at(scene.text, before.len()));
    }
    lines
}

const QUOTES: &str = "\"“”„‟«»‘’‚`´'″＂";

/// Curly quotes, backticks and single quotes, on both sides or on one.
fn other_quotes(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let line = scene.str(scene.line);
    let place = |offset: usize| scene.line.start + offset;
    let marks: Vec<(usize, char)> =
        line.char_indices().filter(|(_, c)| QUOTES.contains(*c)).map(|(at, c)| (place(at), c)).collect();
    let openers = marks.iter().filter(|(at, _)| scene.may_start(*at)).take(MOST_PLACES);
    for (start, opening) in openers {
        let is_near = *start <= scene.error.span.end;
        let closers = marks.iter().filter(|(at, c)| at > start && scene.may_end(at + c.len_utf8()));
        for (end, closing) in closers.take(6).filter(|_| is_near) {
            if *opening == '"' && *closing == '"' {
                continue;
            }
            let whole = Span::new(*start, end + closing.len_utf8());
            let inner = &scene.text[start + opening.len_utf8()..*end];
            let odd = if *opening == '"' { *closing } else { *opening };
            let span = if *opening == '"' {
                Span::new(*end, whole.end)
            } else {
                Span::new(*start, start + opening.len_utf8())
            };
            let span = if odd == '\'' { whole } else { span };
            let message = match odd {
                '\'' => SyntaxErrorKind::SingleQuotes.to_string(),
                _ => format!("expected double quotes around this string, found `{odd}`").replace("```", "backticks"),
            };
            let verbatim = rewritten(inner);
            let candidate = Candidate::new(span, message, "use double quotes")
                .cost(if *opening == '"' { 6 } else { 2 } + whole.len() / 60);
            found.push(candidate.clone().replace(whole, format!("\"{verbatim}\"")));
            let escaped = verbatim.replace('\\', "\\\\");
            if escaped != verbatim {
                found.push(candidate.replace(whole, format!("\"{escaped}\"")).cost(30));
            }
        }
    }
}

/// The inside of a string in other quotes: what is escaped stays so, but for a single quote, which needs none.
fn rewritten(inner: &str) -> String {
    let mut text = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\'' | '`')) => {}
            ('\\', Some(_)) => {
                text.push(c);
                text.extend(chars.next());
            }
            ('"', _) => text.push_str("\\\""),
            _ => text.push(c),
        }
    }
    text
}

/// A quote that is missing on one side.
fn missing(scene: &Scene<'_>, line: Span, found: &mut Vec<Candidate>) {
    let text = scene.str(line);
    let ends = text.char_indices().map(|(at, _)| line.start + at).chain([line.end]);
    let is_inner_end = |at: &usize| scene.may_end(*at) && !scene.text[..*at].ends_with([',', '[', '{', ' ', '\t', ':']);
    let nearest = |places: Vec<usize>| {
        let mut places = places;
        places.sort_by_key(|at| at.abs_diff(scene.at()));
        places.truncate(MOST_PLACES);
        places
    };
    for at in nearest(ends.clone().filter(is_inner_end).collect()) {
        let start = scene.text[line.start..at].rfind('"').map_or(at, |quote| line.start + quote);
        let candidate =
            Candidate::of(&SyntaxErrorKind::UnclosedString, Span::new(start, at), "insert the closing quote");
        found.push(candidate.insert(at, "\"").cost(4));
    }
    let is_inner_start = |at: &usize| {
        scene.may_start(*at) && !scene.text[*at..].starts_with(['"', ' ', '\t', ',', ':']) && *at < line.end
    };
    for at in nearest(ends.filter(is_inner_start).collect()) {
        let end = scene.text[at..line.end].find('"').map_or(line.end, |quote| at + quote + 1);
        let message = "expected `\"` at the start of this string";
        let candidate = Candidate::new(Span::new(at, end), message, "insert the opening quote");
        found.push(candidate.insert(at, "\"").cost(4));
    }
}

/// Text or a key without quotes.
fn bare_text(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    for token in scene.around(2, 2) {
        let start = token.span.start;
        let is_bare = !matches!(token.kind, TokenKind::String | TokenKind::Comma | TokenKind::Colon);
        if !is_bare || !scene.may_start(start) || !scene.line.covers(token.span) {
            continue;
        }
        let ends = scene.str(Span::new(start, scene.line.end)).char_indices().map(|(at, c)| start + at + c.len_utf8());
        let ends = ends.filter(|end| scene.may_end(*end) && !scene.text[..*end].ends_with([',', ' ', '\t', ':']));
        for end in ends.take(MOST_PLACES) {
            let span = Span::new(start, end);
            let is_key = scene.text[end..].trim_start().starts_with(':');
            let (kind, title) = match is_key {
                true => (SyntaxErrorKind::UnquotedKey, "quote the key"),
                false => (SyntaxErrorKind::InvalidLiteral(None), "quote the text"),
            };
            let text = rewritten(scene.str(span));
            let is_bracket = scene.str(span).starts_with(['{', '[', ']', '}', '`', '“', '„', '«', '‘']);
            let candidate = Candidate::of(&kind, span, title).cost(if is_bracket { 12 } else { 6 });
            found.push(candidate.clone().replace(span, format!("\"{text}\"")));
            if text.contains('\\') {
                let text = text.replace('\\', "\\\\");
                found.push(candidate.replace(span, format!("\"{text}\"")).cost(20));
            }
        }
    }
}

/// Quotes within a string that lack their backslash.
fn unescaped(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let line = scene.str(scene.line);
    let quotes: Vec<usize> = line
        .match_indices('"')
        .map(|(at, _)| scene.line.start + at)
        .filter(|at| !is_escaped(scene.text, *at))
        .collect();
    let near = |start: &&usize| **start <= scene.error.span.end && scene.may_start(**start);
    for start in quotes.iter().filter(near).rev().take(4) {
        for end in quotes.iter().filter(|end| *end > start && scene.may_end(**end + 1)).take(6) {
            let inner: Vec<usize> = quotes.iter().copied().filter(|at| start < at && at < end).collect();
            let is_text = inner.len() <= 12 && !scene.text[*start + 1..*end].contains("\":");
            let (Some(first), true) = (inner.first(), is_text) else { continue };
            let message = "a quote within a string is written `\\\"`";
            let last = inner.last().unwrap_or(first) + 1;
            let candidate = Candidate::new(Span::new(*first, last), message, "escape the quotes");
            let escape = |candidate: Candidate, at: &usize| candidate.insert(*at, "\\");
            found.push(
                inner.iter().fold(candidate, escape).cost(5 + 2 * inner.len() + usize::from(inner.len() % 2 == 1) * 4),
            );
        }
    }
}

/// `""text""`: a pair of quotes too many.
fn doubled(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let line = scene.str(scene.line);
    let Some(start) = line
        .match_indices("\"\"")
        .map(|(at, _)| scene.line.start + at)
        .filter(|at| *at < scene.error.span.end.max(scene.at() + 1))
        .last()
    else {
        return;
    };
    let Some(end) = scene.text[start + 2..scene.line.end].find("\"\"").map(|at| start + 2 + at) else { return };
    let message = "expected one pair of double quotes around this string";
    let candidate = Candidate::new(Span::new(start, end + 2), message, "remove the second pair of quotes");
    found.push(candidate.replace(Span::new(start, start + 1), "").replace(Span::new(end, end + 1), "").cost(3));
}

fn is_escaped(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}

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
