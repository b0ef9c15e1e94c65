use std::sync::Arc;

use crate::analysis::{Document, Workspace};
use crate::diagnostic::Finding;
use crate::suite::PlacedCase;
use crate::syntax::Node;
use crate::text::Span;

/// A selection in a case without syntax errors. All spans count from the start of the file.
pub(super) struct ActionContext<'a> {
    pub(super) document: &'a Document,
    pub(super) at: Span,
    pub(super) placed: &'a PlacedCase,
    /// The case.
    pub(super) node: Node<'a>,
    index: usize,
    workspace: &'a Arc<Workspace>,
}

impl<'a> ActionContext<'a> {
    /// The context of the selection `at`; `None` if it is not within one case, or if the case has a syntax error.
    pub(super) fn find(document: &'a Document, at: Span, workspace: &'a Arc<Workspace>) -> Option<Self> {
        let (index, placed) = document.suite().case_at(at.start)?;
        let node = document.case_node(index)?;
        let is_whole = placed.span().covers(at) && !node.descendants().any(Node::is_broken);
        is_whole.then_some(ActionContext { document, at, placed, node, index, workspace })
    }

    /// Whether the selection touches `span`, which counts from the start of the case.
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

    /// The findings of the lints in the case, including lints that are off.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.document.case_findings(self.index, self.workspace)
    }
}
