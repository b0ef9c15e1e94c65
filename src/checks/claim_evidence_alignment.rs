//! `claim_evidence_alignment`: the response makes a claim, names evidence, and says how the one follows from the other.

use crate::pattern::Budget;

use super::check::Answer;
use super::search::first_match;
use super::{Judged, wording};

/// What the three patterns look for, in their order.
const MARKERS: [&str; 3] = ["claim", "evidence", "alignment"];

pub(super) fn check(judged: &Judged<'_>, patterns: [&str; 3], budget: &Budget) -> Answer {
    let mut answer = Answer::passed("claim, evidence and alignment are all there");
    for (pattern, marker) in patterns.into_iter().zip(MARKERS) {
        match first_match(&judged.response, pattern, budget) {
            Ok(Some(span)) => answer = answer.with([judged.response.evidence(span)]),
            Ok(None) => {
                let message = format!("no line matches the {marker} marker {}", wording::quoted(pattern));
                return Answer::failed(message).with(answer.evidence);
            }
            Err(trouble) => return trouble.answer().with(answer.evidence),
        }
    }
    answer
}
