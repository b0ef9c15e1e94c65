use std::borrow::Cow;

use memchr::memmem;

use crate::text::fold;

/// A text, and the same with its case folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said<'a> {
    /// The text.
    pub(crate) text: Cow<'a, str>,
    folded: Cow<'a, str>,
    is_blank: bool,
}

impl<'a> Said<'a> {
    /// The text, to compare it with others.
    pub(crate) fn new(text: &'a str) -> Said<'a> {
        Said { text: text.into(), folded: fold(text), is_blank: text.trim().is_empty() }
    }

    /// The same without a reference.
    pub(crate) fn into_owned(self) -> Said<'static> {
        Said { text: self.text.into_owned().into(), folded: self.folded.into_owned().into(), is_blank: self.is_blank }
    }

    /// Whether it has a phrase, ignoring case.
    pub(crate) fn has(&self, phrase: &Said<'_>) -> bool {
        phrase.folded.len() <= self.folded.len()
            && memmem::find(self.folded.as_bytes(), phrase.folded.as_bytes()).is_some()
    }

    /// Whether it has one of these phrases. Empty ones and white space do not count: `blank-entry` reports them.
    pub(crate) fn has_one(&self, phrases: &[Said<'_>]) -> bool {
        phrases.iter().any(|phrase| !phrase.is_blank && self.has(phrase))
    }

    /// The approximate memory in bytes.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Said<'_>>() + self.text.len() + self.folded.len()
    }
}
