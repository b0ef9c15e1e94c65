//! Notes on verdicts: of the case after its id, and of each check after its text.

use std::collections::HashSet;
use std::time::SystemTime;

use crate::analysis::verdicts::labels::{PASSED, case_label, check_label};
use crate::analysis::verdicts::{JudgedCase, SinceBaseline};
use crate::checks::CheckOutcome;
use crate::suite::PlacedCase;

use super::{HintSubject, InlayHint, Place, place};

/// The notes on one case of `text`, and perhaps on its checks.
pub(super) fn hints(
    text: &str,
    index: usize,
    placed: &PlacedCase,
    verdict: &JudgedCase,
    since: Option<&SinceBaseline<'_>>,
    now: SystemTime,
    with_checks: bool,
) -> Vec<InlayHint> {
    let of_case = placed.case.id.as_ref().map(|id| InlayHint {
        offset: placed.absolute(id.span).end,
        label: case_label(verdict, now),
        subject: HintSubject::Case(index),
    });
    // An implied outcome has no text to put a note after.
    let implied = placed.case.expected.outcome.is_none().then_some("outcome");
    let checks = with_checks.then(|| verdict.checks().enumerate()).into_iter().flatten();
    let written = checks.filter(|(_, check)| Some(check.field) != implied);
    let of_checks = written.filter_map(|(number, check)| {
        let Place { offset, name } = place(text, placed.absolute(check.span?), placed.span().end);
        let mut label = check_label(&check, name.as_deref());
        if since.is_some_and(|since| since.has_regressed(&check.result.id)) {
            label.push_str(" · passed in the baseline");
        }
        let subject = HintSubject::Check { case: index, check: number };
        let is_mark = name.is_some() && check.result.outcome == CheckOutcome::Passed && !check.result.by_prompt;
        Some((InlayHint { offset, label, subject }, is_mark))
    });
    of_case.into_iter().chain(summed_up(of_checks.collect())).collect()
}

/// Leaves out marks of passed checks that are named after a list. If another check of the list has a note, that is enough; otherwise
/// one mark is.
fn summed_up(notes: Vec<(InlayHint, bool)>) -> Vec<InlayHint> {
    let others: HashSet<usize> = notes.iter().filter(|(_, is_mark)| !is_mark).map(|(note, _)| note.offset).collect();
    let mut marked = HashSet::new();
    let kept = notes.into_iter().filter_map(|(note, is_mark)| match is_mark {
        false => Some(note),
        true if others.contains(&note.offset) || !marked.insert(note.offset) => None,
        true => Some(InlayHint { label: PASSED.to_owned(), ..note }),
    });
    kept.collect()
}
