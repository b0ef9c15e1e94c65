//! What is under a cursor.

use std::sync::Arc;

use crate::suite::Case;
use crate::syntax::{Kind, Node, Step};
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
