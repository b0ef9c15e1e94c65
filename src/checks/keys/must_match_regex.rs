//! `must_match_regex`: a line of the response matches each of these patterns.

use super::rule::*;
use crate::pattern::{self, Case};

#[derive(Debug)]
struct MustMatch<'a>(&'a str, Span);

pub(super) fn ask(asked: &mut Asked<'_>) {
    let list = &asked.expected().must_match_regex;
    asked.each("must_match_regex", "format:must_match_regex:", list, |it| MustMatch(&it.value, it.span));
}

/// The condition that a line matches the pattern.
pub(crate) fn must_match(pattern: &str) -> impl Rule<'_> {
    MustMatch(pattern, Span::empty(0))
}

impl<'a> Rule<'a> for MustMatch<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        view.line_matches(self.0, Decision::passed, Decision::failed)
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        nearest::prefix_match(view.judged, self.0, Case::Ignored)
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some("Passes if a line of the response matches this pattern.".to_owned())
    }

    fn claim(&self, _: Sources<'_, 'a>) -> Option<Claim<'a>> {
        Some(Claim::new(self.0, Condition::Matches(self.0)))
    }

    fn propose(&self, answered: &Answered<'_>) -> Vec<Proposal> {
        let proposal = |near| Proposal::replace("the pattern", near, self.1, encode(&pattern_of(near, self.0)));
        answered.near.map_or_else(Vec::new, proposal)
    }
}

/// The pattern that finds the text. Where the pattern `before` has a class of digits, numbers stay open.
fn pattern_of(text: &str, before: &str) -> String {
    if !["\\d", "0-9", "[:digit:]"].iter().any(|class| before.contains(class)) {
        return pattern::escape(text);
    }
    let is_digit = |char: char| char.is_ascii_digit();
    let mut pattern = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let words = rest.find(is_digit).unwrap_or(rest.len());
        pattern += &pattern::escape(&rest[..words]);
        let number = &rest[words..];
        rest = number.trim_start_matches(is_digit);
        if rest.len() < number.len() {
            pattern += "[0-9]+";
        }
    }
    pattern
}
