//! Suggests entries of lists: categories, prompts, UI hints, markers, actions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnostic::quoted;
use crate::suite::ASSUMPTION_MARKERS;

use super::super::habits;
use super::{Candidate, CompletionKind, Documentation, SUGGESTED_ACTIONS, Scene, Snippet, phrases};

/// The maximum number of suggested entries from other cases. Editors filter longer lists slowly, and nobody scrolls so far.
const MAX: usize = 100;

/// The categories of other cases, most usual first.
pub(super) fn categories(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used_here(scene);
    let usual = Candidate::string("general", CompletionKind::Value).detail("default");
    used.into_iter().map(|(text, count)| in_cases(&text, count)).chain([usual]).collect()
}

/// The entries of the list at the cursor in other cases, most usual first.
pub(super) fn texts(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used_here(scene);
    used.into_iter().filter(|(text, _)| !scene.has(text)).map(|(text, count)| in_cases(&text, count)).collect()
}

/// The UI hints that the workspace defines, those that other cases use first.
pub(super) fn hints(scene: &Scene<'_>) -> Vec<Candidate> {
    let usual = scene.usual(&scene.path());
    let mut hints: Vec<_> = scene.context.workspace.ui_hints.iter().filter(|hint| !scene.has(hint)).collect();
    hints.sort_by_key(|hint| Reverse(usual.get(*hint).copied().unwrap_or(0)));
    let hints = hints.into_iter();
    hints.map(|hint| Candidate::string(hint, CompletionKind::Phrase).detail("in eval-ls.toml")).collect()
}

/// The markers of other cases, the default ones, and phrases from the last response.
pub(super) fn markers(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used_here(scene);
    let is_used = |marker: &str| used.iter().any(|(text, _)| text == marker);
    let default = ASSUMPTION_MARKERS.into_iter().filter(|marker| !scene.has(marker) && !is_used(marker));
    let default = default.map(|marker| Candidate::string(marker, CompletionKind::Phrase).detail("default marker"));
    let used = used.iter().filter(|(text, _)| !scene.has(text)).map(|(text, count)| in_cases(text, *count));
    used.chain(default).chain(phrases::said(scene)).collect()
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

/// The override actions of other cases, and the suggested ones.
pub(super) fn override_actions(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used_here(scene);
    let is_used = |action: &str| used.iter().any(|(text, _)| text == action);
    let suggested = SUGGESTED_ACTIONS.into_iter().filter(|action| !is_used(action));
    let suggested: Vec<_> = suggested.map(|action| Candidate::string(action, CompletionKind::Phrase)).collect();
    let used = used.into_iter().map(|(text, count)| in_cases(&text, count));
    let all = used.chain(suggested).filter(|candidate| !scene.has(&candidate.label));
    all.chain(phrases::said(scene)).collect()
}

/// The texts in other cases at the path of the cursor, and the number of cases with each. The most usual texts come first.
pub(super) fn used_here(scene: &Scene<'_>) -> Vec<(String, usize)> {
    used(scene, &scene.path())
}

/// The texts in other cases at `path`, and the number of cases with each. The most usual texts come first.
pub(super) fn used(scene: &Scene<'_>, path: &[&str]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let others = scene.document.suite().cases.iter().filter(|placed| !std::ptr::eq(&*placed.case, scene.case));
    for text in others.flat_map(|placed| habits::texts_at(&placed.case, path)).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    let usual = scene.usual(path);
    let weight = |text: &str| usual.get(text).copied().unwrap_or(0);
    counts.sort_by_key(|(text, count)| (Reverse(weight(text)), Reverse(*count), *text));
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
