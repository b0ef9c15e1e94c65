//! Verdicts: of the case behind its id, and of each check behind the text that asks.

use std::time::SystemTime;

use super::{HintSubject, InlayHint};
use crate::analysis::verdicts::CaseVerdict;
use crate::analysis::verdicts::labels::{case_label, check_label};
use crate::suite::PlacedCase;
use crate::text::Span;

/// The notes on one case.
pub(super) fn hints(index: usize, placed: &PlacedCase, verdict: &CaseVerdict, now: SystemTime) -> Vec<InlayHint> {
    let behind = |span: Span, label: String, subject: HintSubject| InlayHint {
        offset: placed.absolute(span).end,
        label,
        subject,
    };
    let id = placed.case.id.as_ref();
    let of_case = id.map(|id| behind(id.span, case_label(verdict, now), HintSubject::Case(index)));
    // An outcome that nobody wrote down asks for nothing, and has no text to stand behind.
    let implied = placed.case.expected.outcome.is_none().then_some("outcome");
    let asked = verdict.checks().enumerate().filter(|(_, check)| Some(check.field) != implied);
    let of_checks = asked.filter_map(|(number, check)| {
        Some(behind(check.span?, check_label(&check), HintSubject::Check { case: index, check: number }))
    });
    of_case.into_iter().chain(of_checks).collect()
}
