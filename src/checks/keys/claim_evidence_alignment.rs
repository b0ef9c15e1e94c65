//! `claim_evidence_alignment`: the response makes a claim, names evidence, and links the claim to the evidence.

use super::rule::*;
use crate::checks::search::first_match;
use crate::pattern::Case;
use crate::suite::{ALIGNMENT_MARKER_REGEX, CLAIM_MARKER_REGEX, EVIDENCE_MARKER_REGEX};

/// The patterns of the three markers.
#[derive(Debug)]
struct Alignment<'a>([&'a str; 3]);

/// The names of the markers.
const MARKERS: [&str; 3] = ["claim", "evidence", "alignment"];

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    if let Some(field) = expected.claim_evidence_alignment.as_ref().filter(|field| field.value) {
        let rule = Alignment([
            pattern_or(&expected.claim_marker_regex, CLAIM_MARKER_REGEX),
            pattern_or(&expected.evidence_marker_regex, EVIDENCE_MARKER_REGEX),
            pattern_or(&expected.alignment_marker_regex, ALIGNMENT_MARKER_REGEX),
        ]);
        asked.add("claim_evidence_alignment", field.span, "morning_brief:claim_evidence_alignment", rule);
    }
}

impl<'a> Rule<'a> for Alignment<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let response = &view.judged.response;
        let mut decision = Decision::passed("claim, evidence and alignment are present");
        for (pattern, marker) in self.0.into_iter().zip(MARKERS) {
            match first_match(response, pattern, view.budget) {
                Ok(Some(span)) => decision = decision.with([response.evidence(span)]),
                Ok(None) => {
                    let message = format!("no line matches the {marker} marker {}", quoted(pattern));
                    return Decision::failed(message).with(decision.evidence);
                }
                Err(trouble) => return trouble.decision().with(decision.evidence),
            }
        }
        decision
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        self.0.iter().find_map(|pattern| nearest::prefix_match(view.judged, pattern, Case::Ignored))
    }

    fn patterns(&self) -> Vec<&'a str> {
        self.0.to_vec()
    }
}
