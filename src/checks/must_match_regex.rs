//! `must_match_regex`: some line of the response matches this pattern.

use crate::pattern::Budget;

use super::check::Answer;
use super::search::first_match;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Answer {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => wording::matched(judged, pattern, span, Answer::passed),
        Ok(None) => Answer::failed(format!("no line matches {}", wording::quoted(pattern))),
        Err(trouble) => trouble.answer(),
    }
}
