use std::collections::HashSet;

use crate::analysis::ids::next_free;
use crate::diagnostic::{Edit, quoted};
use crate::syntax::{encode, separator_before};

use super::place::Place;
use super::{Action, ActionKind};

/// Adds a copy of the case behind it, with the next free id.
pub(super) fn action(place: &Place<'_>) -> Option<Action> {
    let id = place.placed.case.id.as_ref()?;
    let cases = &place.document.suite().cases;
    let used: HashSet<_> = cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect();
    let free = next_free(&id.value, &used);

    let span = place.node.span();
    let mut copy = place.node.text().to_owned();
    copy.replace_range(id.span.range(), &encode(&free));
    let separator = separator_before(place.text(), span.start);
    let edit = Edit::insert(span.end, format!(",{separator}{copy}"));
    let title = format!("duplicate this case as {}", quoted(&free));
    Some(Action { title, kind: ActionKind::Add, edits: vec![edit] })
}
