use std::borrow::Cow;

use memchr::memmem;

use crate::config::Reading;
use crate::pattern::Budget;
use crate::text::fold;

use super::Response;
use super::reading::{plain_characters, plain_pattern, plain_phrase};

/// A text in each form in which *says* compares it, to compare it with other texts of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Said<'a> {
    /// The text.
    pub(crate) text: Cow<'a, str>,
    /// As *says* compares it.
    folded: Cow<'a, str>,
    /// The text in a reading, and as *says* compares that, if answers are searched in their reading.
    plain: Option<(String, String)>,
}

impl<'a> Said<'a> {
    /// A phrase or a value, which is read before it is looked for in a reading.
    pub(crate) fn phrase(text: &'a str, reading: Reading) -> Said<'a> {
        Said::new(text, reading, plain_phrase)
    }

    /// A literal text of a pattern: in a reading, its quotes, dashes and spaces are others, and its marks stay.
    pub(crate) fn of_pattern(text: &str, reading: Reading) -> Said<'static> {
        let said = Said::new(text, reading, plain_characters);
        Said { text: said.text.into_owned().into(), folded: said.folded.into_owned().into(), plain: said.plain }
    }

    fn new(text: &'a str, reading: Reading, read: fn(&str) -> String) -> Said<'a> {
        let plain = (reading == Reading::Plain).then(|| read(text));
        let plain = plain.map(|plain| (plain.clone(), fold(&plain).into_owned()));
        Said { text: text.into(), folded: fold(text), plain }
    }

    /// Whether it shows nothing: `blank-entry` reports such a phrase.
    pub(crate) fn is_blank(&self) -> bool {
        self.folded.trim().is_empty()
    }

    /// Whether each answer that has this text also says the phrase, in whichever form. A blank phrase is in nothing.
    pub(crate) fn has(&self, phrase: &Said<'_>) -> bool {
        !phrase.is_blank() && self.has_text(phrase)
    }

    /// Whether it has another text in each form, ignoring case.
    pub(crate) fn has_text(&self, other: &Said<'_>) -> bool {
        let is_in = |part: &str, text: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
        let plain = self.plain.as_ref().zip(other.plain.as_ref());
        is_in(&other.folded, &self.folded) && plain.is_none_or(|((_, text), (_, part))| is_in(part, text))
    }

    /// Whether a line of it matches the pattern, in each form.
    pub(crate) fn is_matched_by(&self, pattern: &str, budget: &Budget) -> bool {
        let is_in = |pattern: &str, text: &str| Response::of_text(text, Reading::Written).matches(pattern, budget);
        is_in(pattern, &self.text) && self.plain.as_ref().is_none_or(|(text, _)| is_in(&plain_pattern(pattern), text))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const READINGS: [Reading; 2] = [Reading::Written, Reading::Plain];

    #[test]
    fn a_phrase_is_in_what_says_it() {
        let table = [
            ("It is Booked now", "booked", [true, true]),
            ("cafe\u{301}", "caf\u{e9}", [true, true]),
            ("is booked", "\u{200b}", [false, false]),
            ("\u{200b}", "\u{feff}", [false, false]),
            ("is booked", " ", [false, false]),
            ("**Total:** 12", "**Total", [true, false]),
            ("**Total:** 12", "total: 12", [false, false]),
            ("**Total:** 12", "total:", [true, true]),
            ("it’s 12", "it's", [false, false]),
            ("it’s 12", "12", [true, true]),
            ("12 – 14", "12 - 14", [false, false]),
        ];
        for (text, phrase, expected) in table {
            let has = READINGS.map(|reading| Said::phrase(text, reading).has(&Said::phrase(phrase, reading)));
            assert_eq!(has, expected, "{phrase:?} in {text:?}");
        }
    }

    fn text(longest: usize) -> impl Strategy<Value = String> {
        let parts = [
            "a", "b", "A", " ", "  ", "\n", "\r\n", "**", "*", "_", "`", "[", "](", ")", "|", ": ", "’", "'", "–", "-",
            "\u{a0}", "\u{200b}", "\u{ad}", "e\u{301}", "\u{e9}", "e", "<http", ">", "```", "12",
        ];
        proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..longest).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn who_says_a_text_says_what_is_in_it(
            (phrase, around) in (text(4), (text(3), text(3))), answers in proptest::collection::vec((text(5), text(5)), 8)
        ) {
            let whole = format!("{}{phrase}{}", around.0, around.1);
            for reading in READINGS {
                if !Said::phrase(&whole, reading).has(&Said::phrase(&phrase, reading)) {
                    continue;
                }
                for (before, after) in &answers {
                    let text = format!("{before}{whole}{after}");
                    let answer = Response::of_text(&text, reading);
                    if answer.says(&whole).is_some() {
                        prop_assert!(answer.says(&phrase).is_some(), "{whole:?} without {phrase:?} in {text:?}, {reading:?}");
                    }
                }
            }
        }
    }
}
