use std::fmt;

use serde::{Deserialize, Serialize};

use super::Version;

/// A scoring group: checks that share a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Group {
    /// `tool_hygiene`: tools, telemetry, outcome, UI hints.
    ToolHygiene,
    /// `synthesis_coverage`: required sources.
    SynthesisCoverage,
    /// `numeric_grounding`: numbers.
    NumericGrounding,
    /// `uncertainty`: assumptions.
    Uncertainty,
    /// `formatting`: phrases and patterns.
    Formatting,
    /// `morning_brief_contract`: levers, claims and evidence, freshness, override actions.
    MorningBriefContract,
}

impl Group {
    /// All groups, in the order of results.
    pub(crate) const ALL: [Group; 6] = [
        Group::ToolHygiene,
        Group::SynthesisCoverage,
        Group::NumericGrounding,
        Group::Uncertainty,
        Group::Formatting,
        Group::MorningBriefContract,
    ];

    /// The name in suites and results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::ToolHygiene => "tool_hygiene",
            Group::SynthesisCoverage => "synthesis_coverage",
            Group::NumericGrounding => "numeric_grounding",
            Group::Uncertainty => "uncertainty",
            Group::Formatting => "formatting",
            Group::MorningBriefContract => "morning_brief_contract",
        }
    }

    /// The group with that name.
    pub(crate) fn from_name(name: &str) -> Option<Group> {
        Group::ALL.into_iter().find(|group| group.name() == name)
    }

    /// The first version of the format that has the group.
    pub(crate) fn since(self) -> Version {
        if self == Group::MorningBriefContract { Version::V0_3 } else { Version::V0_2 }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of `expected.outcome`, which is judged by the telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// `tool_success`
    ToolSuccess,
    /// `tool_started`
    ToolStarted,
    /// `needs_input`
    NeedsInput,
    /// `graceful_block`
    GracefulBlock,
    /// `graceful_error`
    GracefulError,
    /// `response_only`
    ResponseOnly,
}

impl Outcome {
    /// All outcomes, in the order of the documentation.
    pub(crate) const ALL: [Outcome; 6] = [
        Outcome::ToolSuccess,
        Outcome::ToolStarted,
        Outcome::NeedsInput,
        Outcome::GracefulBlock,
        Outcome::GracefulError,
        Outcome::ResponseOnly,
    ];

    /// The name in suites.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::ToolSuccess => "tool_success",
            Outcome::ToolStarted => "tool_started",
            Outcome::NeedsInput => "needs_input",
            Outcome::GracefulBlock => "graceful_block",
            Outcome::GracefulError => "graceful_error",
            Outcome::ResponseOnly => "response_only",
        }
    }

    /// The outcome with that name.
    pub(crate) fn from_name(name: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Whether the outcome can fail. `lists_tools` is whether `tool_calls_any` has entries.
    pub(crate) fn can_fail(self, lists_tools: bool) -> bool {
        match self {
            Outcome::ResponseOnly => false,
            Outcome::NeedsInput => lists_tools,
            _ => true,
        }
    }
}
