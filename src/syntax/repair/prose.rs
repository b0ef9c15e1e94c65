//! Prose or code before the document, and what it needs to end.

use crate::text::Span;

use super::scene::{Candidate, Scene};

/// Prose or code before the document, and what it needs to end.
pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
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

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("export default [1];", "[1]");
}
