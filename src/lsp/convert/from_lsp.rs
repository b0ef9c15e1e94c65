//! Converts the protocol's types to those of this crate.

use ls_types as lsp;

use crate::text::{EditError, Encoding, Position, Span, Text};

/// Returns the bytes of a range.
///
/// # Errors
/// If the range is reversed.
pub(crate) fn span(text: &Text, range: lsp::Range, encoding: Encoding) -> Result<Span, EditError> {
    text.span_between(position(range.start), position(range.end), encoding)
}

/// Returns the byte at a position.
pub(crate) fn offset(text: &Text, at: lsp::Position, encoding: Encoding) -> usize {
    text.offset(position(at), encoding)
}

fn position(position: lsp::Position) -> Position {
    Position { line: position.line as usize, column: position.character as usize }
}
