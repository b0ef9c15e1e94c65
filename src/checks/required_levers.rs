//! `required_levers`: the response offers so many levers.

use crate::pattern::Budget;

use super::check::Answer;
use super::search::every_match;
use super::{Judged, wording};

/// How many of them are shown as evidence.
const SHOWN: usize = 10;

pub(super) fn check(judged: &Judged<'_>, at_least: f64, pattern: &str, budget: &Budget) -> Answer {
    let mut count = 0_usize;
    let mut shown = Vec::new();
    let searched = every_match(&judged.response, pattern, budget, |span| {
        count += 1;
        if count <= SHOWN {
            shown.push(judged.response.evidence(span));
        }
    });
    if let Err(trouble) = searched {
        return trouble.answer();
    }
    let enough = count as f64 >= at_least;
    let message = format!("{}, of at least {at_least}", wording::counted(count, "lever"));
    (if enough { Answer::passed(message) } else { Answer::failed(message) }).with(shown)
}
