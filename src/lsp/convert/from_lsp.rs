//! From the protocol's terms to ours.

use tower_lsp_server::ls_types as lsp;

use crate::text::{EditError, Encoding, Position, Span, Text};

/// The bytes that a client means by a range.
///
/// # Errors
/// Where the range runs backwards.
pub(in crate::lsp) fn span(text: &Text, range: lsp::Range, encoding: Encoding) -> Result<Span, EditError> {
    text.span_between(position(range.start), position(range.end), encoding)
}

/// The byte that a client means by a position.
pub(in crate::lsp) fn offset(text: &Text, at: lsp::Position, encoding: Encoding) -> usize {
    text.offset(position(at), encoding)
}

fn position(position: lsp::Position) -> Position {
    Position { line: position.line as usize, column: position.character as usize }
}
