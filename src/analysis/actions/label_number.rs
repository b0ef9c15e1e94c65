use crate::diagnostic::Edit;
use crate::syntax::encode;

use super::{Action, ActionContext, ActionKind};

/// Turns a bare number into an object with a label. The initial label is the name in reports, so that the check keeps its
/// id until the author chooses a better one.
pub(super) fn action(context: &ActionContext<'_>) -> Option<Action> {
    let items = context.placed.case.expected.must_ground_numbers.as_ref()?;
    let item = items.value.iter().find(|item| !item.is_object && context.touches(item.span))?;
    let span = context.placed.absolute(item.span);
    let value = context.text().get(span.range())?;
    let label = encode(item.value.as_ref().map(|value| value.value.as_str()).filter(|value| !value.is_empty())?);
    let object = format!("{{ \"label\": {label}, \"value\": {value} }}");
    let title = "give the number a label".to_owned();
    Some(Action { title, kind: ActionKind::Rewrite, edits: vec![Edit::replace(span, object)] })
}
