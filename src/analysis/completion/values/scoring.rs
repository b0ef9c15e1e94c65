//! Suggests what a case is scored by: groups, with the number of their checks; weights, with the remainder to 1; the outcome that fits
//! the other expectations.

use std::cmp::Reverse;

use crate::schema::{SchemaName, Shape};
use crate::suite::{DEFAULT_WEIGHTS, Expected, Group, List, Outcome, TelemetryEntry, effective_weights};
use crate::text::number;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, is_available, lists};

/// The groups without a weight, those with checks in this case first, each with a suggested weight.
pub(crate) fn weight_keys(scene: &Scene<'_>) -> Vec<Candidate> {
    let groups = by_checks(scene).into_iter().filter(|(group, _)| !scene.has(group.name()));
    let groups: Vec<_> = groups.collect();
    let rest = rest(scene, "");
    let waiting = groups.iter().filter(|(_, checks)| *checks > 0).count();
    let candidates = groups.into_iter().map(|(group, checks)| {
        let default = default_weight(group);
        let is_last = waiting <= 1 && (checks > 0 || waiting == 0);
        let weight = if rest > 0 && (is_last || default > rest) { rest } else { default };
        let json = Snippet::default().placeholder(decimal(weight));
        let candidate = candidate(scene, group, checks);
        Candidate { json, ..candidate }.form(Form::Member)
    });
    candidates.collect()
}

/// The suggested weights of a group: the remainder to 1, and the default weight.
pub(super) fn weight_values(scene: &Scene<'_>, group: &str) -> Vec<Candidate> {
    let rest = Some(rest(scene, group)).filter(|rest| *rest > 0);
    let rest = rest.map(|rest| (decimal(rest), "remainder to 1"));
    let default = DEFAULT_WEIGHTS.iter().find(|(known, _)| known.name() == group);
    let default = default.map(|(group, _)| (decimal(default_weight(*group)), "default weight"));
    let default = default.filter(|(text, _)| rest.as_ref().is_none_or(|(rest, _)| rest != text));
    let candidate = |(text, detail): (String, &str)| {
        Candidate::new(&text, CompletionKind::Value, Snippet::new(&text)).detail(detail)
    };
    rest.into_iter().chain(default).map(candidate).collect()
}

/// A whole `scoring`, with weights for the groups that have checks.
pub(super) fn scoring(scene: &Scene<'_>) -> Snippet {
    let hard_fail = Snippet::new("\"hard_fail\": ").then(hard_fail(scene));
    let checks: Vec<usize> = by_checks(scene).iter().map(|(_, checks)| *checks).collect();
    // The first group is the hard fail. A score needs at least two other checks, else it says pass or fail again.
    match (checks.iter().sum::<usize>(), checks.iter().skip(1).sum::<usize>()) {
        (0, _) => return Snippet::new("{}"),
        (_, 0 | 1) => return Snippet::new("{ ").then(hard_fail).text(" }"),
        _ => {}
    }
    let hard_fail = hard_fail.text(",");
    let soft_score = Snippet::new("\"soft_score\": ").then(soft_score(scene, 1));
    Snippet::new("{").line(1).then(hard_fail).line(1).then(soft_score).line(0).text("}")
}

/// A whole `soft_score`, its lines indented by `level`.
pub(super) fn soft_score(scene: &Scene<'_>, level: usize) -> Snippet {
    let threshold = above_hard_fail(scene, 0.8);
    let weights = Snippet::new("\"weights\": ").then(weights(scene));
    let threshold = Snippet::new("\"threshold\": ").placeholder(number(threshold)).text(",");
    let lines = Snippet::new("{").line(1).then(threshold).line(1).then(weights).line(0).text("}");
    lines.deeper(level)
}

/// A threshold that the groups of `hard_fail` alone do not reach: a lower one would decide nothing.
fn above_hard_fail(scene: &Scene<'_>, threshold: f64) -> f64 {
    let all = by_checks(scene);
    let checked: Vec<_> = all.iter().filter(|(_, checks)| *checks > 0).map(|(group, _)| *group).collect();
    let named: Vec<&str> =
        scene.case.expected.hard_fail().into_iter().flat_map(List::entries).map(|entry| &*entry.value).collect();
    // A whole `scoring` names the first group.
    let is_whole = scene.case.expected.scoring.is_none();
    let is_hard = |group: Group| if is_whole { checked.first() == Some(&group) } else { named.contains(&group.name()) };
    let shares = checked.iter().zip(shares(&checked));
    let hard: i64 = shares.filter(|(group, _)| is_hard(**group)).map(|(_, share)| share).sum();
    let hard = hard as f64 / WHOLE as f64;
    if threshold > hard || hard >= 0.99 { threshold } else { ((hard + 1.0) * 50.0).ceil() / 100.0 }
}

/// Weights that add up to 1, for the groups that have checks in this case, or for all groups if there are none.
pub(super) fn weights(scene: &Scene<'_>) -> Snippet {
    let all = by_checks(scene);
    let mut groups: Vec<_> = all.iter().filter(|(_, checks)| *checks > 0).map(|(group, _)| *group).collect();
    if groups.is_empty() {
        groups = DEFAULT_WEIGHTS.map(|(group, _)| group).to_vec();
        groups.retain(|group| is_available(scene, group.since()));
    }
    let mut snippet = Snippet::new("{ ");
    for (index, (group, weight)) in groups.iter().zip(shares(&groups)).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        snippet = snippet.text(format!("{separator}\"{group}\": ")).placeholder(decimal(weight));
    }
    snippet.text(" }")
}

/// Weights are counted in millionths, so that they add up exactly.
const WHOLE: i64 = 1_000_000;

/// The default weights of some groups, scaled to add up to 1 with two decimals.
fn shares(groups: &[Group]) -> Vec<i64> {
    let sum: i64 = groups.iter().map(|group| default_weight(*group)).sum();
    let percent = WHOLE / 100;
    let mut shares: Vec<i64> =
        groups.iter().map(|group| (default_weight(*group) * 100 / sum.max(1)).max(1) * percent).collect();
    if let Some(first) = shares.first().map(|first| first + WHOLE - shares.iter().sum::<i64>()) {
        shares[0] = first;
    }
    shares
}

fn default_weight(group: Group) -> i64 {
    let weight = DEFAULT_WEIGHTS.iter().find(|(known, _)| *known == group).map_or(0.2, |(_, weight)| *weight);
    millionths(weight).unwrap_or(WHOLE / 5)
}

/// The remainder to 1 without the weight of `group`; 0 if there is none, or if a weight cannot be counted.
fn rest(scene: &Scene<'_>, group: &str) -> i64 {
    let weights = scene.case.expected.weights().map(|weights| effective_weights(&weights.value));
    let others = weights
        .into_iter()
        .flatten()
        .filter(|weight| weight.group.value != group)
        .map(|weight| millionths(weight.value.value));
    let sum = others.sum::<Option<i64>>();
    sum.map_or(0, |sum| (WHOLE - sum).max(0))
}

/// The weight in millionths; `None` if it is below 0, above 1 or has more decimals.
fn millionths(weight: f64) -> Option<i64> {
    let millionths = weight * WHOLE as f64;
    let is_sound = (0.0..=1.0).contains(&weight) && (millionths - millionths.round()).abs() < 1e-6;
    is_sound.then(|| millionths.round() as i64)
}

fn decimal(millionths: i64) -> String {
    number(millionths as f64 / WHOLE as f64)
}

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
    groups.sort_by_key(|(group, checks)| Reverse((*checks > 0, weight(scene, *group))));
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

/// The outcome that the telemetry and the tools of a case imply; `None` if several are as likely.
pub(super) fn fitting(expected: &Expected) -> Option<Outcome> {
    let results = || lists::names(&expected.telemetry).map(TelemetryEntry::parse);
    let has_result = |wanted: bool| {
        results().any(|entry| matches!(entry, TelemetryEntry::Result { success, .. } if success == wanted))
    };
    let has_tools = lists::names(&expected.tool_calls_any).next().is_some();
    match (has_result(true), has_result(false)) {
        (true, false) => return Some(Outcome::ToolSuccess),
        (false, true) => return Some(Outcome::GracefulError),
        _ => {}
    }
    if results().any(|entry| matches!(entry, TelemetryEntry::Start { .. })) {
        return Some(Outcome::ToolStarted);
    }
    let is_about_response = expected.required_sources.is_some()
        || expected.must_ground_numbers.is_some()
        || expected.must_label_assumptions.is_some()
        || expected.required_levers.is_some()
        || expected.claim_evidence_alignment.is_some();
    match (has_tools, lists::names(&expected.tool_calls_none).next().is_some()) {
        (false, _) if is_about_response => Some(Outcome::ResponseOnly),
        (false, true) => Some(Outcome::GracefulBlock),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_1() {
        use Group::{Formatting, MorningBriefContract, NumericGrounding, SynthesisCoverage, ToolHygiene};
        for (groups, expected) in [
            (&[Formatting][..], "1"),
            (&[SynthesisCoverage, NumericGrounding], "0.6 0.4"),
            (&[ToolHygiene, MorningBriefContract, Formatting], "0.59 0.33 0.08"),
        ] {
            let shares = shares(groups);
            assert_eq!(shares.iter().sum::<i64>(), WHOLE);
            assert_eq!(shares.into_iter().map(decimal).collect::<Vec<_>>().join(" "), expected);
        }
        assert_eq!(shares(&Group::ALL).iter().sum::<i64>(), WHOLE);
    }

    #[test]
    fn weights_are_written_without_traces_of_binary_fractions() {
        for (weight, text) in [(0.1 + 0.2, "0.3"), (1.0, "1"), (0.0, "0"), (0.000_001, "0.000001")] {
            assert_eq!(decimal(millionths(weight).unwrap()), text);
        }
        assert_eq!([millionths(-0.1), millionths(1.5), millionths(f64::NAN), millionths(0.000_000_1)], [None; 4]);
    }
}
