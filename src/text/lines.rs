use memchr::memchr2_iter;
use serde::{Deserialize, Serialize};

use super::Span;

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
