//! The keys of `expected` that fit the others, whatever the suite's habits are.

use crate::schema::{Key, Shape};
use crate::suite::Outcome;

use super::scene::Scene;

/// The weight of a key that follows the previous one in the schema.
const NEXT: u32 = 24;
/// The weight of a key whose group has a check already.
const SAME_GROUP: u32 = 12;
/// The weight of a key without which another key of the object has its default.
const COMPANION: u32 = 200;

/// The weight of a key, comparable to that of [`Habits::keys`](super::habits::Habits::keys): more than a case that has
/// nothing in common writes, and less than a similar one. If `is_companion_known`, other cases have the partner of
/// the key, and show whether they have the key too.
pub(super) fn weight(scene: &Scene<'_>, shape: Shape, key: &Key, is_companion_known: bool) -> u32 {
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
