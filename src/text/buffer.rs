use std::fmt;
use std::sync::{Arc, OnceLock};

use super::span::Lines;
use super::{Encoding, LineColumn, LineRange, Position, Span};

/// The text of a document. Cheap to clone: copies share the text until one of them is edited.
///
/// The text is one string, because a parser needs a `&str`. Beside it is where its lines start.
#[derive(Clone)]
pub struct Text {
    source: Arc<String>,
    lines: Arc<Lines>,
    /// The characters and the UTF-16 code units before each block, for columns of long lines.
    before: Arc<OnceLock<Vec<[usize; 2]>>>,
}

/// The bytes of a block. In a part of a line that is not longer, characters are counted.
const BLOCK: usize = 512;

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
        let Some(start) = self.lines.start(line) else { return Span::empty(self.len()) };
        let end = self.lines.start(line + 1).unwrap_or(self.len());
        let whole = &self.source[start..end];
        Span::new(start, start + whole.trim_end_matches(['\n', '\r']).len())
    }

    /// The line (from 0) of the byte at `offset`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.lines.line_of(self.floor_char(offset))
    }

    /// The position of the byte at `offset`. An offset within a character counts as the start of that character, an offset
    /// past the end as the end.
    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.floor_char(offset);
        let line = self.lines.line_of(offset);
        let start = self.lines.start(line).unwrap_or_default();
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
        let is_on_one_line = covered.len() <= BLOCK && !self.slice(covered).contains(['\n', '\r']);
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
        if self.lines.start(position.line).is_none() {
            return self.len();
        }
        let line = self.line_span(position.line);
        if encoding == Encoding::Utf8 {
            return self.floor_char(line.start.saturating_add(position.column)).min(line.end);
        }
        if line.len() <= BLOCK {
            return self.offset_in(line, position.column, encoding);
        }
        let wanted = self.before(line.start, encoding).saturating_add(position.column);
        let block = self.blocks().partition_point(|before| before[index(encoding)] <= wanted) - 1;
        let start = self.floor_char(block * BLOCK).max(line.start);
        self.offset_in(Span::new(start, line.end), wanted - self.before(start, encoding), encoding)
    }

    /// The offset of a column of a part of a line.
    fn offset_in(&self, part: Span, column: usize, encoding: Encoding) -> usize {
        let (mut offset, mut before) = (part.start, 0);
        for c in self.source[part.range()].chars() {
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
        Arc::make_mut(&mut self.source).replace_range(span.range(), with);
        Arc::make_mut(&mut self.lines).replace(span, with.len(), &self.source);
        self.before = Arc::default();
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
        match encoding {
            Encoding::Utf8 => span.len(),
            _ if span.len() <= BLOCK => units(&self.source[span.range()], encoding),
            _ => self.before(span.end, encoding) - self.before(span.start, encoding),
        }
    }

    /// The characters or code units before an offset between characters.
    fn before(&self, offset: usize, encoding: Encoding) -> usize {
        let block = offset / BLOCK;
        let rest = &self.source[self.floor_char(block * BLOCK)..offset];
        self.blocks()[block][index(encoding)] + units(rest, encoding)
    }

    fn blocks(&self) -> &[[usize; 2]] {
        self.before.get_or_init(|| {
            let starts = (0..=self.len() / BLOCK).map(|block| self.floor_char(block * BLOCK));
            let (mut at, mut before) = (0, [0; 2]);
            let counted = starts.map(|start| {
                let text = &self.source[at..start];
                at = start;
                [Encoding::Utf32, Encoding::Utf16].iter().for_each(|it| before[index(*it)] += units(text, *it));
                before
            });
            counted.collect()
        })
    }

    fn floor_char(&self, offset: usize) -> usize {
        self.source.floor_char_boundary(offset)
    }
}

/// The place of its counts.
fn index(encoding: Encoding) -> usize {
    usize::from(encoding == Encoding::Utf16)
}

/// The characters or UTF-16 code units of a text.
fn units(text: &str, encoding: Encoding) -> usize {
    match encoding {
        _ if text.is_ascii() => text.len(),
        Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        _ => text.chars().count(),
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::from(String::new())
    }
}

impl From<String> for Text {
    fn from(source: String) -> Self {
        Self { lines: Arc::new(Lines::of(&source)), source: Arc::new(source), before: Arc::default() }
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
