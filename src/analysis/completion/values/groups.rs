//! Suggests scoring groups, with the number of checks that the case has in them.

use std::cmp::Reverse;

use crate::schema::{SchemaName, Shape};
use crate::suite::Group;

use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, is_available};

/// The groups that `hard_fail` does not name yet, those with checks in this case first.
pub(super) fn groups(scene: &Scene<'_>) -> Vec<Candidate> {
    let groups = by_checks(scene).into_iter().filter(|(group, _)| !scene.has(group.name()));
    groups.map(|(group, checks)| candidate(scene, group, checks)).collect()
}

/// A list with a choice of groups, those with checks in this case first.
pub(super) fn hard_fail(scene: &Scene<'_>) -> Snippet {
    let groups = by_checks(scene).into_iter().map(|(group, _)| group.name().to_owned());
    Snippet::new("[\"").choice(groups.collect()).text("\"]")
}

/// The groups of the suite's version and their number of checks, those with checks in this case first.
pub(super) fn by_checks(scene: &Scene<'_>) -> Vec<(Group, usize)> {
    let checks = scene.checks();
    let groups = Group::ALL.into_iter().filter(|group| is_available(scene, group.since()));
    let mut groups: Vec<_> = groups.map(|group| (group, checks.get(&group).copied().unwrap_or(0))).collect();
    // `weights` and `hard_fail` are separate habits.
    let path = scene.path();
    let path: Vec<&str> = match path.last() {
        Some(&"hard_fail") => path.iter().copied().chain(["#"]).collect(),
        _ => path,
    };
    let usual = scene.usual(&path);
    groups.sort_by_key(|(group, checks)| {
        let usual = usual.get(group.name()).copied().unwrap_or(0);
        Reverse((*checks > 0, weight(scene, *group), usual))
    });
    groups
}

/// The weight of a group in this case, in thousandths.
fn weight(scene: &Scene<'_>, group: Group) -> i64 {
    let mut weights = scene.case.expected.weights().into_iter().flat_map(|weights| &weights.value);
    let found = weights.rfind(|weight| weight.group.value == group.name());
    found.map_or(0, |weight| (weight.value.value * 1000.0) as i64)
}

/// The suggestion of a group.
pub(super) fn candidate(scene: &Scene<'_>, group: Group, checks: usize) -> Candidate {
    let detail = match checks {
        0 => "no check in this case can fail".to_owned(),
        1 => "1 check in this case".to_owned(),
        several => format!("{several} checks in this case"),
    };
    Candidate::string(group.name(), CompletionKind::Group).detail(detail).documentation(meaning(scene, group))
}

fn meaning(scene: &Scene<'_>, group: Group) -> Option<Documentation> {
    let hard_fail = Shape::case(SchemaName::from(scene.version)).key("expected")?.key("scoring")?.key("hard_fail")?;
    let (_, meaning) = hard_fail.element()?.values().find(|(name, _)| *name == group.name())?;
    meaning.map(Documentation::same)
}
