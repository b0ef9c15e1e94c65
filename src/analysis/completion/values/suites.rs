//! Suggests whole suites, and versions.

use crate::suite::{Expected, Group, Outcome, Version};

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, cases};

/// Suites for an empty file.
pub(super) fn whole(scene: &Scene<'_>) -> Vec<Candidate> {
    let json = |version| {
        let suite = Snippet::new("{").line(1).then(members_of(scene, version).deeper(1)).line(0).text("}");
        if scene.offset == scene.text().len() { suite.line(0) } else { suite }
    };
    offer(scene, json)
}

/// The members of a suite, for braces that exist already.
pub(crate) fn members(scene: &Scene<'_>) -> Vec<Candidate> {
    let json = |version| cases::in_braces(scene, members_of(scene, version));
    offer(scene, json).into_iter().map(|candidate| candidate.form(Form::Members)).collect()
}

/// The values of `version` that support every key of the suite.
pub(super) fn versions(scene: &Scene<'_>) -> Vec<Candidate> {
    let cases = &scene.document.suite().cases;
    let oldest = cases.iter().map(|placed| needed(&placed.case.expected)).max().unwrap_or(Version::V0_1);
    let candidates = in_order(scene).filter(|version| *version >= oldest).map(|version| {
        let documentation = Documentation::same(description(version));
        let candidate = Candidate::string(&format!("{version}.0"), CompletionKind::Value);
        let from_file_name = scene.document.version().from_file_name == Some(version);
        let detail = if from_file_name { "from the file name" } else { "" };
        candidate.detail(detail).documentation(Some(documentation))
    });
    candidates.collect()
}

/// The value of `version` in a suite without one.
pub(super) fn version(scene: &Scene<'_>) -> Snippet {
    Snippet::new("\"").choice(in_order(scene).map(|version| format!("{version}.0")).collect()).text("\"")
}

fn offer(scene: &Scene<'_>, json: impl Fn(Version) -> Snippet) -> Vec<Candidate> {
    let candidates = in_order(scene).map(|version| {
        let candidate = Candidate::new(&format!("suite {version}"), CompletionKind::Structure, json(version));
        candidate.detail("a whole suite").documentation(Some(Documentation::same(description(version))))
    });
    candidates.collect()
}

fn members_of(scene: &Scene<'_>, version: Version) -> Snippet {
    Snippet::new("\"name\": ")
        .quoted_stop()
        .text(",")
        .line(0)
        .text(format!("\"version\": \"{version}.0\","))
        .line(0)
        .text("\"cases\": [")
        .line(1)
        .then(cases::first(scene).deeper(1))
        .line(0)
        .text("]")
}

/// The versions, newest first. If the file name contains a version, only that one: another would contradict it.
fn in_order(scene: &Scene<'_>) -> impl Iterator<Item = Version> {
    let named = scene.document.version().from_file_name;
    Version::ALL.into_iter().rev().filter(move |version| named.is_none_or(|named| named == *version))
}

/// The first version that supports every key of the case.
fn needed(expected: &Expected) -> Version {
    let named = expected.hard_fail().into_iter().flat_map(|groups| groups.entries().map(|group| &group.value));
    let weighed = expected.weights().into_iter().flat_map(|weights| &weights.value).map(|weight| &weight.group.value);
    let groups = named.chain(weighed).filter_map(|name| Group::from_name(name)).map(Group::since);
    let keys = expected.fields().map(|(field, _)| field.since);
    let outcome = expected.outcome.as_ref().filter(|outcome| outcome.value == Outcome::ResponseOnly.name());
    keys.chain(groups).chain(outcome.map(|_| Version::V0_2)).max().unwrap_or(Version::V0_1)
}

fn description(version: Version) -> &'static str {
    match version {
        Version::V0_1 => "Tools, telemetry, phrases and UI hints.",
        Version::V0_2 => "Everything in 0.1, and sources, numbers, assumptions, patterns and scoring.",
        Version::V0_3 => "Everything in 0.2, and the morning brief contract.",
    }
}
