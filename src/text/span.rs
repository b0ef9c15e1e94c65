use std::ops::Range;

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

    /// The same span in a text that has `origin` more bytes before it.
    pub(crate) fn shifted_by(self, origin: usize) -> Span {
        Span { start: self.start + origin, end: self.end + origin }
    }

    /// The same span counted from `origin`, which must not be after its start.
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
