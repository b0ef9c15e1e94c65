//! Suggests whole suites with their versions; whole cases, one for each outcome, and one for the morning brief; and ids, which continue
//! those of other cases.

use std::collections::HashSet;

use crate::analysis::ids::next_free;
use crate::suite::{Expected, Group, Outcome, Version};
use crate::syntax::encode;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Documentation, STRICT_FRESHNESS, Scene, Snippet, is_available, lists};

/// A kind of case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Of(Outcome),
    MorningBrief,
}

/// Whole cases as elements of `cases`.
pub(crate) fn whole(scene: &Scene<'_>) -> Vec<Candidate> {
    offer(scene, |family| case(scene, family)).collect()
}

/// The members of whole cases, for braces that exist already.
pub(crate) fn members(scene: &Scene<'_>) -> Vec<Candidate> {
    offer(scene, |family| in_braces(scene, members_of(scene, family))).map(|found| found.form(Form::Members)).collect()
}

/// Members between existing braces, on one line or on separate lines as the braces are.
pub(super) fn in_braces(scene: &Scene<'_>, members: Snippet) -> Snippet {
    let text = scene.text();
    let before = text[..scene.offset].trim_end_matches([' ', '\t']);
    match before.ends_with('{') {
        true => Snippet::default().line(1).then(members.deeper(1)).line(0),
        false => members,
    }
}

/// The first case of a new suite.
pub(super) fn first(scene: &Scene<'_>) -> Snippet {
    case(scene, Family::Of(Outcome::ToolSuccess))
}

fn offer<'a>(scene: &'a Scene<'_>, json: impl Fn(Family) -> Snippet + 'a) -> impl Iterator<Item = Candidate> + 'a {
    let families = Outcome::ALL.map(Family::Of).into_iter().chain([Family::MorningBrief]);
    families.filter(|family| is_available(scene, family.since())).map(move |family| {
        let candidate = Candidate::new(&family.label(), CompletionKind::Structure, json(family));
        candidate.detail("a whole case").documentation(Some(Documentation::same(family.description())))
    })
}

impl Family {
    fn since(self) -> Version {
        match self {
            Family::Of(Outcome::ResponseOnly) => Version::V0_2,
            Family::Of(_) => Version::V0_1,
            Family::MorningBrief => Version::V0_3,
        }
    }

    fn label(self) -> String {
        match self {
            Family::Of(outcome) => format!("case: {}", outcome.name()),
            Family::MorningBrief => "case: morning brief".to_owned(),
        }
    }

    fn description(self) -> &'static str {
        match self {
            Family::Of(Outcome::ToolSuccess) => "A tool must be called and must succeed.",
            Family::Of(Outcome::ToolStarted) => "A tool must be called; its result does not matter.",
            Family::Of(Outcome::NeedsInput) => {
                "The assistant must ask for missing information before a tool can succeed."
            }
            Family::Of(Outcome::GracefulBlock) => "The assistant must refuse and give a reason.",
            Family::Of(Outcome::GracefulError) => "A tool must fail, and the assistant must report the failure.",
            Family::Of(Outcome::ResponseOnly) => "Only the response counts: its sources and its format.",
            Family::MorningBrief => "A brief with levers, claims backed by evidence, and override actions.",
        }
    }
}

fn case(scene: &Scene<'_>, family: Family) -> Snippet {
    Snippet::new("{").line(1).then(members_of(scene, family).deeper(1)).line(0).text("}")
}

fn members_of(scene: &Scene<'_>, family: Family) -> Snippet {
    let members = Snippet::new("\"id\": ").then(initial_id(scene)).text(",");
    let members = members.line(0).text("\"prompt\": ").quoted_stop().text(",");
    members.line(0).text("\"expected\": {").line(1).then(expected(scene, family).deeper(1)).line(0).text("}")
}

fn expected(scene: &Scene<'_>, family: Family) -> Snippet {
    let Family::Of(outcome) = family else { return morning_brief() };
    let snippet = Snippet::new(format!("\"outcome\": \"{}\",", outcome.name())).line(0);
    let tool = || Snippet::new("\"tool_calls_any\": [\"").then(lists::choice(scene)).text("\"],").line(0);
    let telemetry = || Snippet::new("\"telemetry\": [\"tool.");
    match outcome {
        Outcome::ToolSuccess => snippet.then(tool().then(telemetry()).again(1).text(" result success:true\"]")),
        Outcome::ToolStarted => snippet.then(tool().then(telemetry()).again(1).text(" start\"]")),
        Outcome::NeedsInput => snippet.then(tool()).text("\"must_say_any\": ").strings(),
        Outcome::GracefulBlock => {
            let tools = Snippet::new("\"tool_calls_none\": [\"").then(lists::choice(scene)).text("\"],").line(0);
            snippet.then(tools).text("\"must_say_any\": ").strings()
        }
        Outcome::GracefulError => {
            let telemetry = tool().then(telemetry()).again(1).text(" result success:false\"],").line(0);
            snippet.then(telemetry).text("\"must_say_any\": ").strings()
        }
        Outcome::ResponseOnly => {
            snippet.text("\"required_sources\": ").strings().text(",").line(0).text("\"must_match_regex\": ").strings()
        }
    }
}

fn morning_brief() -> Snippet {
    Snippet::new("\"required_levers\": ")
        .placeholder("2")
        .text(",")
        .line(0)
        .text("\"claim_evidence_alignment\": true,")
        .line(0)
        .text("\"evidence_freshness_max_age_minutes\": ")
        .placeholder("120")
        .text(",")
        .line(0)
        .text(format!("\"evidence_freshness_regex\": {},", encode(STRICT_FRESHNESS)))
        .line(0)
        .text("\"must_allow_override_actions\": [\"")
        .choice(super::SUGGESTED_ACTIONS.map(str::to_owned).to_vec())
        .text("\"]")
}

/// Suites for an empty file.
pub(super) fn whole_suite(scene: &Scene<'_>) -> Vec<Candidate> {
    let json = |version| {
        let suite = Snippet::new("{").line(1).then(members_of_suite(scene, version).deeper(1)).line(0).text("}");
        if scene.offset == scene.text().len() { suite.line(0) } else { suite }
    };
    offer_suite(scene, json)
}

/// The members of a suite, for braces that exist already.
pub(crate) fn suite_members(scene: &Scene<'_>) -> Vec<Candidate> {
    let json = |version| in_braces(scene, members_of_suite(scene, version));
    offer_suite(scene, json).into_iter().map(|candidate| candidate.form(Form::Members)).collect()
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

fn offer_suite(scene: &Scene<'_>, json: impl Fn(Version) -> Snippet) -> Vec<Candidate> {
    let candidates = in_order(scene).map(|version| {
        let candidate = Candidate::new(&format!("suite {version}"), CompletionKind::Structure, json(version));
        candidate.detail("a whole suite").documentation(Some(Documentation::same(description(version))))
    });
    candidates.collect()
}

fn members_of_suite(scene: &Scene<'_>, version: Version) -> Snippet {
    Snippet::new("\"name\": ")
        .quoted_stop()
        .text(",")
        .line(0)
        .text(format!("\"version\": \"{version}.0\","))
        .line(0)
        .text("\"cases\": [")
        .line(1)
        .then(first(scene).deeper(1))
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

/// The maximum number of kinds of ids. Nobody scrolls so far.
const MAX_KINDS: usize = 12;

/// The next id of each kind in the suite, with the kind of the case before the cursor first.
pub(super) fn ids(scene: &Scene<'_>) -> Vec<Candidate> {
    let ids = next(scene).into_iter();
    ids.map(|id| Candidate::string(&id, CompletionKind::Value).detail("next free id")).collect()
}

/// The id of a new case.
pub(super) fn initial_id(scene: &Scene<'_>) -> Snippet {
    Snippet::new("\"").placeholder(escaped(next(scene).first().map_or("CASE1", String::as_str))).text("\"")
}

fn next(scene: &Scene<'_>) -> Vec<String> {
    let cases = &scene.document.suite().cases;
    let before = cases.partition_point(|placed| placed.start < scene.offset);
    let nearest = cases[..before].iter().rev().chain(&cases[before..]);
    let others = nearest.filter(|placed| !std::ptr::eq(&*placed.case, scene.case));
    let used: Vec<&str> = others.filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect();
    let taken: HashSet<&str> = used.iter().copied().collect();
    let mut kinds = HashSet::new();
    let numbered = used.into_iter().filter(|id| stem(id).is_some_and(|stem| kinds.insert(stem)));
    let ids: Vec<String> = numbered.take(MAX_KINDS).map(|id| next_free(id, &taken)).collect();
    if ids.is_empty() { vec![next_free("CASE0", &taken)] } else { ids }
}

/// The text of an id before its last number; `None` if it does not end with a number.
fn stem(id: &str) -> Option<&str> {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < id.len()).then_some(stem)
}

/// The id as JSON text, without quotes.
fn escaped(id: &str) -> String {
    let literal = crate::syntax::encode(id);
    literal[1..literal.len() - 1].to_owned()
}
