//! A case, its groups, and the default values. Scoring, hover, completion and the documentation all read these tables, which are those
//! of `docs/scoring.md`.

use std::collections::HashSet;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::suite::Expected;
use crate::syntax::most_nodes;
use crate::text::Span;

use super::Version;

/// A value and its span. Spans within a case count from the start of the case, spans of a suite's own fields from the start
/// of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spanned<T> {
    /// The value.
    pub(crate) value: T,
    /// The text, including quotes and brackets.
    pub(crate) span: Span,
}

/// The value of a key. On the heap, because a case has few of the keys that it may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<T>(Box<KeyAndValue<T>>);

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyAndValue<T> {
    /// The value.
    pub(crate) value: T,
    /// The text of the value.
    pub(crate) span: Span,
    /// The start and the end of [`KeyAndValue::key`], small because a suite has many.
    key: [u32; 2],
}

impl<T> KeyAndValue<T> {
    /// The text of the key, including its quotes.
    pub(crate) fn key(&self) -> Span {
        Span::new(self.key[0] as usize, self.key[1] as usize)
    }
}

impl<T> Deref for Field<T> {
    type Target = KeyAndValue<T>;

    fn deref(&self) -> &KeyAndValue<T> {
        &self.0
    }
}

impl<T> DerefMut for Field<T> {
    fn deref_mut(&mut self) -> &mut KeyAndValue<T> {
        &mut self.0
    }
}

impl<T> Field<T> {
    /// The value at `span` of the key at `key`.
    pub(crate) fn new(value: T, span: Span, key: Span) -> Self {
        let key = [key.start as u32, key.end as u32];
        Field(Box::new(KeyAndValue { value, span, key }))
    }

    /// The text from the key to the value.
    pub(crate) fn member(&self) -> Span {
        self.key().join(self.span)
    }
}

/// A list of strings. Elements of another type are left out; the schema reports them.
pub(crate) type List = Field<Vec<Spanned<String>>>;

impl List {
    /// The entries without empty strings, which the runner skips.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.value.iter().filter(|entry| !entry.value.is_empty())
    }
}

/// One case of a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The length of the text, in bytes.
    pub(crate) len: usize,
    /// `id`
    pub(crate) id: Option<Field<String>>,
    /// `category`
    pub(crate) category: Option<Field<String>>,
    /// `prompt`
    pub(crate) prompt: Option<Field<String>>,
    /// `preconditions`
    pub(crate) preconditions: Option<List>,
    /// `setup_prompts`
    pub(crate) setup_prompts: Option<List>,
    /// `expected`; empty if the case has none.
    pub(crate) expected: Expected,
}

/// The patterns that `source_patterns` gives for one source: the source's name is the key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourcePatterns {
    /// The source's name.
    pub(crate) source: Spanned<String>,
    /// The phrases that mention the source.
    pub(crate) patterns: List,
}

/// An entry of `must_ground_numbers`: an object, or a bare string or number, which is its `value`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumericItem {
    /// The whole entry.
    pub(crate) span: Span,
    /// Whether it is an object.
    pub(crate) is_object: bool,
    /// `label`
    pub(crate) label: Option<Field<String>>,
    /// `value`; a number as it is written. In a bare entry, key and value have the same span.
    pub(crate) value: Option<Field<String>>,
    /// `regex`
    pub(crate) regex: Option<Field<String>>,
    /// `context_any`
    pub(crate) context_any: Option<List>,
}

impl NumericItem {
    /// The name in reports: `label`, or else `value`, or else `regex`, or else `numeric`.
    pub(crate) fn name(&self) -> &str {
        let given = [&self.label, &self.value, &self.regex];
        given.into_iter().flatten().map(|field| field.value.as_str()).next().unwrap_or("numeric")
    }
}

/// `scoring`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scoring {
    /// `hard_fail`
    pub(crate) hard_fail: Option<List>,
    /// `soft_score`
    pub(crate) soft_score: Option<Field<SoftScore>>,
}

/// `scoring.soft_score`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SoftScore {
    /// `threshold`
    pub(crate) threshold: Option<Field<f64>>,
    /// `weights`
    pub(crate) weights: Option<Field<Weights>>,
}

/// `scoring.soft_score.weights`, in the order of the text.
pub(crate) type Weights = Vec<Weight>;

/// The weights that count, in the order of the text. If a group is named twice, its last weight counts, as in any JSON
/// reader.
pub(crate) fn effective_weights(weights: &[Weight]) -> Vec<&Weight> {
    let mut named = HashSet::new();
    let last = weights.iter().rev().filter(|weight| named.insert(weight.group.value.as_str()));
    let mut effective: Vec<_> = last.collect();
    effective.reverse();
    effective
}

/// The weight of one group: the group's name is the key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weight {
    /// The name of the group, which may be unknown.
    pub(crate) group: Spanned<String>,
    /// The weight.
    pub(crate) value: Spanned<f64>,
}

impl Expected {
    /// `scoring.hard_fail`
    pub(crate) fn hard_fail(&self) -> Option<&List> {
        self.scoring.as_ref()?.value.hard_fail.as_ref()
    }

    /// `scoring.soft_score`
    pub(crate) fn soft_score(&self) -> Option<&SoftScore> {
        Some(&self.scoring.as_ref()?.value.soft_score.as_ref()?.value)
    }

    /// `scoring.soft_score.weights`
    pub(crate) fn weights(&self) -> Option<&Field<Weights>> {
        self.soft_score()?.weights.as_ref()
    }

    /// `scoring.soft_score.threshold`
    pub(crate) fn threshold(&self) -> Option<&Field<f64>> {
        self.soft_score()?.threshold.as_ref()
    }
}

/// A whole suite. The spans of `name`, `version` and `list` count from the start of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suite {
    /// `name`
    pub(crate) name: Option<Field<String>>,
    /// `version`
    pub(crate) version: Option<Field<String>>,
    /// The `cases` list; `None` if there is none.
    pub(crate) list: Option<Field<()>>,
    /// The cases, in the order of the file.
    pub cases: Vec<PlacedCase>,
}

/// A case and its start in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedCase {
    /// The offset of the first byte of the case.
    pub(crate) start: usize,
    /// The case; its spans count from `start`.
    pub case: Arc<Case>,
}

impl PlacedCase {
    /// The span of the case in the file.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.case.len)
    }

    /// The span in the file of a span in the case.
    pub(crate) fn absolute(&self, span: Span) -> Span {
        span.shifted_by(self.start)
    }
}

impl Suite {
    /// The cases that `span` touches, by index.
    pub(crate) fn cases_in(&self, span: Span) -> Range<usize> {
        let start = self.cases.partition_point(|case| case.span().end < span.start);
        start..self.cases.partition_point(|case| case.start <= span.end).max(start)
    }

    /// The case that a cursor at `offset` touches, and its index.
    pub(crate) fn case_at(&self, offset: usize) -> Option<(usize, &PlacedCase)> {
        let index = self.cases.partition_point(|case| case.start <= offset).checked_sub(1)?;
        let case = &self.cases[index];
        case.span().touches(offset).then_some((index, case))
    }
}

/// The memory for a node of a suite's tree with its share of the model, in bytes.
const OF_NODE: u64 = 280;

/// No less than the memory that a suite with this text takes, in bytes. Known before the text is parsed.
pub(crate) fn memory_of(text: &str) -> u64 {
    2 * text.len() as u64 + OF_NODE * most_nodes(text) as u64
}

/// The markers of assumptions if `assumption_markers_any` is absent or empty.
pub(crate) const ASSUMPTION_MARKERS: [&str; 10] = [
    "assumption",
    "assuming",
    "uncertain",
    "not enough data",
    "insufficient data",
    "based on available data",
    "cannot verify",
    "may be stale",
    "might be stale",
    "confidence",
];

/// The default of `lever_regex`.
pub(crate) const LEVER_REGEX: &str = r"(?im)^(?:[-*]|[0-9]+\.)\s+.+";
/// The default of `claim_marker_regex`.
pub(crate) const CLAIM_MARKER_REGEX: &str = "(?i)(today.?s mission|mission|recommendation)";
/// The default of `evidence_marker_regex`.
pub(crate) const EVIDENCE_MARKER_REGEX: &str = "(?i)(evidence|source|observed|metric)";
/// The default of `alignment_marker_regex`.
pub(crate) const ALIGNMENT_MARKER_REGEX: &str = "(?i)(because|based on|backed by|driven by|grounded in)";
/// The default of `evidence_freshness_regex`.
pub(crate) const EVIDENCE_FRESHNESS_REGEX: &str = r"(?i)[0-9]{1,4}\s*(?:m|min|minute|minutes)";

/// The usual override actions of a morning brief. Completion suggests them; scoring does not use them.
pub(crate) const OVERRIDE_ACTIONS: [&str; 4] =
    ["Reframe mission", "Lower priority", "Use different objective", "Snooze"];

/// The default weights of a soft score.
pub(crate) const DEFAULT_WEIGHTS: [(Group, f64); 5] = [
    (Group::ToolHygiene, 0.35),
    (Group::SynthesisCoverage, 0.30),
    (Group::NumericGrounding, 0.20),
    (Group::Uncertainty, 0.10),
    (Group::Formatting, 0.05),
];

/// The built-in sources, and the phrases that mention them.
pub(crate) const BUILT_IN_SOURCES: [(&str, &[&str]); 4] = [
    ("github", &["github", "commit", "pull request", "pr", "issue", "repo"]),
    ("slack", &["slack", "mention", "channel", "message", "thread"]),
    ("posthog", &["posthog", "site health", "event", "funnel", "insight"]),
    ("vercel", &["vercel", "deployment", "build", "production"]),
];

/// The phrases of a built-in source. The name is compared ignoring case.
pub(crate) fn built_in_source(name: &str) -> Option<&'static [&'static str]> {
    let name = name.to_lowercase();
    BUILT_IN_SOURCES.iter().find(|(source, _)| *source == name).map(|(_, patterns)| *patterns)
}

/// The phrases of a source that the case does not give: those that the workspace defines, or else the built-in ones, or else its
/// name.
pub(crate) fn source_phrases<'a>(source: &'a str, defined: Option<&'a [String]>) -> Vec<&'a str> {
    match defined {
        Some(defined) => defined.iter().map(String::as_str).filter(|phrase| !phrase.is_empty()).collect(),
        None => built_in_source(source).map_or_else(|| vec![source], <[&str]>::to_vec),
    }
}

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
