use std::borrow::Cow;
use std::sync::Arc;

use memchr::memmem;

use crate::config::Reading;
use crate::diagnostic::quoted;
use crate::pattern::{Budget, Case, OverBudget, Pattern, PatternError, compile_cached};
use crate::text::{Span, fold};

use super::Response;
use super::judged::Decision;
use super::reading::{plain_characters, plain_pattern, plain_phrase};

/// Why a search with a pattern has no result.
pub(super) enum Trouble<'p> {
    /// The pattern does not compile.
    Malformed { pattern: &'p str, error: PatternError },
    /// The pattern exceeded its budget on this line, counted from 1.
    OverBudget { pattern: &'p str, line: usize, over: OverBudget },
}

/// `matches`: the first match of `pattern` within a line, ignoring case. In a plain reading, the pattern is looked for there, too.
pub(super) fn first_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    let compiled = compile(pattern, Case::Ignored)?;
    if let Some(found) = first_of(response, pattern, &compiled, budget)? {
        return Ok(Some(found));
    }
    let Some(((plain, text), read)) = response.plain().zip(plain_pattern(pattern)) else { return Ok(None) };
    let found = first_of(text, pattern, &compiled_plain(&read, Case::Ignored, compiled), budget)?;
    Ok(found.map(|span| plain.original(span)))
}

/// The first match within a line, or else in the text with the escaped characters of a snapshot.
fn first_of<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    if let Some(found) = first_in_lines(response, pattern, compiled, budget)? {
        return Ok(Some(found));
    }
    let mut trouble = None;
    let found = response.in_unescaped(|text| {
        first_in_lines(text, pattern, compiled, budget).unwrap_or_else(|fault| {
            trouble = Some(fault);
            None
        })
    });
    trouble.map_or(Ok(found), Err)
}

fn first_in_lines<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    for (number, (start, line)) in response.lines().enumerate() {
        let found = compiled.find(line, 0, budget);
        let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
        if let Some(span) = found {
            return Ok(Some(span.shifted_by(start)));
        }
    }
    Ok(None)
}

/// Every match of `pattern` on every line, except for empty matches. Case matters, unless the pattern turns that off. In a
/// plain reading, the matches there are taken if there are more.
pub(super) fn every_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
) -> Result<Vec<Span>, Trouble<'p>> {
    let compiled = compile(pattern, Case::Matters)?;
    let mut matches = all_in_lines(response, pattern, &compiled, budget)?;
    if let Some(((plain, text), read)) = response.plain().zip(plain_pattern(pattern)) {
        let read = all_in_lines(text, pattern, &compiled_plain(&read, Case::Matters, compiled), budget)?;
        if read.len() > matches.len() {
            matches = read.into_iter().map(|span| plain.original(span)).collect();
        }
    }
    Ok(matches)
}

fn all_in_lines<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Vec<Span>, Trouble<'p>> {
    let mut matches = Vec::new();
    for (number, (start, line)) in response.lines().enumerate() {
        for found in compiled.matches(line, budget) {
            let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
            matches.push(found.shifted_by(start));
        }
    }
    Ok(matches)
}

fn compile(pattern: &str, case: Case) -> Result<Arc<Pattern>, Trouble<'_>> {
    compile_cached(pattern, case).map_err(|error| Trouble::Malformed { pattern, error })
}

/// The pattern for a plain reading, which is `read` there; the pattern itself, which is `compiled`, if that does not compile.
fn compiled_plain(read: &str, case: Case, compiled: Arc<Pattern>) -> Arc<Pattern> {
    compile_cached(read, case).unwrap_or(compiled)
}

impl Trouble<'_> {
    /// The decision of a check whose search had no result.
    pub(super) fn decision(self) -> Decision {
        match self {
            Trouble::Malformed { pattern, error } => {
                let column = pattern[..error.span.start].chars().count() + 1;
                Decision::failed(format!(
                    "the pattern {} does not compile, at character {column}: {error}",
                    quoted(pattern)
                ))
            }
            Trouble::OverBudget { pattern, line, over } => {
                Decision::not_judged(format!("cannot judge {} on line {line}: {over}", quoted(pattern)))
            }
        }
    }
}

/// A text in each form in which *says* compares it, to compare it with other texts of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Said<'a> {
    /// The text.
    pub(crate) text: Cow<'a, str>,
    /// As *says* compares it.
    folded: Cow<'a, str>,
    /// The text in a reading, and as *says* compares that, if answers are searched for it in their reading.
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
        Said { text: said.text.into_owned().into(), folded: said.folded.into_owned().into(), ..said }
    }

    fn new(text: &'a str, reading: Reading, read: fn(&str) -> Option<String>) -> Said<'a> {
        let plain = Some(text).filter(|_| reading == Reading::Plain).and_then(read);
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
        // Where an answer has this text only in its reading, it need not have signs as they are written.
        let in_reading = |(_, text): &(String, String)| other.plain.as_ref().is_some_and(|(_, part)| is_in(part, text));
        is_in(&other.folded, &self.folded) && self.plain.as_ref().is_none_or(in_reading)
    }

    /// Whether a line of it matches the pattern, in each form.
    pub(crate) fn is_matched_by(&self, pattern: &str, budget: &Budget) -> bool {
        let is_in = |pattern: &str, text: &str| Response::of_text(text, Reading::Written).matches(pattern, budget);
        let in_reading =
            |(text, _): &(String, String)| plain_pattern(pattern).is_some_and(|pattern| is_in(&pattern, text));
        is_in(pattern, &self.text) && self.plain.as_ref().is_none_or(in_reading)
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
