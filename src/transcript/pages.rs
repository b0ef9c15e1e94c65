//! A text as what differs from another: the page before is most often the page after, without a few lines.

use std::collections::BTreeMap;

use crate::config::{Config, ResponseFrom};
use crate::text::changed;

/// A form that is longer than this, in bytes, is kept only if it is the response.
const LONGEST_FORM: usize = 1 << 20;

/// What a browser target saw of a turn, in every form that a response can be made of.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Pages {
    /// The form that the transcript's response has.
    pub(crate) form: ResponseFrom,
    /// Whether the response is that of [`part`](Self::part) rather than of the page.
    pub(crate) of_part: bool,
    /// The version of Playwright that made the ARIA snapshots.
    pub(crate) playwright: Option<String>,
    /// The page before the prompt was typed.
    pub(crate) before: Forms,
    /// The page when the assistant had answered.
    pub(crate) after: Forms,
    /// The text that is new between the two, without the prompt.
    pub(crate) reply: Option<String>,
    /// The part of the page that `response_selector` found.
    pub(crate) part: Option<Part>,
}

/// A part of the page when the assistant had answered.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct Part {
    /// The CSS selector that found it.
    pub(crate) selector: String,
    /// The part.
    pub(crate) after: Forms,
    /// The text in it that is new.
    pub(crate) reply: Option<String>,
}

/// A page in three forms; one that was not kept is `None`.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct Forms {
    /// agent-browser's accessibility snapshot.
    pub(crate) snapshot: Option<String>,
    /// Playwright's ARIA snapshot.
    pub(crate) aria: Option<String>,
    /// The text that people read.
    pub(crate) text: Option<String>,
}

/// Why a transcript's response cannot be had in another form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// It was not kept.
    #[error("the transcript does not have the response in the form `{0}`; record the case again")]
    Form(&'static str),
    /// Another part of the page was kept.
    #[error("the transcript does not have the part of the page that `response_selector` names; record the case again")]
    Part,
}

/// The forms in which a configuration wants responses, by the targets that have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted(BTreeMap<String, (ResponseFrom, Option<String>)>);

impl Wanted {
    /// Those of a configuration.
    pub(crate) fn by(config: &Config) -> Wanted {
        let wanted = config.targets.iter().filter_map(|(name, target)| {
            let browser = target.browser()?;
            Some((name.clone(), (browser.response, browser.response_selector.clone())))
        });
        Wanted(wanted.collect())
    }

    /// The form for a target, and the selector of the part of the page.
    pub(super) fn of_target(&self, name: &str) -> Option<(ResponseFrom, Option<&str>)> {
        self.0.get(name).map(|(form, selector)| (*form, selector.as_deref()))
    }
}

impl Pages {
    /// The response in another form: that of the page, or of the part that `selector` finds.
    ///
    /// # Errors
    /// If the turn's record does not have it.
    pub(crate) fn response(&self, form: ResponseFrom, selector: Option<&str>) -> Result<&str, NotKept> {
        let (after, reply) = match (selector, &self.part) {
            (None, _) => (&self.after, &self.reply),
            (Some(selector), Some(part)) if part.selector == selector => (&part.after, &part.reply),
            (Some(_), _) => return Err(NotKept::Part),
        };
        let kept = if form == ResponseFrom::Reply { reply } else { after.get(form) };
        kept.as_deref().ok_or(NotKept::Form(form.word()))
    }

    /// The record without forms that are too long to keep.
    #[must_use]
    pub(crate) fn bounded(mut self) -> Pages {
        let part = self.part.iter_mut().flat_map(|part| part.after.all_mut().into_iter().chain([&mut part.reply]));
        let page = self.before.all_mut().into_iter().chain(self.after.all_mut()).chain([&mut self.reply]);
        for form in page.chain(part) {
            form.take_if(|text| text.len() > LONGEST_FORM);
        }
        self
    }

    /// The place of the form that the response has.
    pub(super) fn place_mut(&mut self) -> &mut Option<String> {
        let (after, reply) = match &mut self.part {
            Some(part) if self.of_part => (&mut part.after, &mut part.reply),
            _ => (&mut self.after, &mut self.reply),
        };
        match self.form {
            ResponseFrom::Snapshot => &mut after.snapshot,
            ResponseFrom::Aria => &mut after.aria,
            ResponseFrom::Text => &mut after.text,
            ResponseFrom::Reply => reply,
        }
    }
}

impl Forms {
    /// The forms' words, in the order of a transcript's keys.
    pub(super) const WORDS: [&str; 3] = ["snapshot", "aria", "text"];

    /// A form of the page; a reply is not one.
    pub(crate) fn get(&self, form: ResponseFrom) -> &Option<String> {
        match form {
            ResponseFrom::Snapshot => &self.snapshot,
            ResponseFrom::Aria => &self.aria,
            ResponseFrom::Text => &self.text,
            ResponseFrom::Reply => &None,
        }
    }

    pub(super) fn all(&self) -> [&Option<String>; 3] {
        [&self.snapshot, &self.aria, &self.text]
    }

    pub(super) fn all_mut(&mut self) -> [&mut Option<String>; 3] {
        [&mut self.snapshot, &mut self.aria, &mut self.text]
    }
}

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
