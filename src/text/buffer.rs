use std::fmt;
use std::sync::Arc;

use ropey::Rope;

use super::{Encoding, LineColumn, LineRange, Position, Span};

/// The text of a document. Cheap to clone: copies share the text until one of them is edited.
///
/// The text is stored twice: as one string, because a parser needs a `&str`, and as a rope, which finds lines and their
/// widths in each encoding without reading the whole text after every edit.
#[derive(Clone, Default)]
pub struct Text {
    rope: Rope,
    source: Arc<String>,
}

/// Up to this many bytes, reading the text is faster than the rope.
const SHORT: usize = 512;

/// The reason why an edit could not be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EditError {
    /// The start of the range is after its end.
    #[error("the range ends ({end:?}) before it starts ({start:?})")]
    Backwards {
        /// The start of the range.
        start: Position,
        /// The end of the range.
        end: Position,
    },
}

impl Text {
    /// The text of `source`.
    pub fn new(source: &str) -> Self {
        Self::from(source.to_owned())
    }

    /// The whole text.
    pub(crate) fn as_str(&self) -> &str {
        &self.source
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.source.len()
    }

    /// The bytes of `span`, which is cut to the text and to whole characters.
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.source[self.within(span).range()]
    }

    /// The span, cut to the text and to whole characters.
    pub(crate) fn within(&self, span: Span) -> Span {
        let start = self.floor_char(span.start);
        Span::new(start, self.floor_char(span.end).max(start))
    }

    /// The bytes of a line (from 0) without its line break; past the last line, an empty span at the end.
    pub(crate) fn line_span(&self, line: usize) -> Span {
        if line >= self.rope.len_lines() {
            return Span::empty(self.len());
        }
        let start = self.rope.line_to_byte(line);
        let end = self.rope.line_to_byte(line + 1);
        let whole = self.rope.byte_slice(start..end);
        let line_break =
            whole.chars_at(whole.len_chars()).reversed().take(2).take_while(|c| matches!(c, '\n' | '\r')).count();
        Span::new(start, end - line_break)
    }

    /// The line (from 0) of the byte at `offset`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.rope.byte_to_line(self.floor_char(offset))
    }

    /// The position of the byte at `offset`. An offset within a character counts as the start of that character, an offset
    /// past the end as the end.
    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.floor_char(offset);
        let line = self.rope.byte_to_line(offset);
        let start = self.rope.line_to_byte(line);
        Position { line, column: self.width(Span::new(start, offset), encoding) }
    }

    /// The line and column of the byte at `offset`, as people count them.
    pub(crate) fn line_column(&self, offset: usize) -> LineColumn {
        let position = self.position(offset, Encoding::Utf32);
        LineColumn { line: position.line + 1, column: position.column + 1 }
    }

    /// The lines and columns of a span, as people count them.
    pub(crate) fn line_range(&self, span: Span) -> LineRange {
        LineRange { start: self.line_column(span.start), end: self.line_column(span.end) }
    }

    /// The positions of the start and the end of a span, see [`Text::position`].
    pub(crate) fn positions(&self, span: Span, encoding: Encoding) -> (Position, Position) {
        let start = self.position(span.start, encoding);
        let covered = Span::new(self.floor_char(span.start), self.floor_char(span.end));
        let is_on_one_line = covered.len() <= SHORT && !self.slice(covered).contains(['\n', '\r']);
        let end = if is_on_one_line {
            Position { column: start.column + self.width(covered, encoding), ..start }
        } else {
            self.position(span.end, encoding)
        };
        (start, end)
    }

    /// The offset of a position. As LSP requires, a column past the end of the line means the end of the line (before its
    /// line break), a column within a character means its start, and a line past the last means the end of the text.
    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = self.line_span(position.line);
        let past_the_text = position.line >= self.rope.len_lines();
        if past_the_text {
            return self.len();
        }
        let offset = match encoding {
            Encoding::Utf8 => self.floor_char(line.start.saturating_add(position.column)),
            Encoding::Utf16 => {
                let units =
                    self.utf16_units(line.start).saturating_add(position.column).min(self.utf16_units(self.len()));
                self.rope.char_to_byte(self.rope.utf16_cu_to_char(units))
            }
            Encoding::Utf32 => {
                let chars =
                    self.rope.byte_to_char(line.start).saturating_add(position.column).min(self.rope.len_chars());
                self.rope.char_to_byte(chars)
            }
        };
        offset.min(line.end)
    }

    /// Replaces the bytes of `span`, cut to the text and to whole characters, with `with`.
    pub(crate) fn replace(&mut self, span: Span, with: &str) {
        let Span { start, end } = self.within(span);
        let chars = self.rope.byte_to_char(start)..self.rope.byte_to_char(end);
        self.rope.remove(chars.clone());
        self.rope.insert(chars.start, with);
        Arc::make_mut(&mut self.source).replace_range(start..end, with);
    }

    /// The bytes between two positions.
    ///
    /// # Errors
    /// If `start` is after `end`.
    pub(crate) fn span_between(&self, start: Position, end: Position, encoding: Encoding) -> Result<Span, EditError> {
        if start > end {
            return Err(EditError::Backwards { start, end });
        }
        let start = self.offset(start, encoding);
        Ok(Span::new(start, self.offset(end, encoding).max(start)))
    }

    /// The width of a span that starts and ends between characters.
    fn width(&self, span: Span, encoding: Encoding) -> usize {
        let short = (span.len() <= SHORT).then(|| &self.source[span.range()]);
        match (encoding, short) {
            (Encoding::Utf8, _) => span.len(),
            (_, Some(text)) if text.is_ascii() => text.len(),
            (Encoding::Utf16, Some(text)) => text.chars().map(char::len_utf16).sum(),
            (Encoding::Utf16, None) => self.utf16_units(span.end) - self.utf16_units(span.start),
            (Encoding::Utf32, Some(text)) => text.chars().count(),
            (Encoding::Utf32, None) => self.rope.byte_to_char(span.end) - self.rope.byte_to_char(span.start),
        }
    }

    fn floor_char(&self, offset: usize) -> usize {
        self.source.floor_char_boundary(offset)
    }

    fn utf16_units(&self, offset: usize) -> usize {
        self.rope.char_to_utf16_cu(self.rope.byte_to_char(offset))
    }
}

impl From<String> for Text {
    fn from(source: String) -> Self {
        Self { rope: Rope::from_str(&source), source: Arc::new(source) }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Text {}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
