//! Notes on challenges: after checks that are worth nothing, and after the id of a case that passes a challenge.

use crate::analysis::challenges::{case_label, check_label};
use crate::challenge::CaseChallenges;
use crate::config::ChallengeConfig;
use crate::suite::PlacedCase;

use super::{HintSubject, InlayHint, Place, place};

/// The notes on one case of `text`.
pub(super) fn hints(
    text: &str,
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
        let label = check_label(check)?;
        let Place { offset, name } = place(text, placed.absolute(check.span), placed.span().end);
        let label = name.map_or_else(|| label.to_owned(), |name| format!("{name} {label}"));
        Some(InlayHint { offset, label, subject: HintSubject::ChallengedCheck { case: index, check: number } })
    });
    of_case.into_iter().chain(of_checks).collect()
}
