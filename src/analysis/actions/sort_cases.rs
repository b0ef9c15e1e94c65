use std::cmp::Ordering;

use crate::analysis::Document;
use crate::analysis::ids::compare;
use crate::diagnostic::Edit;
use crate::syntax::{Kind, Node};

/// Whether the cases can be sorted by id and are not. They cannot if an element of the list has no id, or if the document
/// has a syntax error.
pub(crate) fn can_sort_cases(document: &Document) -> bool {
    let elements = document
        .root()
        .get("cases")
        .into_iter()
        .flat_map(Node::elements)
        .filter(|element| !element.is_part() && element.kind() != Kind::Object);
    let is_sorted = |ids: Vec<&str>| ids.is_sorted_by(|one, other| compare(one, other) != Ordering::Greater);
    document.is_well_formed() && elements.count() == 0 && ids(document).is_some_and(|ids| !is_sorted(ids))
}

/// The edits that sort the cases by id; cases with the same id keep their order. The text between the cases does not move.
/// None if they are sorted, or cannot be sorted.
pub(crate) fn sorted_cases(document: &Document) -> Vec<Edit> {
    let Some(ids) = ids(document).filter(|_| can_sort_cases(document)) else { return Vec::new() };
    let (cases, text) = (&document.suite().cases, document.text());
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by(|&a, &b| compare(ids[a], ids[b]));
    let moved = order.into_iter().enumerate().filter(|(slot, case)| slot != case);
    moved.map(|(slot, case)| Edit::replace(cases[slot].span(), text.slice(cases[case].span()))).collect()
}

fn ids(document: &Document) -> Option<Vec<&str>> {
    let cases = document.suite().cases.iter();
    cases.map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect()
}
