//! Suggests ids of new cases, which continue the ids of other cases.

use std::collections::HashSet;

use crate::analysis::ids::next_free;

use super::{Candidate, CompletionKind, Scene, Snippet};

/// The maximum number of kinds of ids. Nobody scrolls so far.
const MAX_KINDS: usize = 12;

/// The next id of each kind in the suite, with the kind of the case before the cursor first.
pub(super) fn ids(scene: &Scene<'_>) -> Vec<Candidate> {
    let ids = next(scene).into_iter();
    ids.map(|id| Candidate::string(&id, CompletionKind::Value).detail("next free id")).collect()
}

/// The id of a new case.
pub(super) fn initial(scene: &Scene<'_>) -> Snippet {
    Snippet::new("\"").placeholder(escaped(&first(scene))).text("\"")
}

/// The best id for a new case.
pub(super) fn first(scene: &Scene<'_>) -> String {
    next(scene).into_iter().next().unwrap_or_else(|| "CASE1".to_owned())
}

fn next(scene: &Scene<'_>) -> Vec<String> {
    let cases = &scene.document.suite().cases;
    let before = cases.partition_point(|placed| placed.start < scene.offset);
    let nearest = cases[..before].iter().rev().chain(&cases[before..]);
    let others = nearest.filter(|placed| !std::ptr::eq(&*placed.case, scene.case));
    let used: Vec<&str> = others.filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect();
    let taken: HashSet<&str> = used.iter().copied().collect();
    let mut kinds = HashSet::new();
    let numbered = used.into_iter().filter(|id| stem(id).is_some_and(|stem| kinds.insert(stem)));
    let ids: Vec<String> = numbered.take(MAX_KINDS).map(|id| next_free(id, &taken)).collect();
    if ids.is_empty() { vec![next_free("CASE0", &taken)] } else { ids }
}

/// The text of an id before its last number; `None` if it does not end with a number.
fn stem(id: &str) -> Option<&str> {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < id.len()).then_some(stem)
}

/// The id as JSON text, without quotes.
fn escaped(id: &str) -> String {
    let literal = crate::syntax::encode(id);
    literal[1..literal.len() - 1].to_owned()
}
