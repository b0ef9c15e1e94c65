//! Suggests entries of lists: categories, prompts, UI hints, markers, actions, sources with their phrases, telemetry shorthands.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::quoted;
use crate::suite::{ASSUMPTION_MARKERS, BUILT_IN_SOURCES, Outcome, TelemetryEntry, built_in_source};

use super::super::habits;
use super::{Candidate, CompletionKind, Documentation, SUGGESTED_ACTIONS, Scene, Snippet, phrases, tools};

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

/// The sources that `required_sources` does not name yet: from the configuration, from the suite, and the built-in ones.
pub(super) fn sources(scene: &Scene<'_>) -> Vec<Candidate> {
    known(scene)
        .into_iter()
        .filter(|(source, _)| !scene.has(source))
        .map(|(source, detail)| {
            let candidate = Candidate::string(&source, CompletionKind::Source).detail(detail);
            candidate.documentation(documentation(scene, &source))
        })
        .collect()
}

/// The keys that `source_patterns` does not have yet: the required sources of the case.
pub(crate) fn source_names(scene: &Scene<'_>) -> Vec<Candidate> {
    let required = tools::names(&scene.case.expected.required_sources);
    let mut unique = BTreeSet::new();
    let absent = required.filter(|source| !scene.has(source) && unique.insert(*source));
    let key = |source: &str| {
        let candidate = Candidate::new(source, CompletionKind::Key, Snippet::default().strings());
        candidate.detail("required source").documentation(documentation(scene, source))
    };
    absent.map(key).collect()
}

/// Patterns for the first source that the case requires.
pub(super) fn initial_source_patterns(scene: &Scene<'_>) -> Snippet {
    match tools::names(&scene.case.expected.required_sources).next() {
        Some(source) => Snippet::new("{ ").then(Snippet::string(source)).text(": ").strings().text(" }"),
        None => {
            let patterns = Snippet::new("{ \"").stop().text("\": ").strings().text(" }");
            patterns.text(", \"required_sources\": [\"").again(1).text("\"]")
        }
    }
}

/// Phrases for a source in `source_patterns`: those of other cases, its default phrases, and phrases of the last response.
pub(super) fn source_phrases(scene: &Scene<'_>, source: &str) -> Vec<Candidate> {
    let known = phrases_of(scene, source);
    let own = (known.is_empty() && !source.is_empty()).then(|| source.to_owned());
    let known = known.into_iter().chain(own).filter(|phrase| !scene.has(phrase));
    let known = known.map(|phrase| Candidate::string(&phrase, CompletionKind::Phrase).detail("default"));
    let used = used_here(scene).into_iter().filter(|(phrase, _)| !scene.has(phrase));
    let used = used.map(|(phrase, count)| in_cases(&phrase, count));
    used.chain(known).chain(phrases::said(scene)).collect()
}

/// The known sources and where each is defined, the nearest first.
fn known(scene: &Scene<'_>) -> Vec<(String, &'static str)> {
    let configured = scene.sources().keys().map(|source| (source.as_str(), "in eval-ls.toml"));
    let case = scene.case;
    let others = scene.document.suite().cases.iter().filter(|placed| !std::ptr::eq(&*placed.case, case));
    let used: BTreeSet<&str> = others.flat_map(|placed| tools::names(&placed.case.expected.required_sources)).collect();
    let usual = scene.usual(&["expected", "required_sources", "#"]);
    let weight = |source: &str| usual.get(source).copied().unwrap_or(0);
    let mut used: Vec<&str> = used.into_iter().collect();
    used.sort_by_key(|source| Reverse(weight(source)));
    let used = used.into_iter().map(|source| (source, "in this suite"));
    let given = case.expected.source_patterns.iter().flat_map(|given| &given.value);
    let given = given.map(|given| (given.source.value.as_str(), "in source_patterns"));
    let built_in = BUILT_IN_SOURCES.iter().map(|(source, _)| (*source, "built in"));
    let mut unique = BTreeSet::new();
    let all = given.chain(used).chain(configured).chain(built_in);
    let all = all.filter(|(source, _)| !source.is_empty() && unique.insert(source.to_lowercase()));
    all.map(|(source, detail)| (source.to_owned(), detail)).collect()
}

fn documentation(scene: &Scene<'_>, source: &str) -> Option<Documentation> {
    let phrases = phrases_of(scene, source);
    let shown: Vec<_> = phrases.iter().map(|phrase| quoted(phrase)).collect();
    (!shown.is_empty()).then(|| Documentation::same(format!("Mentioned by one of: {}.", shown.join(", "))))
}

/// The default phrases of a source, without `source_patterns`.
fn phrases_of(scene: &Scene<'_>, source: &str) -> Vec<String> {
    let configured: BTreeMap<String, &Vec<String>> =
        scene.sources().iter().map(|(name, source)| (name.to_lowercase(), &source.patterns)).collect();
    match configured.get(&source.to_lowercase()) {
        Some(phrases) => (*phrases).clone(),
        None => built_in_source(source).into_iter().flatten().map(|phrase| (*phrase).to_owned()).collect(),
    }
}

/// The maximum number of tools in suggestions. Each makes three entries.
const MAX_TOOLS: usize = 40;

/// The suggested entries, those with this case's tools first.
pub(super) fn telemetry_entries(scene: &Scene<'_>) -> Vec<Candidate> {
    let forbidden: Vec<&str> = tools::names(&scene.case.expected.tool_calls_none).collect();
    // The first entries are about the tools of the case. To require others, too, comes after that.
    let listed: Vec<&str> = tools::names(&scene.case.expected.tool_calls_any).collect();
    let is_first = scene.case.expected.telemetry.as_ref().is_none_or(|list| list.value.is_empty());
    let is_allowed = |tool: &str| {
        if is_first && !listed.is_empty() && !listed.contains(&tool) {
            return false;
        }
        let is_name = TelemetryEntry::parse(&format!("tool.{tool} start")) == TelemetryEntry::Start { tool };
        is_name && !forbidden.contains(&tool)
    };
    let known = tools::known(scene).into_iter().filter(|(tool, _)| is_allowed(tool)).take(MAX_TOOLS);
    let mut candidates: Vec<Candidate> = known
        .flat_map(|(tool, known)| {
            forms(scene).map(move |form| {
                let entry = format!("tool.{tool} {form}");
                Candidate::string(&entry, CompletionKind::Tool).detail(known.detail())
            })
        })
        .collect();
    candidates.push(missing_field());
    candidates.retain(|candidate| !scene.has(&candidate.label));
    candidates
}

/// The shorthands for a tool, the one that matches the outcome first.
fn forms(scene: &Scene<'_>) -> impl Iterator<Item = &'static str> + use<> {
    const START: &str = "start";
    const SUCCESS: &str = "result success:true";
    const FAILURE: &str = "result success:false";
    let outcome = scene.case.expected.outcome.as_ref().and_then(|outcome| Outcome::from_name(&outcome.value));
    let forms: &[&str] = match outcome {
        Some(Outcome::ToolSuccess) => &[SUCCESS, START, FAILURE],
        Some(Outcome::GracefulError) => &[FAILURE, START, SUCCESS],
        // These outcomes fail if the tool succeeds.
        Some(Outcome::NeedsInput | Outcome::GracefulBlock) => &[START, FAILURE],
        _ => &[START, SUCCESS, FAILURE],
    };
    forms.iter().copied()
}

fn missing_field() -> Candidate {
    let text = "success:false with missingFields containing ";
    let json = Snippet::new(format!("\"{text}")).placeholder("field").text("\"");
    let documentation = Documentation::same("A result failed, and an event names the field as missing.");
    Candidate::new(&format!("{text}…"), CompletionKind::Tool, json).documentation(Some(documentation))
}
