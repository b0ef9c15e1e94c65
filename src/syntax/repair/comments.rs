//! Comments of other languages.

use crate::syntax::SyntaxErrorKind;
use crate::text::Span;

use super::scene::{Candidate, Scene};

/// A comment of another language: up to the line's end, with the white space before it.
pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
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

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("[1, 2] # both\n", "[1, 2]\n");
}
