//! Notes on verdicts: of the case after its id, and of each check after its text.

use std::time::SystemTime;

use super::place::{Place, place};
use super::{HintSubject, InlayHint};
use crate::analysis::verdicts::labels::{BY_PROMPT, PASSED, case_label, check_label};
use crate::analysis::verdicts::{JudgedCase, SinceBaseline};
use crate::checks::CheckOutcome;
use crate::suite::PlacedCase;

/// The notes on one case of `text`: on all checks, or only on those that did not pass.
pub(super) fn hints(
    text: &str,
    index: usize,
    placed: &PlacedCase,
    verdict: &JudgedCase,
    since: Option<&SinceBaseline<'_>>,
    now: SystemTime,
    all: bool,
) -> Vec<InlayHint> {
    let of_case = placed.case.id.as_ref().map(|id| InlayHint {
        offset: placed.absolute(id.span).end,
        label: case_label(verdict, now),
        subject: HintSubject::Case(index),
    });
    // An implied outcome has no text to put a note after.
    let implied = placed.case.expected.outcome.is_none().then_some("outcome");
    let written = verdict.checks().enumerate().filter(|(_, check)| Some(check.field) != implied);
    let written = written.filter(|(_, check)| all || check.result.outcome != CheckOutcome::Passed);
    let of_checks = written.filter_map(|(number, check)| {
        let Place { offset, name } = place(text, placed.absolute(check.span?), placed.span().end);
        let mut label = check_label(&check, name.as_deref());
        if since.is_some_and(|since| since.has_regressed(&check.result.id)) {
            label.push_str(" · passed in the baseline");
        }
        let subject = HintSubject::Check { case: index, check: number };
        Some((InlayHint { offset, label, subject }, name.is_some()))
    });
    of_case.into_iter().chain(summed_up(of_checks.collect())).collect()
}

/// Leaves out the check marks of entries of a list that are named after it: if others fail, these are enough, and if none fails, one
/// mark is.
fn summed_up(notes: Vec<(InlayHint, bool)>) -> Vec<InlayHint> {
    let is_mark = |note: &InlayHint| note.label.starts_with(PASSED) && !note.label.contains(BY_PROMPT);
    let mut kept: Vec<InlayHint> = Vec::new();
    for (note, is_named) in &notes {
        if !(*is_named && is_mark(note)) {
            kept.push(note.clone());
            continue;
        }
        let beside = || notes.iter().filter(|(other, _)| other.offset == note.offset);
        let is_first = beside().next().is_some_and(|(first, _)| first.subject == note.subject);
        if is_first && beside().all(|(other, _)| is_mark(other)) {
            kept.push(InlayHint { label: PASSED.to_owned(), ..note.clone() });
        }
    }
    kept
}
