//! Suggests entries of lists: tool names, categories, prompts, UI hints, markers, actions, sources with their phrases, telemetry shorthands.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::quoted;
use crate::suite::{
    ASSUMPTION_MARKERS, BUILT_IN_SOURCES, Case, ExpectedField, List, Outcome, TelemetryEntry, Value, built_in_source,
};
use crate::text::counted;

use super::{Candidate, CompletionKind, Documentation, SUGGESTED_ACTIONS, Scene, Snippet, said};

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

/// The UI hints that the workspace defines.
pub(super) fn hints(scene: &Scene<'_>) -> Vec<Candidate> {
    let hints = scene.context.workspace.ui_hints.iter().filter(|hint| !scene.has(hint));
    hints.map(|hint| Candidate::string(hint, CompletionKind::Phrase).detail("in eval-ls.toml")).collect()
}

/// The markers of other cases, the default ones, and phrases from the last response.
pub(super) fn markers(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = used_here(scene);
    let is_used = |marker: &str| used.iter().any(|(text, _)| text == marker);
    let default = ASSUMPTION_MARKERS.into_iter().filter(|marker| !scene.has(marker) && !is_used(marker));
    let default = default.map(|marker| Candidate::string(marker, CompletionKind::Phrase).detail("default marker"));
    let used = used.iter().filter(|(text, _)| !scene.has(text)).map(|(text, count)| in_cases(text, *count));
    used.chain(default).chain(said::said_phrases(scene)).collect()
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
    all.chain(said::said_phrases(scene)).collect()
}

/// The texts in other cases at the path of the cursor, and the number of cases with each. The most usual texts come first.
pub(super) fn used_here(scene: &Scene<'_>) -> Vec<(String, usize)> {
    let path = scene.path();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let others = scene.document.suite().cases.iter().filter(|placed| !std::ptr::eq(&*placed.case, scene.case));
    for text in others.flat_map(|placed| texts_at(&placed.case, &path)).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(text, count)| (text.to_owned(), count)).collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.truncate(MAX);
    counts
}

/// The texts at `path` in a case: its category, or the entries of a list.
fn texts_at<'a>(case: &'a Case, path: &[&str]) -> Vec<&'a str> {
    let list = match path {
        ["category"] => return case.category.iter().map(|field| field.value.as_str()).collect(),
        ["setup_prompts", "#"] => case.setup_prompts.as_ref(),
        ["preconditions", "#"] => case.preconditions.as_ref(),
        ["expected", key, "#"] => match ExpectedField::named(key).and_then(|field| field.of(&case.expected)) {
            Some(Value::List(list)) => Some(list),
            _ => None,
        },
        _ => None,
    };
    list.into_iter().flat_map(List::entries).map(|entry| entry.value.as_str()).collect()
}

/// The suggestion of a string from other cases.
pub(super) fn in_cases(text: &str, count: usize) -> Candidate {
    let detail = format!("in {}", counted(count, "case"));
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
    let required = names(&scene.case.expected.required_sources);
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
    match names(&scene.case.expected.required_sources).next() {
        Some(source) => Snippet::new("{ ").then(Snippet::string(source)).text(": ").strings().text(" }"),
        None => {
            let patterns = Snippet::new("{ \"").stop().text("\": ").strings().text(" }");
            patterns.text(", \"required_sources\": [\"").again(1).text("\"]")
        }
    }
}

/// Phrases for a source in `source_patterns`: its default phrases, and phrases of the last response.
pub(super) fn source_phrases(scene: &Scene<'_>, source: &str) -> Vec<Candidate> {
    let known = phrases_of(scene, source);
    let own = (known.is_empty() && !source.is_empty()).then(|| source.to_owned());
    let known = known.into_iter().chain(own).filter(|phrase| !scene.has(phrase));
    let known = known.map(|phrase| Candidate::string(&phrase, CompletionKind::Phrase).detail("default"));
    known.chain(said::said_phrases(scene)).collect()
}

/// The known sources and where each is defined, the nearest first.
fn known(scene: &Scene<'_>) -> Vec<(String, &'static str)> {
    let configured = scene.sources().keys().map(|source| (source.as_str(), "in eval-ls.toml"));
    let case = scene.case;
    let others = scene.document.suite().cases.iter().filter(|placed| !std::ptr::eq(&*placed.case, case));
    let used: BTreeSet<&str> = others.flat_map(|placed| names(&placed.case.expected.required_sources)).collect();
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
    let forbidden: Vec<&str> = names(&scene.case.expected.tool_calls_none).collect();
    // The first entries are about the tools of the case. To require others, too, comes after that.
    let listed: Vec<&str> = names(&scene.case.expected.tool_calls_any).collect();
    let is_first = scene.case.expected.telemetry.as_ref().is_none_or(|list| list.value.is_empty());
    let is_allowed = |tool: &str| {
        if is_first && !listed.is_empty() && !listed.contains(&tool) {
            return false;
        }
        let is_name = TelemetryEntry::parse(&format!("tool.{tool} start")) == TelemetryEntry::Start { tool };
        is_name && !forbidden.contains(&tool)
    };
    let known = known_tools(scene).into_iter().filter(|(tool, _)| is_allowed(tool)).take(MAX_TOOLS);
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

/// The maximum number of suggested tools. Editors filter longer lists slowly, and nobody scrolls so far.
const MAX_TOOL_NAMES: usize = 200;
/// The maximum number of choices in a snippet. Editors show the choices of a snippet in one box.
const MAX_CHOICES: usize = 20;

/// Where a tool appears.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Whether this case names it.
    is_of_case: bool,
    /// The number of times that it appears in transcripts and logs.
    appearances: usize,
    /// The number of cases that name it, in this suite and in others on disk.
    named: usize,
}

/// The suggested entries of `list`, which is `tool_calls_any` or `tool_calls_none`. Tools in the other list are left out:
/// they would contradict it.
pub(super) fn tools(scene: &Scene<'_>, list: &str) -> Vec<Candidate> {
    let expected = &scene.case.expected;
    let other = if list == "tool_calls_any" { &expected.tool_calls_none } else { &expected.tool_calls_any };
    let is_in_other = |tool: &str| names(other).any(|name| name == tool);
    let tools = known_tools(scene).into_iter().filter(|(tool, _)| !scene.has(tool) && !is_in_other(tool));
    let tools = tools.map(|(tool, known)| Candidate::string(&tool, CompletionKind::Tool).detail(known.detail()));
    tools.take(MAX_TOOL_NAMES).collect()
}

/// A stop with a choice of tools.
pub(super) fn choice(scene: &Scene<'_>) -> Snippet {
    let is_plain = |tool: &String| tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut names: Vec<_> = known_tools(scene).into_iter().map(|(tool, _)| tool).filter(is_plain).collect();
    names.truncate(MAX_CHOICES);
    if names.is_empty() {
        names.push("tool_name".to_owned());
    }
    Snippet::default().choice(names)
}

/// All tools: those of this case first, then by number of appearances.
pub(super) fn known_tools(scene: &Scene<'_>) -> Vec<(String, Known)> {
    let mut tools: BTreeMap<&str, Known> = BTreeMap::new();
    let workspace = scene.context.workspace;
    for (tool, count) in &workspace.tools {
        tools.entry(tool).or_default().appearances += count;
    }
    for (tool, count) in &workspace.named_tools {
        tools.entry(tool).or_default().named += count;
    }
    for placed in &scene.document.suite().cases {
        let is_of_case = std::ptr::eq(&*placed.case, scene.case);
        let typed = if is_of_case { typed(scene) } else { None };
        for tool in of_case(&placed.case).into_iter().filter(|tool| Some(*tool) != typed) {
            let known = tools.entry(tool).or_default();
            known.is_of_case |= is_of_case;
            // If the workspace was read, its count includes the suite on disk.
            known.named += usize::from(workspace.named_tools.is_empty());
        }
    }
    let mut tools: Vec<_> = tools.into_iter().filter(|(tool, _)| !tool.is_empty()).collect();
    tools.sort_by_key(|(_, known)| (!known.is_of_case, Reverse(known.appearances), Reverse(known.named)));
    tools.into_iter().map(|(tool, known)| (tool.to_owned(), known)).collect()
}

/// The tools that a case names.
pub(super) fn of_case(case: &Case) -> BTreeSet<&str> {
    let expected = &case.expected;
    let listed = names(&expected.tool_calls_any).chain(names(&expected.tool_calls_none));
    let in_telemetry = names(&expected.telemetry).filter_map(|entry| match TelemetryEntry::parse(entry) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some(tool),
        _ => None,
    });
    listed.chain(in_telemetry).collect()
}

pub(super) fn names(list: &Option<List>) -> impl Iterator<Item = &str> {
    list.iter().flat_map(List::entries).map(|entry| entry.value.as_str())
}

/// The tool whose name is being typed, unless it appears elsewhere in the case too.
fn typed<'a>(scene: &'a Scene<'_>) -> Option<&'a str> {
    let expected = &scene.case.expected;
    let lists = [&expected.tool_calls_any, &expected.tool_calls_none, &expected.telemetry];
    let start = scene.document.suite().case_at(scene.offset)?.1.start;
    let entries = || lists.into_iter().flatten().flat_map(List::entries);
    let entry = entries().find(|entry| entry.span.start + start == scene.cursor.token.span.start)?;
    let tool = match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => tool,
        _ => &entry.value,
    };
    let is_elsewhere = entries().filter(|other| other.span != entry.span).any(|other| other.value == tool);
    (!is_elsewhere).then_some(tool)
}

impl Known {
    /// Where it appears, in words.
    pub(super) fn detail(self) -> String {
        match self {
            Known { is_of_case: true, .. } => "in this case".to_owned(),
            Known { appearances: 0, named, .. } => format!("in {}", counted(named, "case")),
            Known { appearances, .. } => format!("seen {}", counted(appearances, "time")),
        }
    }
}
