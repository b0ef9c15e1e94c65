use crate::lints::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};

use super::{Action, ActionContext, ActionKind};

/// Scales the weights at the selection so that they add up to 1, with the fix of the lint.
pub(super) fn action(context: &ActionContext<'_>) -> Option<Action> {
    let weights = context.placed.case.expected.weights()?;
    if !context.touches(weights.member()) {
        return None;
    }
    let finding = context.findings().into_iter().find(|finding| finding.lint == WEIGHTS_NOT_ONE.name)?;
    let fix = finding.fixes.into_iter().find(|fix| fix.title == SCALE_WEIGHTS)?;
    Some(Action { title: fix.title, kind: ActionKind::Rewrite, edits: fix.edits })
}
