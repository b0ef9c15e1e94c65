use crate::analysis::Document;
use crate::analysis::ids::compare;
use crate::diagnostic::Edit;
use crate::syntax::{Kind, Node};

use super::{Action, ActionKind};

/// Sorts the cases by id; cases with the same id keep their order. `None` if an element of the list has no id, or if the
/// document has a syntax error. The text between the cases does not move.
pub(super) fn action(document: &Document) -> Option<Action> {
    if !document.is_well_formed() {
        return None;
    }
    let cases = &document.suite().cases;
    let ids: Vec<_> =
        cases.iter().map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect::<Option<_>>()?;
    let elements = document.root().get("cases").into_iter().flat_map(Node::elements);
    if elements.filter(|element| element.kind() != Kind::Object).count() > 0 {
        return None;
    }
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by(|&a, &b| compare(ids[a], ids[b]));

    let text = document.text();
    let moved = order.into_iter().enumerate().filter(|(slot, case)| slot != case);
    let edits: Vec<_> =
        moved.map(|(slot, case)| Edit::replace(cases[slot].span(), text.slice(cases[case].span()))).collect();
    let title = "sort the cases by id".to_owned();
    (!edits.is_empty()).then_some(Action { title, kind: ActionKind::Sort, edits })
}
