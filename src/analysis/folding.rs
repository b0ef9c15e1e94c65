//! Folding ranges: every object and list with several lines, up to the line of its closing bracket.

use super::Document;
use crate::cancellation::checkpoint;
use crate::syntax::{Kind, Node};
use crate::text::Span;

/// Lines that fold into the first of them. Lines are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The line of the opening bracket.
    pub(crate) first: usize,
    /// The last hidden line. A line that starts with a closing bracket stays visible.
    pub(crate) last: usize,
}

/// The folds in the order of the text, at most one per line. If there are more than `max`, the inner ones are left out.
pub fn folds(document: &Document, max: usize) -> Vec<Fold> {
    let lines = Lines::of(document.text().as_str());
    let mut found: Vec<(usize, Fold)> = Vec::new();
    // The ends and last lines of the open containers: a stack instead of recursion, because nesting may be deep.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for node in document.root().descendants().filter(|node| is_container(*node)) {
        checkpoint();
        let Span { start, end } = node.span();
        while open.last().is_some_and(|(outer, _)| *outer <= start) {
            open.pop();
        }
        let first = lines.at(start);
        let closes = node.text().len() > 1 && node.text().ends_with(['}', ']']);
        let last_line = lines.at(if closes { end - 1 } else { end });
        let stays = closes && lines.text(last_line).trim_start_matches([' ', '\t']).starts_with(['}', ']']);
        let last = if stays { last_line.saturating_sub(1) } else { last_line };
        // A container that nothing closes ends with the one around it, whose last line may stay.
        let last = open.last().map_or(last, |(_, outer)| last.min(*outer));
        if last > first && found.last().is_none_or(|(_, outer)| outer.first != first) {
            found.push((open.len(), Fold { first, last }));
        }
        open.push((end, last));
    }
    if found.len() > max {
        let mut kept: Vec<usize> = (0..found.len()).collect();
        kept.sort_by_key(|index| found[*index].0);
        kept.truncate(max);
        kept.sort_unstable();
        return kept.into_iter().map(|index| found[index].1).collect();
    }
    found.into_iter().map(|(_, fold)| fold).collect()
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Object | Kind::Array)
}

/// The starts of all lines, found in one pass because every bracket needs its line.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let is_break = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_break);
        Lines { text, starts: std::iter::once(0).chain(breaks.map(|at| at + 1)).collect() }
    }

    /// The line of the byte at `offset`.
    fn at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// A line with its line break.
    fn text(&self, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        &self.text[self.starts[line]..end]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Text;

    fn lines(text: &str, max: usize) -> Vec<(usize, usize)> {
        folds(&Document::new(Text::new(text), None), max).into_iter().map(|fold| (fold.first, fold.last)).collect()
    }

    #[test]
    fn brackets_over_several_lines_fold() {
        for (text, expected) in [
            ("{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}", &[(0, 4), (1, 2)][..]),
            ("{ \"a\": [ { \n } ] }", &[]),
            ("[{\n\n}]", &[(0, 1)]),
            ("{\n\"a\": 1 }", &[(0, 1)]),
            ("{}", &[]),
            ("", &[]),
            ("{\n  \"a\": [\n    1,\n    2", &[(0, 3), (1, 3)]),
            ("{\n  \"a\": [\n    1,\n    2\n}", &[(0, 3), (1, 3)]),
            ("{\n  \"a\": [\n    { \"b\":\n  ]\n}", &[(0, 3), (1, 2)]),
        ] {
            assert_eq!(lines(text, 100), expected, "{text:?}");
        }
    }

    #[test]
    fn inner_folds_are_left_out_above_the_maximum() {
        let text = "{\n\"a\": {\n\"b\": {\n1\n}\n},\n\"c\": {\n1\n}\n}";
        assert_eq!(lines(text, 100).len(), 4);
        assert_eq!(lines(text, 3), [(0, 8), (1, 4), (6, 7)]);
        assert_eq!(lines(text, 0), []);
    }

    #[test]
    fn lines_are_counted_as_text_counts_them() {
        for text in ["", "a", "a\nb", "a\r\nb\r\n", "a\rb\r", "\n\r\n\r\r\n", "é\n😀\r"] {
            let lines = Lines::of(text);
            let known = Text::new(text);
            assert_eq!(lines.starts.len(), known.line_of(text.len()) + 1, "{text:?}");
            for (offset, _) in text.char_indices() {
                assert_eq!(lines.at(offset), known.line_of(offset), "{text:?} at {offset}");
            }
        }
    }

    proptest! {
        /// Editors drop one of two folds that cross.
        #[test]
        fn folds_lie_within_one_another_or_apart(text in r#"([{}\[\]\n\n,:1 ]|"a"){0,60}"#) {
            let found = lines(&text, 100);
            for (at, (first, last)) in found.iter().enumerate() {
                for (other_first, other_last) in &found[at + 1..] {
                    prop_assert!(other_first > first, "{found:?} in {text:?}");
                    prop_assert!(other_first >= last || other_last <= last, "{found:?} in {text:?}");
                }
            }
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let text = "[\n".repeat(100_000);
        assert_eq!(lines(&text, 10).len(), 10);
    }
}
