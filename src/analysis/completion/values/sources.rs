//! Suggests sources, and the phrases that mention them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::quoted;
use crate::suite::{BUILT_IN_SOURCES, built_in_source};

use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, lists, phrases, tools};

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
pub(in super::super) fn keys(scene: &Scene<'_>) -> Vec<Candidate> {
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
pub(super) fn initial(scene: &Scene<'_>) -> Snippet {
    match tools::names(&scene.case.expected.required_sources).next() {
        Some(source) => Snippet::new("{ ").then(Snippet::string(source)).text(": ").strings().text(" }"),
        None => {
            let patterns = Snippet::new("{ \"").stop().text("\": ").strings().text(" }");
            patterns.text(", \"required_sources\": [\"").again(1).text("\"]")
        }
    }
}

/// Phrases for a source in `source_patterns`: those of other cases, its default phrases, and phrases of the last response.
pub(super) fn patterns(scene: &Scene<'_>, source: &str) -> Vec<Candidate> {
    let known = phrases_of(scene, source);
    let own = (known.is_empty() && !source.is_empty()).then(|| source.to_owned());
    let known = known.into_iter().chain(own).filter(|phrase| !scene.has(phrase));
    let known = known.map(|phrase| Candidate::string(&phrase, CompletionKind::Phrase).detail("default"));
    let used = lists::used_here(scene).into_iter().filter(|(phrase, _)| !scene.has(phrase));
    let used = used.map(|(phrase, count)| lists::in_cases(&phrase, count));
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
