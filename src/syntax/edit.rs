//! What to cut out of a document, and where to put something in, so that what is left is as well-formed as before.

use crate::text::Span;

use super::{Kind, Node};

impl Node<'_> {
    /// The text to delete in order to take this member, or this element of a list, out of its container: itself, one
    /// comma beside it, and the white space that would be left over.
    ///
    /// Of a node that is neither, its own text.
    pub fn removal(self) -> Span {
        let Some(container) = self.parent().filter(|parent| matches!(parent.kind(), Kind::Object | Kind::Array)) else {
            return self.span();
        };
        let own = self.span();
        match (self.previous(), self.next()) {
            (_, Some(next)) => Span::new(own.start, next.span().start),
            (Some(previous), None) => Span::new(previous.span().end, own.end),
            (None, None) => Span::new(container.span().start + 1, own.end.max(container.span().end.saturating_sub(1))),
        }
    }
}

/// What parts an element or member that starts at `offset` from the one before it, the comma aside: its line's break and
/// indentation, else a space.
pub(crate) fn separator_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let space = &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..];
    let line = space.trim_end_matches([' ', '\t']);
    let ending = if line.ends_with("\r\n") { 2 } else { line.len().min(1) };
    if line.is_empty() { " " } else { &space[line.len() - ending..] }
}
