//! Which parts of a response the checks refer to.

use serde::Serialize;

use crate::checks::Evidence;
use crate::text::{Span, visible};

/// A part of a text to which the same checks refer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Part {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) marks: Vec<Mark>,
}

/// A check that refers to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mark {
    /// Its number, from 0.
    pub(super) check: usize,
    /// Whether the text is only the nearest to what the check looks for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) nearest: bool,
}

/// A response and the places in it to which checks refer.
pub(super) struct Marked<'a> {
    pub(super) response: &'a str,
    spans: Vec<(Mark, Span)>,
    /// Where a span begins or ends, in order.
    ends: Vec<usize>,
}

impl<'a> Marked<'a> {
    pub(super) fn new(response: &'a str, marks: &[(Mark, &Evidence)]) -> Marked<'a> {
        let spans: Vec<(Mark, Span)> = marks
            .iter()
            .filter_map(|(mark, evidence)| Some((*mark, evidence.span_in(response)?)))
            .filter(|(_, span)| span.start < span.end)
            .collect();
        let mut ends: Vec<usize> = spans.iter().flat_map(|(_, span)| [span.start, span.end]).collect();
        ends.sort_unstable();
        ends.dedup();
        Marked { response, spans, ends }
    }

    /// The text of a span, split where a mark begins or ends.
    pub(super) fn parts(&self, span: Span) -> Vec<Part> {
        let first = self.ends.partition_point(|end| *end <= span.start);
        let inside = self.ends[first..].iter().copied().take_while(|end| *end < span.end);
        let mut cuts: Vec<usize> = std::iter::once(span.start).chain(inside).chain([span.end]).collect();
        cuts.dedup();
        let part = |pair: &[usize]| {
            let here = Span::new(pair[0], pair[1]);
            Part { text: shown(&self.response[here.start..here.end]), marks: self.over(here) }
        };
        cuts.windows(2).map(part).collect()
    }

    /// The marks that share a byte with a span.
    pub(super) fn over(&self, here: Span) -> Vec<Mark> {
        let over = |(_, span): &&(Mark, Span)| span.start < here.end && here.start < span.end;
        let mut marks: Vec<Mark> = self.spans.iter().filter(over).map(|(mark, _)| *mark).collect();
        marks.dedup();
        marks
    }
}

/// A text in which all characters but tabs and ends of lines are visible.
pub(super) fn shown(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if matches!(c, '\t' | '\n') { c } else { visible(c) }).collect()
}
