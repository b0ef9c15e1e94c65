//! `must_not_match_regex`: no line of the response matches this pattern. One that does not compile fails here too: it
//! cannot say that there is no match.

use crate::pattern::Budget;

use super::check::Answer;
use super::search::first_match;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Answer {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => wording::matched(judged, pattern, span, Answer::failed),
        Ok(None) => Answer::passed(format!("no line matches {}", wording::quoted(pattern))),
        Err(trouble) => trouble.answer(),
    }
}
