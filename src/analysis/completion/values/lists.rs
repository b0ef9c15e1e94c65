//! Suggests entries of lists: categories, prompts, UI hints, markers, actions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnostic::quoted;
use crate::suite::{ASSUMPTION_MARKERS, Case};

use super::{Candidate, CompletionKind, Documentation, SUGGESTED_ACTIONS, Scene, Snippet, phrases, tools};

/// The maximum number of suggested entries from other cases.
const MAX: usize = 100;

/// The categories of other cases, most frequent first.
pub(super) fn categories(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used(scene, |case| case.category.iter().map(|category| category.value.as_str()).collect());
    let usual = Candidate::string("general", CompletionKind::Value).detail("default");
    used.into_iter().map(|(text, count)| in_cases(&text, count)).chain([usual]).collect()
}

/// The setup prompts of other cases, most frequent first.
pub(super) fn setup_prompts(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used(scene, |case| tools::names(&case.setup_prompts).collect());
    used.into_iter().filter(|(text, _)| !scene.has(text)).map(|(text, count)| in_cases(&text, count)).collect()
}

/// The UI hints that the workspace defines.
pub(super) fn hints(scene: &Scene<'_>) -> Vec<Candidate> {
    let hints = scene.context.workspace.ui_hints.iter().filter(|hint| !scene.has(hint));
    hints.map(|hint| Candidate::string(hint, CompletionKind::Phrase).detail("in eval-ls.toml")).collect()
}

/// The default markers of assumptions, and phrases from the last response.
pub(super) fn markers(scene: &Scene<'_>) -> Vec<Candidate> {
    let markers = ASSUMPTION_MARKERS.into_iter().filter(|marker| !scene.has(marker));
    let markers = markers.map(|marker| Candidate::string(marker, CompletionKind::Phrase).detail("default marker"));
    markers.chain(phrases::said(scene)).collect()
}

/// All default markers as one list.
pub(super) fn all_markers(scene: &Scene<'_>) -> Vec<Candidate> {
    if !scene.is_blank() {
        return Vec::new();
    }
    let markers = ASSUMPTION_MARKERS.map(|marker| format!("\"{marker}\"")).join(", ");
    let empty = Candidate::new("[ … ]", CompletionKind::Structure, Snippet::default().strings());
    let documentation = Documentation::same(format!("The ten default markers: {markers}."));
    let all = Candidate::new("default markers", CompletionKind::Structure, Snippet::new(format!("[{markers}]")));
    vec![empty, all.documentation(Some(documentation))]
}

/// The usual override actions, and those of other cases.
pub(super) fn override_actions(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used(scene, |case| tools::names(&case.expected.must_allow_override_actions).collect());
    let used = used.into_iter().filter(|(text, _)| !SUGGESTED_ACTIONS.contains(&text.as_str()));
    let used = used.map(|(text, count)| in_cases(&text, count));
    let suggested = SUGGESTED_ACTIONS.into_iter().map(|action| Candidate::string(action, CompletionKind::Phrase));
    let all = suggested.chain(used).filter(|candidate| !scene.has(&candidate.label));
    all.chain(phrases::said(scene)).collect()
}

/// The values of a field in other cases, and how many cases have each.
pub(super) fn used<'a>(scene: &Scene<'a>, field: impl Fn(&'a Case) -> Vec<&'a str>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let others = scene.document.suite().cases.iter().filter(|placed| !std::ptr::eq(&*placed.case, scene.case));
    for text in others.flat_map(|placed| field(&placed.case)).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(text, count)| (Reverse(*count), *text));
    counts.truncate(MAX);
    counts.into_iter().map(|(text, count)| (text.to_owned(), count)).collect()
}

/// The suggestion of a string from other cases.
pub(super) fn in_cases(text: &str, count: usize) -> Candidate {
    let detail = if count == 1 { "in 1 case".to_owned() } else { format!("in {count} cases") };
    let is_long = text.chars().count() > 60;
    let documentation = is_long.then(|| Documentation::same(quoted(text)));
    Candidate::string(text, CompletionKind::Phrase).detail(detail).documentation(documentation)
}
