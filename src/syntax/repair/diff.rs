//! The marks of a diff at the start of lines.

use crate::text::Span;

use super::scene::{Candidate, Scene, line_at};

/// The lines that a diff marked as added.
pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let line = line_at(scene.text, scene.at());
    let Some(mark) = scene.str(line).chars().next().filter(|c| matches!(c, '+' | '-' | '>')) else {
        return Vec::new();
    };
    let span = Span::new(line.start, line.start + 1);
    let message = format!("unexpected `{mark}` at the start of the line");
    vec![Candidate::new(span, message, format!("remove `{mark}`")).replace(span, "").cost(1)]
}

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("[\n+ 1\n]", "[\n 1\n]");
}
