use std::sync::Arc;

use crate::analysis::{Document, Workspace};
use crate::diagnostic::Finding;
use crate::suite::PlacedCase;
use crate::syntax::Node;
use crate::text::Span;

/// A place in a case whose syntax has no error. All spans count from the file's start.
pub(super) struct Place<'a> {
    pub(super) document: &'a Document,
    pub(super) at: Span,
    pub(super) placed: &'a PlacedCase,
    /// The case.
    pub(super) node: Node<'a>,
    index: usize,
    workspace: &'a Arc<Workspace>,
}

impl<'a> Place<'a> {
    /// The place; `None` where it is in no case, in several, or in one that is broken.
    pub(super) fn find(document: &'a Document, at: Span, workspace: &'a Arc<Workspace>) -> Option<Self> {
        let (index, placed) = document.suite().case_at(at.start)?;
        let node = document.case_nodes().nth(index)?;
        let is_whole = placed.span().covers(at) && !node.descendants().any(Node::is_broken);
        is_whole.then_some(Place { document, at, placed, node, index, workspace })
    }

    /// Whether it touches that text of the case, whose span counts from the case's start.
    pub(super) fn touches(&self, span: Span) -> bool {
        let span = self.placed.absolute(span);
        span.start <= self.at.end && self.at.start <= span.end
    }

    /// The object `expected`.
    pub(super) fn expected(&self) -> Option<Node<'a>> {
        self.node.get("expected")
    }

    /// The text of the whole document.
    pub(super) fn text(&self) -> &'a str {
        self.document.text().as_str()
    }

    /// What the lints find in the case, those included that are turned off.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.document.case_findings(self.index, self.workspace)
    }
}
