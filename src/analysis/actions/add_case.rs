use std::collections::HashSet;

use crate::analysis::ids::next_free;
use crate::diagnostic::{Edit, quoted};
use crate::syntax::{encode, separator_before};

use super::{Action, ActionContext, ActionKind};

/// Adds a copy of the case after it, with the next free id.
pub(super) fn action(context: &ActionContext<'_>) -> Option<Action> {
    let id = context.placed.case.id.as_ref()?;
    let cases = &context.document.suite().cases;
    let used: HashSet<_> = cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect();
    let free = next_free(&id.value, &used);

    let span = context.node.span();
    let mut copy = context.node.text().to_owned();
    copy.replace_range(id.span.range(), &encode(&free));
    let separator = separator_before(context.text(), span.start);
    let edit = Edit::insert(span.end, format!(",{separator}{copy}"));
    let title = format!("duplicate this case as {}", quoted(&free));
    Some(Action { title, kind: ActionKind::Add, edits: vec![edit] })
}
