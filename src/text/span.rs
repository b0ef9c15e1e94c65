use std::ops::Range;

use memchr::memchr2_iter;
use serde::{Deserialize, Serialize};

/// A half-open range of bytes: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`; `start` must not be after `end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "the span starts after its end: {start}..{end}");
        Self { start, end }
    }

    /// The empty span before the byte at `offset`.
    pub fn empty(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    /// The number of bytes in the span.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether a cursor at `offset` touches the span. Both ends count.
    pub(crate) fn touches(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `inner` is within the span.
    pub(crate) fn covers(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// The smallest span that covers both.
    pub(crate) fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span in a text that has `origin` more bytes before it.
    pub(crate) fn shifted_by(self, origin: usize) -> Span {
        Span { start: self.start + origin, end: self.end + origin }
    }

    /// The span counted from `origin`, which must not be after its start.
    pub(crate) fn relative_to(self, origin: usize) -> Span {
        Span { start: self.start - origin, end: self.end - origin }
    }

    /// The span as a range, to slice a `str` with.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

/// Where two lists differ: what is between their common start and their common end, as a range of each.
pub(crate) fn changed<T: PartialEq>(old: &[T], new: &[T]) -> (Range<usize>, Range<usize>) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    (start..old.len() - end, start..new.len() - end)
}

/// Where the lines of a text start. Lines end at `\n`, `\r\n` or a lone `\r`. No line is long, so that columns are counted
/// quickly.
#[derive(Clone, Default)]
pub(super) struct Lines {
    starts: Vec<u32>,
}

/// The longest line, in bytes.
const LONGEST: usize = 4096;

impl Lines {
    /// The lines of `text`; `None` if one of them is long.
    pub(super) fn of(text: &str) -> Option<Lines> {
        let end = u32::try_from(text.len()).ok()?;
        let mut starts = vec![0];
        starts.extend(starts_in(text, Span::new(0, text.len())));
        starts.shrink_to_fit();
        let ends = starts[1..].iter().copied().chain([end]);
        let is_long = starts.iter().zip(ends).any(|(start, end)| (end - start) as usize > LONGEST);
        (!is_long).then_some(Lines { starts })
    }

    /// The first byte of the line with that index; `None` past the last line.
    pub(super) fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).map(|start| *start as usize)
    }

    /// The index of the line of the byte at `offset`.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset) - 1
    }

    /// Follows an edit: the bytes of `span` were replaced with `len` bytes, and the text is now `text`. Returns `None` if a
    /// line is long now.
    pub(super) fn replace(mut self, span: Span, len: usize, text: &str) -> Option<Lines> {
        let now_ends = u32::try_from(text.len()).ok()?;
        // A `\r` before the edit may now belong to a `\r\n`.
        let first = self.line_of(span.start.saturating_sub(1));
        let next = self.line_of(span.end) + 1;
        let moved = |start: u32| (start as usize - span.end + span.start + len) as u32;
        self.starts[next..].iter_mut().for_each(|start| *start = moved(*start));
        let end = self.starts.get(next).copied().unwrap_or(now_ends);
        let from = self.starts[first];
        let read = Span::new(from as usize, end as usize);
        let is_last = next == self.starts.len();
        let new: Vec<u32> = starts_in(text, read).filter(|start| is_last || *start < end).collect();
        let starts = || [from].into_iter().chain(new.iter().copied());
        let ends = new.iter().copied().chain([end]);
        if starts().zip(ends).any(|(start, end)| (end - start) as usize > LONGEST) {
            return None;
        }
        self.starts.splice(first + 1..next, new);
        Some(self)
    }
}

/// The starts of the lines after each line break that begins in a part of `text`.
fn starts_in(text: &str, part: Span) -> impl Iterator<Item = u32> {
    let bytes = text.as_bytes();
    let breaks = memchr2_iter(b'\n', b'\r', &bytes[part.range()]).map(move |at| part.start + at);
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    breaks.filter(is_end).map(|at| at as u32 + 1)
}

/// A place in a text as people count it: line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LineColumn {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in code points.
    pub(crate) column: usize,
}

/// A range of a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineRange {
    /// The start of the range.
    pub(crate) start: LineColumn,
    /// The first place after the range.
    pub(crate) end: LineColumn,
}

/// The unit of a column. Lines are always counted from 0 and end at `\n`, `\r\n` or a lone `\r`, as in LSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, LSP's default.
    Utf16,
    /// Unicode code points, which the command line counts.
    Utf32,
}

/// A place as protocols count it: line and column, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The line.
    pub(crate) line: usize,
    /// The column, in the units of some [`Encoding`].
    pub(crate) column: usize,
}
