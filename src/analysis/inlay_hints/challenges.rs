//! Notes on challenges: after checks that are worth nothing, and after the id of a case that passes a challenge.

use super::{HintSubject, InlayHint};
use crate::analysis::challenges::{case_label, check_label};
use crate::challenge::CaseChallenges;
use crate::config::ChallengeConfig;
use crate::suite::PlacedCase;

/// The notes on one case.
pub(super) fn hints(
    index: usize,
    placed: &PlacedCase,
    judged: &CaseChallenges,
    config: &ChallengeConfig,
) -> Vec<InlayHint> {
    let of_case = placed.case.id.as_ref().and_then(|id| {
        let label = case_label(&id.value, judged, config)?;
        Some(InlayHint { offset: placed.absolute(id.span).end, label, subject: HintSubject::ChallengedCase(index) })
    });
    let of_checks = judged.checks.iter().enumerate().filter_map(|(number, check)| {
        let offset = placed.absolute(check.span).end;
        let subject = HintSubject::ChallengedCheck { case: index, check: number };
        check_label(check).map(|label| InlayHint { offset, label: label.to_owned(), subject })
    });
    of_case.into_iter().chain(of_checks).collect()
}
