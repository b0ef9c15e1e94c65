use std::fmt;
use std::sync::Arc;

use ropey::Rope;

use super::span::Lines;
use super::{Encoding, LineColumn, LineRange, Position, Span};

/// The text of a document. Cheap to clone: copies share the text until one of them is edited.
///
/// The text is one string, because a parser needs a `&str`. Beside it is where its lines start, or, if a line is long, a
/// rope with the same text. Both find lines and columns without reading the whole text after every edit.
#[derive(Clone)]
pub struct Text {
    source: Arc<String>,
    places: Places,
}

/// Finds lines and columns.
#[derive(Clone)]
enum Places {
    Lines(Arc<Lines>),
    Rope(Rope),
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
        let Some(start) = self.line_start(line) else { return Span::empty(self.len()) };
        let end = self.line_start(line + 1).unwrap_or(self.len());
        let whole = &self.source[start..end];
        Span::new(start, start + whole.trim_end_matches(['\n', '\r']).len())
    }

    /// The line (from 0) of the byte at `offset`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.line_of_char(self.floor_char(offset))
    }

    /// The position of the byte at `offset`. An offset within a character counts as the start of that character, an offset
    /// past the end as the end.
    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.floor_char(offset);
        let line = self.line_of_char(offset);
        let start = self.line_start(line).unwrap_or_default();
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
        if self.line_start(position.line).is_none() {
            return self.len();
        }
        let line = self.line_span(position.line);
        if encoding == Encoding::Utf8 {
            return self.floor_char(line.start.saturating_add(position.column)).min(line.end);
        }
        let Places::Rope(rope) = &self.places else { return self.offset_in(line, position.column, encoding) };
        let offset = match encoding {
            Encoding::Utf16 => {
                let units =
                    utf16_units(rope, line.start).saturating_add(position.column).min(utf16_units(rope, self.len()));
                rope.char_to_byte(rope.utf16_cu_to_char(units))
            }
            _ => {
                let chars = rope.byte_to_char(line.start).saturating_add(position.column).min(rope.len_chars());
                rope.char_to_byte(chars)
            }
        };
        offset.min(line.end)
    }

    /// The offset of a column of a short line.
    fn offset_in(&self, line: Span, column: usize, encoding: Encoding) -> usize {
        let (mut offset, mut before) = (line.start, 0);
        for c in self.source[line.range()].chars() {
            before += if encoding == Encoding::Utf16 { c.len_utf16() } else { 1 };
            if before > column {
                break;
            }
            offset += c.len_utf8();
        }
        offset
    }

    /// Replaces the bytes of `span`, cut to the text and to whole characters, with `with`.
    pub(crate) fn replace(&mut self, span: Span, with: &str) {
        let span = self.within(span);
        if let Places::Rope(rope) = &mut self.places {
            let chars = rope.byte_to_char(span.start)..rope.byte_to_char(span.end);
            rope.remove(chars.clone());
            rope.insert(chars.start, with);
        }
        Arc::make_mut(&mut self.source).replace_range(span.range(), with);
        if let Places::Lines(lines) = &mut self.places {
            let lines = Arc::unwrap_or_clone(std::mem::take(lines)).replace(span, with.len(), &self.source);
            self.places = Places::of(lines, &self.source);
        }
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

    /// The width of a span of one line that starts and ends between characters.
    fn width(&self, span: Span, encoding: Encoding) -> usize {
        let text = &self.source[span.range()];
        match (encoding, &self.places) {
            (Encoding::Utf8, _) => span.len(),
            (Encoding::Utf16, Places::Rope(rope)) if span.len() > SHORT => {
                utf16_units(rope, span.end) - utf16_units(rope, span.start)
            }
            (Encoding::Utf32, Places::Rope(rope)) if span.len() > SHORT => {
                rope.byte_to_char(span.end) - rope.byte_to_char(span.start)
            }
            _ if text.is_ascii() => text.len(),
            (Encoding::Utf16, _) => text.chars().map(char::len_utf16).sum(),
            (Encoding::Utf32, _) => text.chars().count(),
        }
    }

    fn floor_char(&self, offset: usize) -> usize {
        self.source.floor_char_boundary(offset)
    }

    /// The first byte of a line (from 0); `None` past the last line.
    fn line_start(&self, line: usize) -> Option<usize> {
        match &self.places {
            Places::Lines(lines) => lines.start(line),
            Places::Rope(rope) => (line < rope.len_lines()).then(|| rope.line_to_byte(line)),
        }
    }

    /// The line (from 0) of the character at `offset`.
    fn line_of_char(&self, offset: usize) -> usize {
        match &self.places {
            Places::Lines(lines) => lines.line_of(offset),
            Places::Rope(rope) => rope.byte_to_line(offset),
        }
    }
}

impl Places {
    /// Finds places in `text` by its lines, if they are known and short.
    fn of(lines: Option<Lines>, text: &str) -> Places {
        lines.map_or_else(|| Places::Rope(Rope::from_str(text)), |lines| Places::Lines(Arc::new(lines)))
    }
}

fn utf16_units(rope: &Rope, offset: usize) -> usize {
    rope.char_to_utf16_cu(rope.byte_to_char(offset))
}

impl Default for Text {
    fn default() -> Self {
        Self::from(String::new())
    }
}

impl From<String> for Text {
    fn from(source: String) -> Self {
        Self { places: Places::of(Lines::of(&source), &source), source: Arc::new(source) }
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
