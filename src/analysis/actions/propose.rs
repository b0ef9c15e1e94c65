//! Checks proposed from the answer of a case.

use super::{Action, ActionKind};
use crate::analysis::{Answers, Document};
use crate::diagnostic::Edit;
use crate::text::{Span, counted};

/// The longest answer that is tried, in bytes: each of some sixty candidates is judged with it and with its rewrites.
const LONGEST: usize = 64 << 10;

/// Adds the fewest checks with which the case at `at` fails every answer that it ought to fail. `None` if it has no answer to its
/// prompt, if the answer is too long for an editor that waits, or if nothing is to be added.
pub(crate) fn propose_checks(document: &Document, answers: &Answers, at: Span) -> Option<Action> {
    let (index, placed) = document.suite().case_at(at.start)?;
    let verdict = document.verdict(index, answers)?;
    let transcript = verdict.answer.transcript.as_ref().ok()?;
    if verdict.is_stale() || transcript.response.len() > LONGEST {
        return None;
    }
    let samples = placed.case.id.as_ref().and_then(|id| answers.samples().get(&id.value));
    let proposal = document.challenges(answers).proposal(index, samples.map_or(&[], |samples| samples))?;
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
