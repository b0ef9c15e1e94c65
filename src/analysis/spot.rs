use std::sync::Arc;

use super::Document;
use crate::suite::Case;
use crate::syntax::{Kind, Node, Step};
use crate::text::Span;

/// What a cursor is on.
pub(super) struct Spot<'a> {
    /// The key, the value or the bracket's container.
    pub(super) node: Node<'a>,
    /// Whether it is a key.
    pub(super) is_key: bool,
    /// The way to the value from the root.
    pub(super) path: Vec<Step>,
    /// The case that it is in.
    pub(super) case: Option<SpotCase<'a>>,
}

/// A case with a cursor in it.
#[derive(Clone, Copy)]
pub(super) struct SpotCase<'a> {
    /// Its place among the suite's cases, from 0.
    pub(super) index: usize,
    /// Its first byte.
    pub(super) start: usize,
    /// What it says; spans count from its first byte.
    pub(super) case: &'a Arc<Case>,
    /// Its node; spans count from the file's start.
    pub(super) node: Node<'a>,
}

impl<'a> Spot<'a> {
    /// What a cursor at `offset` is on; `None` on white space and punctuation, brackets aside.
    pub(super) fn at(document: &'a Document, offset: usize) -> Option<Spot<'a>> {
        let node = document.root().at_offset(offset)?;
        match node.kind() {
            Kind::Object | Kind::Array if !is_on_bracket(node, offset) => return None,
            Kind::Member => return None,
            _ => {}
        }
        let path = node.path().0;
        let is_key = node.parent().and_then(Node::as_member).is_some_and(|member| member.key == node);
        let case = document.suite().case_at(offset).and_then(|(index, placed)| {
            let node = document.case_nodes().nth(index)?;
            Some(SpotCase { index, start: placed.start, case: &placed.case, node })
        });
        Some(Spot { node, is_key, path, case })
    }

    /// The case with that index, as if a cursor was on its bracket.
    pub(super) fn of_case(document: &'a Document, index: usize) -> Option<Spot<'a>> {
        let placed = document.suite().cases.get(index)?;
        let node = document.case_nodes().nth(index)?;
        let case = SpotCase { index, start: placed.start, case: &placed.case, node };
        Some(Spot { node, is_key: false, path: node.path().0, case: Some(case) })
    }

    /// The path as names, `*` for each index.
    pub(super) fn names(&self) -> Vec<&str> {
        let names = self.path.iter().map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) => "*",
        });
        names.collect()
    }
}

impl SpotCase<'_> {
    /// A node's span as the case counts it.
    pub(super) fn relative(&self, node: Node<'_>) -> Span {
        node.span().relative_to(self.start)
    }
}

/// Whether the character behind `offset`, or else the one before it, is the container's bracket.
fn is_on_bracket(container: Node<'_>, offset: usize) -> bool {
    let span = container.span();
    let is_closed = container.text().len() > 1 && container.text().ends_with(['}', ']']);
    offset <= span.start + 1 || (is_closed && offset + 1 >= span.end)
}
