//! `must_not_match_regex`: no line of the response matches this pattern. A pattern that does not compile fails here too: it
//! cannot show that there is no match.

use crate::checks::judged::Decision;
use crate::checks::search::first_match;
use crate::checks::{Judged, message};
use crate::pattern::Budget;

pub(crate) fn check(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Decision {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => message::matched(judged, pattern, span, Decision::failed),
        Ok(None) => Decision::passed(format!("no line matches {}", message::quoted(pattern))),
        Err(trouble) => trouble.decision(),
    }
}
