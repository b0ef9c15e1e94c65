//! The verdict on a case as the JSON of results has it.

use serde::{Deserialize, Serialize};

use crate::checks::{CheckOutcome, Evidence};
use crate::suite::Group;
use crate::text::{LineColumn, Span};

use super::{Status, Term};

mod build;
mod plain_number;

/// The result of a case, as it stands in the JSON of a run. The format is `schemas/result.schema.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case's id; empty where it has none.
    pub id: String,
    /// Its prompt; empty where it has none.
    pub prompt: String,
    /// Its outcome as it is written, else `response_only`.
    pub expected_outcome: String,
    /// How it ended.
    pub status: Status,
    /// Why it could not be judged; exactly where the status is `ERROR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The file that has a picture of what the case came to; only of a live target's case that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<String>,
    /// The checks' ids by what came of them. All empty where the status is `ERROR`: such a case is not scored.
    pub checks: CheckLists,
    /// What the checks add up to.
    pub metrics: Metrics,
    /// The response's first 40 lines; none where there is no transcript.
    pub snapshot_excerpt: Vec<String>,
    /// The case's category; `general` where it has none.
    pub category: String,
    /// Whether the transcript was recorded with other prompts than the case now has.
    pub stale: bool,
    /// How long the case took, in milliseconds, where that is known.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// What each check found, in the order in which they were made; none where no transcript was judged.
    pub check_details: Vec<CheckDetail>,
    /// The version of PCRE2 that judged the patterns.
    pub pcre2_version: String,
}

/// The checks' ids by what came of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckLists {
    /// Those that passed.
    pub passed: Vec<String>,
    /// Those that failed, then what the scoring added.
    pub failed: Vec<String>,
    /// The UI hints that nobody defined: the sentences themselves.
    pub unknown_ui: Vec<String>,
}

/// What the checks add up to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Sources and numbers.
    pub synthesis: SynthesisMetrics,
    /// The morning brief.
    pub morning_brief: MorningBriefMetrics,
    /// The scores.
    pub scoring: ScoringMetrics,
}

/// Sources and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SynthesisMetrics {
    /// The sources that are asked for.
    pub required_sources: Vec<String>,
    /// Those of them that are not mentioned.
    pub missing_sources: Vec<String>,
    /// The labels of the numbers that are not shown.
    pub missing_numbers: Vec<String>,
}

/// The morning brief.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MorningBriefMetrics {
    /// What failed: the field's name, or `override_action:<action>`.
    pub missing_checks: Vec<String>,
}

/// The scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoringMetrics {
    /// Each group's score, to six decimals.
    pub groups: GroupValues,
    /// The hard-fail groups that have a check that did not pass.
    pub hard_fail_triggered: Vec<Group>,
    /// The soft score.
    pub soft_score: SoftScoreValue,
}

/// Each group's score, to six decimals; `None` where the case could not be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is the group of its name")]
pub struct GroupValues {
    #[serde(serialize_with = "plain_number::option")]
    pub tool_hygiene: Option<f64>,
    #[serde(serialize_with = "plain_number::option")]
    pub synthesis_coverage: Option<f64>,
    #[serde(serialize_with = "plain_number::option")]
    pub numeric_grounding: Option<f64>,
    #[serde(serialize_with = "plain_number::option")]
    pub uncertainty: Option<f64>,
    #[serde(serialize_with = "plain_number::option")]
    pub formatting: Option<f64>,
    #[serde(serialize_with = "plain_number::option")]
    pub morning_brief_contract: Option<f64>,
}

/// The soft score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoftScoreValue {
    /// The score, to six decimals; `None` where the case could not be judged.
    #[serde(serialize_with = "plain_number::option")]
    pub value: Option<f64>,
    /// What it has to reach, where the case says so.
    #[serde(serialize_with = "plain_number::option")]
    pub threshold: Option<f64>,
    /// Whether it does, true where there is no threshold; `None` where the case could not be judged.
    pub passed: Option<bool>,
    /// How it came about: a term for each weight. None where the case could not be judged.
    #[serde(default)]
    pub terms: Vec<Term>,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckDetail {
    /// The check's id.
    pub id: String,
    /// What came of it.
    pub outcome: CheckOutcome,
    /// The group it counts for, if any.
    pub group: Option<Group>,
    /// What was found, as one plain line.
    pub message: String,
    /// What it was found by: where in the transcript something matched, or stands that must not be there.
    pub evidence: Vec<Evidence>,
    /// Of a check that failed because something is lacking: what comes nearest to it.
    pub nearest: Vec<Evidence>,
    /// Where in the suite it is asked for; `None` until [`CaseResult::placed`] has said so.
    #[serde(default)]
    pub suite: Option<LineColumn>,
    /// The text that asks, in bytes from where the case starts. Not part of the JSON.
    #[serde(skip)]
    pub span: Span,
}
