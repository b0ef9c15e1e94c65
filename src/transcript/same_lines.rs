//! A text as what differs from another: the page before is most often the page after, without a few lines.

use crate::text::changed;

/// A text whose first and last lines are those of another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SameLines<'a> {
    /// How many of its first lines are the other text's first ones.
    pub(super) same_start: usize,
    /// The lines between; `None` if there are none.
    pub(super) changed: Option<&'a str>,
    /// How many of its last lines are the other text's last ones.
    pub(super) same_end: usize,
}

impl<'a> SameLines<'a> {
    /// `text` as what differs from `other`.
    pub(super) fn of(text: &'a str, other: &str) -> SameLines<'a> {
        let (lines, others): (Vec<_>, Vec<_>) = (text.split('\n').collect(), other.split('\n').collect());
        let (between, _) = changed(&lines, &others);
        let (same_start, same_end) = (between.start, lines.len() - between.end);
        let start = lines[..same_start].iter().map(|line| line.len() + 1).sum();
        let end: usize = lines[lines.len() - same_end..].iter().map(|line| line.len() + 1).sum();
        let is_changed = same_start + same_end < lines.len();
        // The line break before the last lines is not part of them.
        let changed = is_changed.then(|| &text[start..text.len() - end]);
        SameLines { same_start, changed, same_end }
    }

    /// The text, from the one that it was compared with; `None` if that has fewer lines.
    pub(super) fn text(&self, other: &str) -> Option<String> {
        let lines: Vec<_> = other.split('\n').collect();
        let (first, last) = (lines.get(..self.same_start)?, lines.len().checked_sub(self.same_end)?);
        // A line is used once, so no text becomes longer than what its file has.
        let last = lines.get(last..).filter(|_| last >= self.same_start)?;
        let parts: Vec<_> = first.iter().copied().chain(self.changed).chain(last.iter().copied()).collect();
        Some(parts.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_differs_is_kept() {
        let check = |text, other, same_start, changed, same_end| {
            let found = SameLines::of(text, other);
            assert_eq!(found, SameLines { same_start, changed, same_end }, "{text:?} {other:?}");
            assert_eq!(found.text(other).as_deref(), Some(text));
        };
        check("a\nb", "a\nb", 2, None, 0);
        check("a\nb", "a\nnew\nb", 1, None, 1);
        check("a\nold\nb", "a\nb", 1, Some("old"), 1);
        check("x\ny", "a", 0, Some("x\ny"), 0);
        check("", "a", 0, Some(""), 0);
        check("a\n", "a", 1, Some(""), 0);
        check("", "", 1, None, 0);
        check("a\na", "a", 1, Some("a"), 0);
    }

    #[test]
    fn lines_that_are_not_there_are_refused() {
        for (same_start, same_end) in [(3, 0), (0, 3), (1, 2), (usize::MAX, 1), (1, usize::MAX)] {
            assert_eq!(SameLines { same_start, changed: None, same_end }.text("a\nb"), None, "{same_start} {same_end}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_as_it_was(text in "[ab\n]{0,20}", other in "[ab\n]{0,20}") {
            let found = SameLines::of(&text, &other);
            prop_assert_eq!(found.text(&other), Some(text.clone()));
        }
    }
}
