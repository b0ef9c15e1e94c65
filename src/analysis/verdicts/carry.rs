//! Finds the elements of a judged text in a later text of the same case that cannot be parsed as a whole.

use std::collections::HashMap;

use crate::checks::CheckResult;
use crate::suite::{Case, expectations};
use crate::text::{Span, changed};

/// Returns the span of each check's element in `new`; `None` if it is gone. `case` is the readable part of `new`.
pub(super) fn spans<'c>(
    old: &str,
    checks: impl Iterator<Item = &'c CheckResult>,
    new: &str,
    case: &Case,
) -> Vec<Option<Span>> {
    let edits = Edits::between(old, new);
    let mut by_id: HashMap<String, Vec<Span>> = HashMap::new();
    for asked in expectations(case) {
        by_id.entry(asked.id).or_default().push(asked.span);
    }
    checks
        .map(|check| edits.moved(check.span).or_else(|| by_id.get(&check.id)?.first().copied()))
        .map(|span| span.filter(|span| span.end <= new.len()))
        .collect()
}

/// The edit between two texts, in the last and in the first of its possible places.
struct Edits<'t> {
    old: &'t str,
    new: &'t str,
    last: Edit,
    first: Edit,
}

impl<'t> Edits<'t> {
    fn between(old: &'t str, new: &'t str) -> Self {
        let last = Edit::between(old, new);
        let first = last.slid_back(old, new);
        Edits { old, new, last, first }
    }

    /// Returns the span after the edit, in the place that leaves its text unchanged, if there is one.
    fn moved(&self, span: Span) -> Option<Span> {
        let is_same = |after: &Span| self.old.get(span.range()) == self.new.get(after.range());
        let unchanged = [&self.last, &self.first].into_iter().find_map(|edit| edit.moved(span).filter(is_same));
        unchanged.or_else(|| self.last.moved(span))
    }
}

/// The difference between two texts: the bytes from `start` to `old_end` became the bytes from `start` to `new_end`.
struct Edit {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Edit {
    fn between(old: &str, new: &str) -> Edit {
        let (before, after) = changed(old.as_bytes(), new.as_bytes());
        Edit { start: before.start, old_end: before.end, new_end: after.end }
    }

    /// Returns the same edit in its first possible place. For example, if a quote is doubled, either of the two may be
    /// the new one.
    fn slid_back(&self, old: &str, new: &str) -> Edit {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let Edit { mut start, mut old_end, mut new_end } = *self;
        let (text, mut end) = if start == old_end { (new, new_end) } else { (old, old_end) };
        let is_one_sided = start == old_end || start == new_end;
        while is_one_sided && start > 0 && text[start - 1] == text[end - 1] {
            (start, old_end, new_end, end) = (start - 1, old_end - 1, new_end - 1, end - 1);
        }
        Edit { start, old_end, new_end }
    }

    /// Returns the span after the edit: before, after or around the edit; `None` if the edit cuts it.
    fn moved(&self, span: Span) -> Option<Span> {
        let behind = |offset: usize| offset - self.old_end + self.new_end;
        if span.end <= self.start {
            Some(span)
        } else if self.old_end <= span.start {
            Some(Span::new(behind(span.start), behind(span.end)))
        } else if span.start < self.start && self.old_end < span.end {
            Some(Span::new(span.start, behind(span.end)))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_keeps_its_text_if_a_character_beside_it_is_doubled_or_removed() {
        for (old, new, start) in [
            (r#"[""a"]"#, r#"["a"]"#, 1),
            (r#"["a""]"#, r#"["a"]"#, 1),
            (r#"["a"]"#, r#"[""a"]"#, 2),
            (r#"["a"]"#, r#"["a""]"#, 1),
        ] {
            let before = old.find(r#""a""#).unwrap();
            let after = Edits::between(old, new).moved(Span::new(before, before + 3));
            assert_eq!(after, Some(Span::new(start, start + 3)), "{old} → {new}");
        }
    }

    #[test]
    fn an_edit_slides_back_over_repeated_text() {
        let slid = |old: &str, new: &str| {
            let edit = Edit::between(old, new).slid_back(old, new);
            (edit.start, edit.old_end, edit.new_end)
        };
        assert_eq!(slid("xaay", "xay"), (1, 2, 1));
        assert_eq!(slid("xay", "xaay"), (1, 1, 2));
        assert_eq!(slid("xababy", "xaby"), (1, 3, 1));
        // A replacement has only one place.
        assert_eq!(slid("xaby", "xcdy"), (1, 3, 3));
    }
}
