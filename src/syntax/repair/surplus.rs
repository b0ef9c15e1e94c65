//! Text that JSON has no place for: prose, marks of a diff, comments of other languages.

use crate::syntax::SyntaxErrorKind;
use crate::text::Span;

use super::scene::{Candidate, Scene, line_at};

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

/// The lines that a diff marked as added.
pub(super) fn diff_marks(scene: &Scene<'_>) -> Vec<Candidate> {
    let line = line_at(scene.text, scene.at());
    let Some(mark) = scene.str(line).chars().next().filter(|c| matches!(c, '+' | '-' | '>')) else {
        return Vec::new();
    };
    let span = Span::new(line.start, line.start + 1);
    let message = format!("unexpected `{mark}` at the start of the line");
    vec![Candidate::new(span, message, format!("remove `{mark}`")).replace(span, "").cost(1)]
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
