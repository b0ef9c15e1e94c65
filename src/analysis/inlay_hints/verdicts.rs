//! Notes on verdicts: of the case after its id, and of each check after its text.

use std::time::SystemTime;

use super::{HintSubject, InlayHint};
use crate::analysis::verdicts::labels::{case_label, check_label};
use crate::analysis::verdicts::{JudgedCase, SinceBaseline};
use crate::checks::CheckOutcome;
use crate::suite::PlacedCase;
use crate::text::Span;

/// The notes on one case: on all checks, or only on those that did not pass.
pub(super) fn hints(
    index: usize,
    placed: &PlacedCase,
    verdict: &JudgedCase,
    since: Option<&SinceBaseline<'_>>,
    now: SystemTime,
    all: bool,
) -> Vec<InlayHint> {
    let hint = |span: Span, label: String, subject: HintSubject| InlayHint {
        offset: placed.absolute(span).end,
        label,
        subject,
    };
    let id = placed.case.id.as_ref();
    let of_case = id.map(|id| hint(id.span, case_label(verdict, now), HintSubject::Case(index)));
    // An implied outcome has no text to put a note after.
    let implied = placed.case.expected.outcome.is_none().then_some("outcome");
    let written = verdict.checks().enumerate().filter(|(_, check)| Some(check.field) != implied);
    let written = written.filter(|(_, check)| all || check.result.outcome != CheckOutcome::Passed);
    let of_checks = written.filter_map(|(number, check)| {
        let mut label = check_label(&check);
        if since.is_some_and(|since| since.has_regressed(&check.result.id)) {
            label.push_str(" · passed in the baseline");
        }
        Some(hint(check.span?, label, HintSubject::Check { case: index, check: number }))
    });
    of_case.into_iter().chain(of_checks).collect()
}
