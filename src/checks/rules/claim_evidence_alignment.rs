//! `claim_evidence_alignment`: the response makes a claim, names evidence, and links the claim to the evidence.

use crate::checks::judged::Decision;
use crate::checks::search::first_match;
use crate::checks::{Judged, message};
use crate::pattern::Budget;

/// The names of the three patterns, in order.
const MARKERS: [&str; 3] = ["claim", "evidence", "alignment"];

pub(crate) fn check(judged: &Judged<'_>, patterns: [&str; 3], budget: &Budget) -> Decision {
    let mut decision = Decision::passed("claim, evidence and alignment are present");
    for (pattern, marker) in patterns.into_iter().zip(MARKERS) {
        match first_match(&judged.response, pattern, budget) {
            Ok(Some(span)) => decision = decision.with([judged.response.evidence(span)]),
            Ok(None) => {
                let message = format!("no line matches the {marker} marker {}", message::quoted(pattern));
                return Decision::failed(message).with(decision.evidence);
            }
            Err(trouble) => return trouble.decision().with(decision.evidence),
        }
    }
    decision
}
