//! Checks proposed from the answer of a case.

use super::{Action, ActionKind};
use crate::analysis::{Answers, Document};
use crate::challenge::Sample;
use crate::diagnostic::Edit;
use crate::text::{Span, counted};

/// Adds the fewest checks with which the case at `at` fails every answer that it ought to fail. `None` if it has no answer to its
/// prompt, or if nothing is to be added. `samples` reads the samples of a case by its index.
pub(crate) fn propose_checks(
    document: &Document,
    answers: &Answers,
    at: Span,
    samples: impl FnOnce(usize) -> Vec<Sample>,
) -> Option<Action> {
    let (index, placed) = document.suite().case_at(at.start)?;
    let verdict = document.verdict(index, answers)?;
    if verdict.is_stale() || verdict.answer.transcript.is_err() {
        return None;
    }
    let proposal = document.challenges(answers).proposal(index, &samples(index))?;
    if proposal.checks.is_empty() {
        return None;
    }
    let count = counted(proposal.checks.len(), "check");
    let title = match &proposal.open[..] {
        [] => format!("add {count} from the answer: then all {} fail", counted(proposal.wrong_answers, "wrong answer")),
        open => format!(
            "add {count} from the answer: then only {} of {} pass",
            open.len(),
            counted(proposal.wrong_answers, "wrong answer")
        ),
    };
    let edits = proposal.edits.into_iter().map(|edit| Edit::replace(placed.absolute(edit.span), edit.text));
    Some(Action { title, kind: ActionKind::Add, edits: edits.collect() })
}
