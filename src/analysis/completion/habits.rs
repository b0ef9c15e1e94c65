//! Which keys come first: those that other cases of the suite have, weighted by how much they resemble the case at the cursor, and
//! those that fit the other keys of `expected`, whatever the suite's habits are.

use std::collections::HashMap;

use crate::schema::{Key, Shape};
use crate::suite::{Case, Expected, ExpectedField, FIELDS, List, NumericItem, Outcome, Value};
use crate::text::Span;

use super::Document;
use super::scene::Scene;

/// The number of cases around the cursor that count. This bounds the cost in a large suite.
const NEAREST: usize = 40;

/// The cases around the cursor, each with its weight.
#[derive(Clone, Debug, Default)]
pub(super) struct Habits<'a> {
    cases: Vec<(&'a Case, u32)>,
}

impl<'a> Habits<'a> {
    /// The habits at the byte `offset`. `case` is the case at the cursor, which does not count itself.
    pub(super) fn new(document: &'a Document, offset: usize, case: &Case) -> Habits<'a> {
        let all = &document.suite().cases;
        let before = all.partition_point(|placed| placed.start < offset);
        let (earlier, later) = all.split_at(before);
        let traits = Traits::of(case);
        let nearest = earlier.iter().rev().take(NEAREST).chain(later.iter().take(NEAREST / 2));
        let others = nearest.map(|placed| &*placed.case).filter(|other| !std::ptr::eq(*other, case));
        let weighted = others.enumerate().map(|(distance, other)| {
            let recency = 3_u32.saturating_sub(distance as u32);
            (other, traits.likeness(&Traits::of(other)) + recency)
        });
        Habits { cases: weighted.collect() }
    }

    /// The weight of each text that `field` reads from the other cases.
    pub(super) fn texts<T: AsRef<str>>(&self, field: impl Fn(&'a Case) -> Vec<T>) -> HashMap<String, u32> {
        let mut weights = HashMap::new();
        for (case, weight) in &self.cases {
            for text in field(case) {
                *weights.entry(text.as_ref().to_owned()).or_default() += weight;
            }
        }
        weights
    }

    /// The numbers that `field` reads from the other cases, the most usual first.
    pub(super) fn numbers(&self, field: impl Fn(&'a Case) -> Option<f64>) -> Vec<f64> {
        let mut weights: Vec<(f64, u32)> = Vec::new();
        for (case, weight) in &self.cases {
            let Some(number) = field(case) else { continue };
            match weights.iter_mut().find(|(known, _)| *known == number) {
                Some((_, sum)) => *sum += weight,
                None => weights.push((number, *weight)),
            }
        }
        weights.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        weights.into_iter().map(|(number, _)| number).collect()
    }

    /// The more usual value of the flag at `path`.
    pub(super) fn flag(&self, path: &[&str]) -> Option<bool> {
        let mut weights = [0, 0];
        for (case, weight) in &self.cases {
            let flag = match value_at(case, path) {
                Some(Value::Flag(flag)) => Some(flag),
                _ => None,
            };
            if let Some(flag) = flag {
                weights[usize::from(flag.value)] += weight;
            }
        }
        (weights != [0, 0]).then_some(weights[1] >= weights[0])
    }

    /// The weight of each key of the objects at `path`, after the key `previous`. `own` is the case at the cursor: its
    /// other objects count if the path leads through a list.
    pub(super) fn keys(&self, path: &[&str], own: &'a Case, previous: Option<&str>) -> HashMap<&'static str, u32> {
        let mut weights = HashMap::new();
        let is_in_list = path.contains(&"#");
        let own = is_in_list.then_some((own, 8));
        for (case, weight) in self.cases.iter().copied().chain(own) {
            for mut object in objects(case, path) {
                object.sort_by_key(|(_, span)| *span);
                let at = previous.and_then(|previous| object.iter().position(|(key, _)| *key == previous));
                let next = match (previous, at) {
                    (Some(_), None) => usize::MAX,
                    (_, at) => at.map_or(0, |at| at + 1),
                };
                for (index, (key, _)) in object.into_iter().enumerate() {
                    // The key that other cases write next counts most, and the later ones more than the earlier ones.
                    let factor = match index {
                        _ if index == next => 6,
                        _ if index > next => 3,
                        _ => 2,
                    };
                    *weights.entry(key).or_default() += weight * factor;
                }
            }
        }
        weights
    }
}

/// What makes cases alike.
struct Traits<'a> {
    category: Option<&'a str>,
    outcome: Option<&'a str>,
    /// The id without its last number.
    stem: Option<&'a str>,
    /// The tools and sources.
    names: Vec<&'a str>,
    /// One bit for each key of `expected`.
    keys: u32,
}

impl<'a> Traits<'a> {
    fn of(case: &'a Case) -> Traits<'a> {
        let text = |field: &'a Option<crate::suite::Field<String>>| {
            field.as_ref().map(|field| field.value.as_str()).filter(|text| !text.is_empty())
        };
        Traits {
            category: text(&case.category),
            outcome: text(&case.expected.outcome),
            stem: text(&case.id).map(|id| id.trim_end_matches(|c: char| c.is_ascii_digit())),
            names: [&case.expected.tool_calls_any, &case.expected.tool_calls_none, &case.expected.required_sources]
                .into_iter()
                .flatten()
                .flat_map(List::entries)
                .map(|entry| entry.value.as_str())
                .collect(),
            keys: bits(&case.expected),
        }
    }

    fn likeness(&self, other: &Traits<'_>) -> u32 {
        let same = |a: Option<&str>, b: Option<&str>| u32::from(a.is_some() && a == b);
        let shared = (self.keys & other.keys).count_ones();
        let all = (self.keys | other.keys).count_ones().max(1);
        1 + 6 * same(self.category, other.category)
            + 6 * same(self.outcome, other.outcome)
            + 2 * same(self.stem, other.stem)
            + 6 * u32::from(self.names.iter().any(|name| other.names.contains(name)))
            + 12 * shared / all
    }
}

/// One bit for each key that `expected` has.
fn bits(expected: &Expected) -> u32 {
    let has = |field: &ExpectedField| field.of(expected).is_some();
    FIELDS.iter().enumerate().filter(|(_, field)| has(field)).fold(0, |bits, (index, _)| bits | 1 << index)
}

type Member = (&'static str, Span);

/// The keys of each object at `path`, in any order.
fn objects(case: &Case, path: &[&str]) -> Vec<Vec<Member>> {
    let expected = &case.expected;
    let present = |keys: &[(&'static str, Option<Span>)]| -> Vec<Member> {
        keys.iter().filter_map(|(key, span)| Some((*key, (*span)?))).collect()
    };
    let one = |keys: &[(&'static str, Option<Span>)]| vec![present(keys)];
    match path {
        [] => one(&[
            ("id", key(&case.id)),
            ("category", key(&case.category)),
            ("prompt", key(&case.prompt)),
            ("preconditions", key(&case.preconditions)),
            ("setup_prompts", key(&case.setup_prompts)),
            ("expected", key(&expected.object)),
        ]),
        ["expected"] => vec![expected.fields().map(|(field, value)| (field.key, value.key())).collect()],
        ["expected", "scoring"] => expected
            .scoring
            .iter()
            .flat_map(|scoring| {
                one(&[("hard_fail", key(&scoring.value.hard_fail)), ("soft_score", key(&scoring.value.soft_score))])
            })
            .collect(),
        ["expected", "scoring", "soft_score"] => expected
            .soft_score()
            .into_iter()
            .flat_map(|soft| one(&[("threshold", key(&soft.threshold)), ("weights", key(&soft.weights))]))
            .collect(),
        ["expected", "must_ground_numbers", "#"] => numbers(case)
            .flat_map(|item| {
                one(&[
                    ("label", key(&item.label)),
                    ("value", key(&item.value)),
                    ("regex", key(&item.regex)),
                    ("context_any", key(&item.context_any)),
                ])
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn key<T>(field: &Option<crate::suite::Field<T>>) -> Option<Span> {
    field.as_ref().map(|field| field.key())
}

/// The value at `path` in a case, if that is a key under `expected`.
fn value_at<'a>(case: &'a Case, path: &[&str]) -> Option<Value<'a>> {
    match path {
        ["expected", key] => ExpectedField::named(key)?.of(&case.expected),
        _ => None,
    }
}

/// The items of `must_ground_numbers` that are objects.
pub(super) fn numbers(case: &Case) -> impl Iterator<Item = &NumericItem> {
    case.expected.numbers().filter(|item| item.is_object)
}

/// The texts of the lists and fields at `path` in a case.
pub(super) fn texts_at<'a>(case: &'a Case, path: &[&str]) -> Vec<&'a str> {
    let expected = &case.expected;
    fn texts(list: &List) -> Vec<&str> {
        list.entries().map(|entry| entry.value.as_str()).collect()
    }
    match path {
        ["category"] => case.category.iter().map(|field| field.value.as_str()).collect(),
        ["setup_prompts", "#"] => case.setup_prompts.as_ref().map(texts).unwrap_or_default(),
        ["preconditions", "#"] => case.preconditions.as_ref().map(texts).unwrap_or_default(),
        ["expected", "must_ground_numbers", "#", "label"] => {
            numbers(case).filter_map(|item| Some(item.label.as_ref()?.value.as_str())).collect()
        }
        ["expected", "must_ground_numbers", "#", "regex"] => {
            numbers(case).filter_map(|item| Some(item.regex.as_ref()?.value.as_str())).collect()
        }
        ["expected", "source_patterns", source, "#"] => {
            let given = expected.source_patterns.iter().flat_map(|given| &given.value);
            let given = given.filter(|given| given.source.value == *source);
            given.flat_map(|given| given.patterns.entries()).map(|entry| entry.value.as_str()).collect()
        }
        ["expected", "scoring", "hard_fail", "#"] => {
            expected.hard_fail().into_iter().flat_map(List::entries).map(|entry| entry.value.as_str()).collect()
        }
        ["expected", "scoring", "soft_score", "weights"] => expected
            .weights()
            .into_iter()
            .flat_map(|weights| &weights.value)
            .map(|weight| weight.group.value.as_str())
            .collect(),
        [list @ .., "#"] => match value_at(case, list) {
            Some(Value::List(list)) => texts(list),
            _ => Vec::new(),
        },
        _ => match value_at(case, path) {
            Some(Value::Text(field)) => vec![field.value.as_str()],
            _ => Vec::new(),
        },
    }
}

/// The number at `path` in a case.
pub(super) fn number_at(case: &Case, path: &[&str]) -> Option<f64> {
    match path {
        ["expected", "scoring", "soft_score", "threshold"] => Some(case.expected.threshold()?.value),
        _ => match value_at(case, path)? {
            Value::Limit(limit) => Some(limit.value),
            _ => None,
        },
    }
}

/// The weight of a key that follows the previous one in the schema.
const NEXT: u32 = 24;
/// The weight of a key whose group has a check already.
const SAME_GROUP: u32 = 12;
/// The weight of a key without which another key of the object has its default.
const COMPANION: u32 = 200;

/// The weight of a key, comparable to that of [`Habits::keys`](Habits::keys): more than a case that has
/// nothing in common writes, and less than a similar one. If `is_companion_known`, other cases have the partner of
/// the key, and show whether they have the key too.
pub(super) fn fitting_weight(scene: &Scene<'_>, shape: Shape, key: &Key, is_companion_known: bool) -> u32 {
    let partner = key.shape.read_with().filter(|partner| scene.has(partner));
    let companion = if partner.is_some() && !is_companion_known { COMPANION } else { 0 };
    if scene.path() != ["expected"] {
        return companion + next(scene, shape, key);
    }
    let has_group = |group: &str| shape.keys().any(|other| other.shape.group() == Some(group) && scene.has(other.name));
    let group = key.shape.group();
    let same_group = group.is_some_and(has_group) && key.shape.read_with().is_none();
    let specific = group.is_some_and(|group| SPECIFIC.contains(&group));
    let related = specific && key.shape.read_with().is_none() && SPECIFIC.into_iter().any(has_group);
    companion
        + next(scene, shape, key)
        + if same_group { SAME_GROUP } else { 0 }
        + if same_group && specific { SAME_GROUP } else { 0 }
        + if related { SAME_GROUP } else { 0 }
        + by_outcome(scene, key.name)
}

/// Groups of checks that are asked for together: how a response deals with its sources.
const SPECIFIC: [&str; 4] = ["synthesis_coverage", "numeric_grounding", "uncertainty", "morning_brief_contract"];

fn next(scene: &Scene<'_>, shape: Shape, key: &Key) -> u32 {
    let Some(previous) = scene.previous_name() else { return 0 };
    let mut later = shape.keys().skip_while(|other| other.name != previous).skip(1);
    let is_next = later.find(|other| !scene.has(other.name)).is_some_and(|other| other.name == key.name);
    if is_next { NEXT } else { 0 }
}

fn by_outcome(scene: &Scene<'_>, key: &str) -> u32 {
    let expected = &scene.case.expected;
    let outcome = expected.outcome.as_ref().and_then(|outcome| Outcome::from_name(&outcome.value));
    match (outcome, key) {
        (None, "outcome") => 60,
        (Some(_), "scoring") => 8,
        (Some(Outcome::ToolSuccess | Outcome::ToolStarted | Outcome::GracefulError), "tool_calls_any") => 40,
        (Some(Outcome::ToolSuccess | Outcome::ToolStarted), "telemetry") => 16,
        (Some(Outcome::GracefulBlock), "tool_calls_none") => 40,
        (Some(Outcome::NeedsInput), "tool_calls_any") => 30,
        (Some(Outcome::ResponseOnly), "required_sources" | "must_match_regex") => 16,
        // Most cases ask for words, whatever else they ask for.
        (_, "must_say_any") => 34,
        (_, "must_not_say") => 27,
        _ => 0,
    }
}
