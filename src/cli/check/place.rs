use serde::Serialize;

use crate::text::{Encoding, Span, Text};

/// From where to where, the end not included.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Range {
    pub(super) start: Place,
    pub(super) end: Place,
}

/// A place as people count it: both from 1, the column in code points.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Range {
    pub(super) fn new(text: &Text, span: Span) -> Self {
        Self { start: Place::new(text, span.start), end: Place::new(text, span.end) }
    }
}

impl Place {
    fn new(text: &Text, offset: usize) -> Self {
        let position = text.position(offset, Encoding::Utf32);
        Self { line: position.line + 1, column: position.column + 1 }
    }
}
