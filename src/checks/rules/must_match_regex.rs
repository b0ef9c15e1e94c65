//! `must_match_regex`: some line of the response matches this pattern.

use crate::checks::judged::Decision;
use crate::checks::search::first_match;
use crate::checks::{Judged, message};
use crate::pattern::Budget;

pub(crate) fn check(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Decision {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => message::matched(judged, pattern, span, Decision::passed),
        Ok(None) => Decision::failed(format!("no line matches {}", message::quoted(pattern))),
        Err(trouble) => trouble.decision(),
    }
}
