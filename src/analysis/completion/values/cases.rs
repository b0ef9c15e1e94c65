//! Suggests whole cases, one for each outcome, and one for the morning brief.

use crate::lints::STRICT_FRESHNESS;
use crate::suite::{Outcome, Version};
use crate::syntax::encode;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, ids, is_available, tools};

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
    let members = Snippet::new("\"id\": ").then(ids::initial(scene)).text(",");
    let members = members.line(0).text("\"prompt\": ").quoted_stop().text(",");
    members.line(0).text("\"expected\": {").line(1).then(expected(scene, family).deeper(1)).line(0).text("}")
}

fn expected(scene: &Scene<'_>, family: Family) -> Snippet {
    let Family::Of(outcome) = family else { return morning_brief() };
    let snippet = Snippet::new(format!("\"outcome\": \"{}\",", outcome.name())).line(0);
    let tool = || Snippet::new("\"tool_calls_any\": [\"").then(tools::choice(scene)).text("\"],").line(0);
    let telemetry = || Snippet::new("\"telemetry\": [\"tool.");
    match outcome {
        Outcome::ToolSuccess => snippet.then(tool().then(telemetry()).again(1).text(" result success:true\"]")),
        Outcome::ToolStarted => snippet.then(tool().then(telemetry()).again(1).text(" start\"]")),
        Outcome::NeedsInput => snippet.then(tool()).text("\"must_say_any\": ").strings(),
        Outcome::GracefulBlock => {
            let tools = Snippet::new("\"tool_calls_none\": [\"").then(tools::choice(scene)).text("\"],").line(0);
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
