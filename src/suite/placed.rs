use std::ops::Range;
use std::sync::Arc;

use crate::text::Span;

use super::{Case, Field};

/// A whole suite. The spans of `name`, `version` and `list` count from the start of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suite {
    /// `name`
    pub(crate) name: Option<Field<String>>,
    /// `version`
    pub(crate) version: Option<Field<String>>,
    /// The `cases` list; `None` if there is none.
    pub(crate) list: Option<Field<()>>,
    /// The cases, in the order of the file.
    pub cases: Vec<PlacedCase>,
}

/// A case and its start in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedCase {
    /// The offset of the first byte of the case.
    pub(crate) start: usize,
    /// The case; its spans count from `start`.
    pub case: Arc<Case>,
}

impl PlacedCase {
    /// The span of the case in the file.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.case.len)
    }

    /// The span in the file of a span in the case.
    pub(crate) fn absolute(&self, span: Span) -> Span {
        span.shifted_by(self.start)
    }
}

impl Suite {
    /// Moves everything after the byte `offset` by `grown` bytes. A field around it grows.
    pub(crate) fn shift_after(&mut self, offset: usize, grown: isize) {
        let moved = |place: usize| if place > offset { place.saturating_add_signed(grown) } else { place };
        let moved_span = |span: Span| Span::new(moved(span.start), moved(span.end));
        for field in [&mut self.name, &mut self.version].into_iter().flatten() {
            field.key = moved_span(field.key);
            field.span = moved_span(field.span);
        }
        if let Some(list) = &mut self.list {
            list.key = moved_span(list.key);
            list.span = moved_span(list.span);
        }
        for case in &mut self.cases {
            case.start = moved(case.start);
        }
    }

    /// The cases that `span` touches, by index.
    pub(crate) fn cases_in(&self, span: Span) -> Range<usize> {
        let start = self.cases.partition_point(|case| case.span().end < span.start);
        start..self.cases.partition_point(|case| case.start <= span.end).max(start)
    }

    /// The case that a cursor at `offset` touches, and its index.
    pub(crate) fn case_at(&self, offset: usize) -> Option<(usize, &PlacedCase)> {
        let index = self.cases.partition_point(|case| case.start <= offset).checked_sub(1)?;
        let case = &self.cases[index];
        case.span().touches(offset).then_some((index, case))
    }
}
