//! `required_levers`: the response offers at least this number of levers.

use crate::checks::Judged;
use crate::checks::judged::Decision;
use crate::checks::search::every_match;
use crate::pattern::Budget;
use crate::text::counted;

/// The number of levers in the evidence. A brief has three to five.
const SHOWN: usize = 10;

pub(crate) fn check(judged: &Judged<'_>, at_least: f64, pattern: &str, budget: &Budget) -> Decision {
    let mut count = 0_usize;
    let mut shown = Vec::new();
    let searched = every_match(&judged.response, pattern, budget, |span| {
        count += 1;
        if count <= SHOWN {
            shown.push(judged.response.evidence(span));
        }
    });
    if let Err(trouble) = searched {
        return trouble.decision();
    }
    let enough = count as f64 >= at_least;
    let message = format!("{}, of at least {at_least}", counted(count, "lever"));
    (if enough { Decision::passed(message) } else { Decision::failed(message) }).with(shown)
}
