//! Expanding a selection step by step, and folding ranges: every object and list with several lines, up to the line of its closing
//! bracket.

use std::sync::Arc;

use crate::cancellation::checkpoint;
use crate::suite::Case;
use crate::syntax::{Kind, Node, Step, raw_span};
use crate::text::Span;

use super::Document;

/// The key, value or bracket under a cursor.
pub(super) struct CursorTarget<'a> {
    /// The key, the value, or the container of the bracket.
    pub(super) node: Node<'a>,
    /// Whether the node is a key.
    pub(super) is_key: bool,
    /// The path to the value from the root.
    pub(super) path: Vec<Step>,
    /// The case that contains the node.
    pub(super) case: Option<CursorCase<'a>>,
}

/// The case that contains a cursor.
#[derive(Clone, Copy)]
pub(super) struct CursorCase<'a> {
    /// The index of the case in the suite, from 0.
    pub(super) index: usize,
    /// The offset of the first byte of the case.
    pub(super) start: usize,
    /// The case; spans count from its first byte.
    pub(super) case: &'a Arc<Case>,
    /// The node of the case; spans count from the start of the file.
    pub(super) node: Node<'a>,
}

impl<'a> CursorTarget<'a> {
    /// What is under a cursor at `offset`. `None` on white space and on punctuation other than brackets.
    pub(super) fn at(document: &'a Document, offset: usize) -> Option<CursorTarget<'a>> {
        let node = document.root().at_offset(offset)?;
        match node.kind() {
            Kind::Object | Kind::Array if !is_on_bracket(node, offset) => return None,
            Kind::Member => return None,
            _ => {}
        }
        let path = node.path().0;
        let is_key = node.parent().and_then(Node::as_member).is_some_and(|member| member.key == node);
        let case = document.suite().case_at(offset).and_then(|(index, placed)| {
            let node = document.case_node(index)?;
            Some(CursorCase { index, start: placed.start, case: &placed.case, node })
        });
        Some(CursorTarget { node, is_key, path, case })
    }

    /// The case with that index, as if the cursor were on its bracket.
    pub(super) fn of_case(document: &'a Document, index: usize) -> Option<CursorTarget<'a>> {
        let placed = document.suite().cases.get(index)?;
        let node = document.case_node(index)?;
        let case = CursorCase { index, start: placed.start, case: &placed.case, node };
        Some(CursorTarget { node, is_key: false, path: node.path().0, case: Some(case) })
    }

    /// The path as keys, with `*` for each index.
    pub(super) fn names(&self) -> Vec<&str> {
        let names = self.path.iter().map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) => "*",
        });
        names.collect()
    }
}

impl CursorCase<'_> {
    /// The span of a node, counted from the start of the case.
    pub(super) fn relative(&self, node: Node<'_>) -> Span {
        node.span().relative_to(self.start)
    }
}

/// Whether the character after or before `offset` is a bracket of the container.
fn is_on_bracket(container: Node<'_>, offset: usize) -> bool {
    let span = container.span();
    let is_closed = container.text().len() > 1 && container.text().ends_with(['}', ']']);
    offset <= span.start + 1 || (is_closed && offset + 1 >= span.end)
}

/// The spans around `offset`, from small to large, each within the next: a string's text, the string, the member, the
/// content of the brackets, and so on to the whole document. The list is never empty.
pub(crate) fn selections(document: &Document, offset: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut grow = |span: Span| {
        if spans.last().is_none_or(|last| *last != span && span.covers(*last)) {
            spans.push(span);
        }
    };
    let mut next = document.root().at_offset(offset);
    while let Some(node) = next {
        let span = node.span();
        let inner = inner(node);
        if inner.touches(offset) {
            grow(inner);
        }
        grow(span);
        next = node.parent();
    }
    grow(Span::new(0, document.text().len()));
    spans
}

/// The content of a node's quotes or brackets, without white space at both ends. Other nodes return their own span.
fn inner(node: Node<'_>) -> Span {
    let span = node.span();
    match node.kind() {
        Kind::String => {
            let value = node.as_str().map_or(0, |value| value.len());
            let text = raw_span(node.text(), Span::new(0, value));
            if value == 0 { Span::empty(span.start + 1) } else { text.shifted_by(span.start) }
        }
        Kind::Object | Kind::Array => {
            let mut children = node.children();
            let Some(first) = children.next() else { return span };
            first.span().join(children.last().unwrap_or(first).span())
        }
        _ => span,
    }
}

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
    let text = document.text();
    let mut found: Vec<(usize, Fold)> = Vec::new();
    // The ends and last lines of the open containers: a stack instead of recursion, because nesting may be deep.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for node in document.root().descendants().filter(|node| is_container(*node)) {
        checkpoint();
        let Span { start, end } = node.span();
        while open.last().is_some_and(|(outer, _)| *outer <= start) {
            open.pop();
        }
        let first = text.line_of(start);
        let closes = node.text().len() > 1 && node.text().ends_with(['}', ']']);
        let last_line = text.line_of(if closes { end - 1 } else { end });
        let stays =
            closes && text.slice(text.line_span(last_line)).trim_start_matches([' ', '\t']).starts_with(['}', ']']);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use proptest::prelude::*;

    #[test]
    fn selection_grows_from_string_to_document() {
        let text = " { \"a\": [ \"x y\", 2 ], \"b\": 1 }\n";
        let document = Document::new(Text::new(text), None);
        let spans = selections(&document, text.find("x y").unwrap() + 1);
        let grown: String = spans.into_iter().map(|span| format!("{}\n", &text[span.range()])).collect();
        insta::assert_snapshot!(grown);
    }

    #[test]
    fn selections_nest_in_broken_text() {
        let text = "{ \"a\": [ \"x\\\"\", { \"b\": \"\" ] ";
        for end in 0..=text.len() {
            let document = Document::new(Text::new(&text[..end]), None);
            for offset in 0..=end {
                let spans = selections(&document, offset);
                assert!(
                    spans.windows(2).all(|pair| pair[1].covers(pair[0])),
                    "{spans:?} at {offset} of {}",
                    &text[..end]
                );
                assert!(spans.last() == Some(&Span::new(0, end)) && spans[0].touches(offset));
            }
        }
    }

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
