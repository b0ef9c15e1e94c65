//! A text with edits made, and the way back from its places to those of the text before.

use crate::text::Span;

/// Where edits end in an edited text.
#[derive(Clone, Debug, Default)]
pub(super) struct Edited {
    /// The end of each edit in the edited text, in order, and the bytes that all edits up to there have added.
    ends: Vec<(usize, isize)>,
}

impl Edited {
    /// The text after edits, which are in order and apart.
    pub(super) fn of<'e>(text: &str, edits: impl IntoIterator<Item = &'e (Span, String)>) -> (String, Edited) {
        let mut edited = String::with_capacity(text.len() + 16);
        let mut ends = Vec::new();
        let mut at = 0;
        for (span, with) in edits.into_iter().filter(|(span, _)| span.end <= text.len()) {
            edited.push_str(text.get(at..span.start).unwrap_or_default());
            edited.push_str(with);
            at = at.max(span.end);
            ends.push((edited.len(), edited.len() as isize - at as isize));
        }
        edited.push_str(&text[at..]);
        (edited, Edited { ends })
    }

    /// The span in the text before all edits. What an edit inserted is at its end.
    pub(super) fn original(&self, span: Span) -> Span {
        let start = self.place(span.start, |end| end <= span.start);
        // An edit that starts where the span ends is not within it.
        Span::new(start, if span.is_empty() { start } else { self.place(span.end, |end| end < span.end).max(start) })
    }

    /// The place before the edits of a place that is after the edits with such an end.
    fn place(&self, at: usize, is_before: impl Fn(usize) -> bool) -> usize {
        let next = self.ends.partition_point(|(end, _)| is_before(*end));
        let added = next.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let back = at.saturating_add_signed(-added);
        self.ends.get(next).map_or(back, |(end, added)| back.min(end.saturating_add_signed(-added)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_before() {
        let edits = [(Span::empty(2), "XYZ".to_owned()), (Span::new(3, 5), String::new())];
        let (text, edited) = Edited::of("ab cd ef", &edits);
        assert_eq!(text, "abXYZ  ef");
        for (place, before) in [(0, 0), (2, 2), (4, 2), (5, 2), (6, 5), (7, 6), (9, 8)] {
            assert_eq!(edited.original(Span::empty(place)), Span::empty(before), "{place}");
        }
        assert_eq!(edited.original(Span::new(0, 2)), Span::new(0, 2));
    }
}
