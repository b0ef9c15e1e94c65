use crate::lints::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};

use super::place::Place;
use super::{Action, ActionKind};

/// Scales the weights around a place so that they add up to 1, as the lint on them does.
pub(super) fn action(place: &Place<'_>) -> Option<Action> {
    let weights = place.placed.case.expected.weights()?;
    if !place.touches(weights.member()) {
        return None;
    }
    let finding = place.findings().into_iter().find(|finding| finding.lint == WEIGHTS_NOT_ONE.name)?;
    let fix = finding.fixes.into_iter().find(|fix| fix.title == SCALE_WEIGHTS)?;
    Some(Action { title: fix.title, kind: ActionKind::Rewrite, edits: fix.edits })
}
