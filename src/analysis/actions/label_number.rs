use crate::syntax::encode;

use super::place::Place;
use super::{Action, ActionKind};
use crate::diagnostic::Edit;

/// Turns a bare number into an object with a label. The label is what the number was reported as anyway, so that the
/// check stays the same until its author says better.
pub(super) fn action(place: &Place<'_>) -> Option<Action> {
    let items = place.placed.case.expected.must_ground_numbers.as_ref()?;
    let item = items.value.iter().find(|item| !item.is_object && place.touches(item.span))?;
    let span = place.placed.absolute(item.span);
    let value = place.text().get(span.range())?;
    let label = encode(item.value.as_ref().map(|value| value.value.as_str()).filter(|value| !value.is_empty())?);
    let object = format!("{{ \"label\": {label}, \"value\": {value} }}");
    let title = "give the number a label".to_owned();
    Some(Action { title, kind: ActionKind::Rewrite, edits: vec![Edit::replace(span, object)] })
}
