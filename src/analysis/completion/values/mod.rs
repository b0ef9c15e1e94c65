//! Suggests values. Each submodule covers one kind of value that the schema does not list.

pub(super) mod cases;
pub(super) mod lists;
mod said;
pub(super) mod scoring;

use serde_json::Value;

use crate::schema::{Shape, Type};
use crate::suite::{ExpectedField, Holds, OVERRIDE_ACTIONS, Texts, Version};
use crate::syntax::{Slot, encode};

use super::candidate::{Candidate, CompletionKind, Documentation, Form, Snippet};
use super::scene::Scene;

const FRESHNESS: &str = "evidence_freshness_regex";
/// A pattern for the age in minutes that ends at the word.
const STRICT_FRESHNESS: &str = r"(?i)\b[0-9]{1,4}\s*(?:m|mins?|minutes?)\b";

/// The suggested values, best first.
pub(super) fn values(scene: &Scene<'_>) -> Vec<Candidate> {
    let path = scene.path();
    if matches!(scene.cursor.slot, Slot::Document) {
        return cases::whole_suite(scene);
    }
    let known = if scene.is_in_case { of_case(scene, &path) } else { of_suite(scene, &path) };
    let Some(shape) = scene.shape() else { return known };
    // If a list is expected and missing, suggest its first element at once.
    let elements = match (shape.element(), &scene.cursor.slot) {
        (Some(element), Slot::Value(_)) if known.is_empty() => {
            let path: Vec<&str> = path.iter().copied().chain(["#"]).collect();
            let known = if scene.is_in_case { of_case(scene, &path) } else { Vec::new() };
            let listed = closed_list(scene, element);
            let elements = known.into_iter().chain(listed).filter(|element| element.form == Form::Value);
            elements.map(|element| element.form(Form::OnlyElement)).collect()
        }
        _ => Vec::new(),
    };
    known.into_iter().chain(closed_list(scene, shape)).chain(by_type(scene, shape, &path)).chain(elements).collect()
}

/// The initial JSON value of a key in the object at the cursor.
pub(super) fn initial(scene: &Scene<'_>, key: &str, shape: Shape) -> Snippet {
    initial_at(scene, &scene.path(), key, shape)
}

fn initial_at(scene: &Scene<'_>, object: &[&str], key: &str, shape: Shape) -> Snippet {
    match (scene.is_in_case, object, key) {
        (false, [], "cases") => Snippet::new("[").line(1).stop().line(0).text("]"),
        (false, [], "version") => cases::version(scene),
        (true, [], "id") => cases::initial_id(scene),
        (true, [], "expected") => {
            let outcomes = shape.key("outcome").into_iter().flat_map(Shape::values);
            let outcomes = outcomes.map(|(outcome, _)| outcome.to_owned()).collect();
            Snippet::new("{").line(1).text("\"outcome\": \"").choice(outcomes).text("\"").line(0).text("}")
        }
        (true, ["expected"], "must_ground_numbers") => {
            Snippet::new("[{ \"label\": ").quoted_stop().text(", \"value\": ").quoted_stop().text(" }]")
        }
        (true, ["expected"], "source_patterns") => lists::initial_source_patterns(scene),
        (true, ["expected"], "scoring") => scoring::scoring(scene),
        (true, ["expected"], "evidence_freshness_max_age_minutes") if !scene.has(FRESHNESS) => {
            // The default pattern also reads seconds and years as minutes.
            by_shape(shape).text(format!(", \"{FRESHNESS}\": {}", encode(STRICT_FRESHNESS)))
        }
        (true, ["expected"], "evidence_freshness_regex") => Snippet::string(STRICT_FRESHNESS),
        (true, ["expected", "scoring"], "soft_score") => scoring::soft_score(scene, 0),
        (true, ["expected", "scoring"], "hard_fail") => scoring::hard_fail(scene),
        (true, ["expected", "scoring", "soft_score"], "weights") => scoring::weights(scene),
        _ => by_shape(shape),
    }
}

fn of_suite(scene: &Scene<'_>, path: &[&str]) -> Vec<Candidate> {
    match path {
        ["version"] => cases::versions(scene),
        ["cases", "#"] => cases::whole(scene),
        _ => Vec::new(),
    }
}

fn of_case(scene: &Scene<'_>, path: &[&str]) -> Vec<Candidate> {
    match path {
        [] => cases::whole(scene),
        ["id"] => cases::ids(scene),
        ["category"] => lists::categories(scene),
        ["setup_prompts" | "preconditions", "#"] => lists::texts(scene),
        ["expected", rest @ ..] => of_expected(scene, rest),
        _ => Vec::new(),
    }
}

fn of_expected(scene: &Scene<'_>, path: &[&str]) -> Vec<Candidate> {
    match path {
        ["assumption_markers_any"] => lists::all_markers(scene),
        [key, "#"] => of_list(scene, key),
        ["source_patterns", source, "#"] => lists::source_phrases(scene, source),
        ["must_ground_numbers", "#", "value"] => said::values(scene),
        ["must_ground_numbers", "#", "regex"] => said::patterns(scene),
        ["must_ground_numbers", "#", "context_any", "#"] => said::phrases(scene),
        ["scoring", "hard_fail", "#"] => scoring::groups(scene),
        ["scoring", "soft_score", "weights", group] => scoring::weight_values(scene, group),
        [_] if scene.shape().is_some_and(Shape::is_pattern) => said::patterns(scene),
        _ => Vec::new(),
    }
}

/// The elements of the list `key`.
fn of_list(scene: &Scene<'_>, key: &str) -> Vec<Candidate> {
    match ExpectedField::named(key).map(|field| field.holds) {
        Some(Holds::List(texts, _)) => match texts {
            Texts::Tools => lists::tools(scene, key),
            Texts::Telemetry => lists::telemetry_entries(scene),
            Texts::Hints => lists::hints(scene),
            Texts::Phrases => said::phrases(scene),
            Texts::Markers => lists::markers(scene),
            Texts::Actions => lists::override_actions(scene),
            Texts::Sources => lists::sources(scene),
            Texts::Patterns(_) => said::patterns(scene),
        },
        Some(Holds::Numbers) => said::items(scene),
        _ => Vec::new(),
    }
}

/// The values of a closed list that the list at the cursor does not have yet.
fn closed_list(scene: &Scene<'_>, shape: Shape) -> Vec<Candidate> {
    let is_element = matches!(scene.cursor.slot, Slot::Element(_));
    let values = shape.values().filter(|(value, _)| !(is_element && scene.has(value)));
    let is_group = scene.path().ends_with(&["hard_fail", "#"]) || scene.path().ends_with(&["hard_fail"]);
    // The module `groups` suggests groups, with their checks.
    let values = values.filter(|_| !is_group);
    let is_outcome = scene.path() == ["expected", "outcome"];
    let fitting = if is_outcome { scoring::fitting(&scene.case.expected) } else { None };
    let mut values: Vec<_> = values.collect();
    values.sort_by_key(|(value, _)| fitting.is_none_or(|outcome| outcome.name() != *value));
    values
        .into_iter()
        .map(|(value, meaning)| {
            let documentation = meaning.map(Documentation::same);
            let candidate = Candidate::string(value, CompletionKind::Value).documentation(documentation);
            match shape.default_in_words() {
                Some(words) if words.starts_with(&format!("`{value}`")) => candidate.detail("default"),
                _ => candidate,
            }
        })
        .collect()
}

/// Values from the types, default and examples of the schema.
fn by_type(scene: &Scene<'_>, shape: Shape, path: &[&str]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if shape.allows(Type::Boolean) {
        let default = shape.default().and_then(Value::as_bool);
        for value in [true, false] {
            let detail = if default == Some(value) { "default" } else { "" };
            let text = value.to_string();
            candidates.push(Candidate::new(&text, CompletionKind::Value, Snippet::new(&text)).detail(detail));
        }
    }
    if let Some(Value::String(default)) = shape.default().filter(|_| !shape.is_pattern()) {
        candidates.push(Candidate::string(default, CompletionKind::Value).detail("default"));
    }
    if shape.allows(Type::Integer) && !shape.allows(Type::String) && !path.contains(&"weights") {
        for example in shape.examples() {
            let text = example.to_string();
            candidates.push(Candidate::new(&text, CompletionKind::Value, Snippet::new(&text)).detail("for example"));
        }
    }
    let is_list = shape.allows(Type::Array);
    let is_object = shape.allows(Type::Object) && !shape.allows(Type::String);
    // An empty object with required keys would be invalid.
    let may_be_empty = shape.keys().all(|key| !key.is_required);
    if scene.is_blank() && (is_list || is_object) && may_be_empty {
        let json = match (&scene.cursor.slot, path) {
            (Slot::Value(key), [object @ .., _]) => initial_at(scene, object, key, shape),
            _ => by_shape(shape),
        };
        let label = if is_list { "[ … ]" } else { "{ … }" };
        let documentation = shape.description().map(Documentation::same);
        candidates.push(Candidate::new(label, CompletionKind::Structure, json).documentation(documentation));
    }
    candidates
}

pub(super) fn by_shape(shape: Shape) -> Snippet {
    let texts: Vec<String> = shape.values().map(|(value, _)| value.to_owned()).collect();
    let example = || shape.examples().find(|example| example.is_number()).map(Value::to_string);
    if !texts.is_empty() {
        Snippet::new("\"").choice(texts).text("\"")
    } else if shape.allows(Type::String) {
        Snippet::default().quoted_stop()
    } else if shape.allows(Type::Boolean) {
        Snippet::default().choice(vec!["true".to_owned(), "false".to_owned()])
    } else if shape.allows(Type::Integer) {
        Snippet::default().placeholder(example().unwrap_or_else(|| "1".to_owned()))
    } else if shape.allows(Type::Array) {
        match shape.element().is_some_and(|element| element.allows(Type::String)) {
            true => Snippet::default().strings(),
            false => Snippet::new("[").stop().text("]"),
        }
    } else {
        Snippet::new("{ ").stop().text(" }")
    }
}

/// Whether the version of the suite is `since` or later.
fn is_available(scene: &Scene<'_>, since: Version) -> bool {
    scene.version >= since
}

/// The override actions that the runner's documentation suggests.
const SUGGESTED_ACTIONS: [&str; 4] = OVERRIDE_ACTIONS;
