use std::collections::BTreeMap;

use crate::config::{Config, ResponseFrom};

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
