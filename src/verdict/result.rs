//! The verdict on a case: one type for lenses, hints, reports, and the JSON of results.

use serde::{Deserialize, Serialize, Serializer};

use crate::checks::{CheckOutcome, Evidence};
use crate::suite::Group;
use crate::text::{LineColumn, Span};
use crate::transcript::{LastRecord, Usage};
use crate::verdict::judge::is_asked;
use crate::verdict::{Repeats, Status, Term};

/// The number of lines of a response in a result.
/// As many as the shell runner keeps.
pub(crate) const EXCERPT: usize = 40;

/// The result of a case in the JSON of a run. The format is `schemas/result.schema.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case's id; empty if it has none.
    pub(crate) id: String,
    /// Its prompt; empty if it has none.
    #[serde(default)]
    pub(crate) prompt: String,
    /// The value of its `outcome`; `response_only` if it has none.
    #[serde(default)]
    pub(crate) expected_outcome: String,
    /// The status of the verdict.
    pub status: Status,
    /// Why it could not be judged; present if and only if the status is `ERROR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The file with a screenshot of the app after the case. Only for a case of a live target that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) screenshot: Option<String>,
    /// The ids of the checks by result. All empty if the status is `ERROR`: such a case is not scored.
    #[serde(default)]
    pub(crate) checks: CheckLists,
    /// The scores. Results of early shell runners have none.
    #[serde(default)]
    pub(crate) metrics: Metrics,
    /// The response's first 40 lines; empty without a transcript.
    #[serde(default)]
    pub(crate) snapshot_excerpt: Excerpt,
    /// The case's category; `general` if it has none.
    #[serde(default = "general")]
    pub(crate) category: String,
    /// Whether the transcript was recorded with other prompts than the case now has.
    #[serde(default)]
    pub(crate) stale: bool,
    /// The target that gave the answer, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answered_by: Option<String>,
    /// The time at which it was asked, if it is known: a date and time of RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answered_at: Option<String>,
    /// What is newer than the stored answer that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) newer: Option<Newer>,
    /// The duration of the case in milliseconds, if it is known.
    #[serde(default)]
    pub(crate) duration_ms: Option<u64>,
    /// What the answer took, if its target stated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) usage: Option<Usage>,
    /// The attempts before the one that this is the result of: each gave no answer, and the case was asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attempts: Vec<Attempt>,
    /// The attempts, if the case ran several times. The rest of the result is that of the first attempt with its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeats: Option<Repeats>,
    /// The result of each check, in the order of the expectations; empty if no transcript was judged.
    #[serde(default)]
    pub(crate) check_details: Vec<CheckResult>,
    /// The version of PCRE2 that judged the patterns.
    #[serde(default)]
    pub(crate) pcre2_version: String,
}

/// What is newer than a stored answer, so that the verdict on it may not be that on the target as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Newer {
    /// The status of the last answer of the target, judged by the present case, if it did not pass; `ERROR` if the target gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<Status>,
    /// The target of that answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// When it was recorded, if the transcript has that. The status is then that by the case as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recorded_at: Option<String>,
    /// How many of its attempts passed, and how many were judged, if it was asked several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempts: Option<(usize, usize)>,
    /// Whether the files of the target's program are others now than when it answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) program: bool,
}

impl Newer {
    /// The recording after an answer, which stayed.
    pub(crate) fn of(last: &LastRecord) -> Newer {
        let status = [Status::Error, Status::Partial].into_iter().find(|status| status.name() == last.status);
        Newer {
            answer: Some(status.unwrap_or(Status::Fail)),
            target: Some(last.target.clone()),
            recorded_at: Some(last.at.clone()),
            ..Newer::default()
        }
    }
}

/// The ids of the checks by result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CheckLists {
    /// The checks that passed.
    pub(crate) passed: Vec<String>,
    /// The checks that failed, then the ids that the scoring adds.
    pub(crate) failed: Vec<String>,
    /// The sentences of the UI hints without a definition.
    pub(crate) unknown_ui: Vec<String>,
}

/// The scores and their parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Metrics {
    /// Sources and numbers.
    pub(crate) synthesis: SynthesisMetrics,
    /// The morning brief.
    pub(crate) morning_brief: MorningBriefMetrics,
    /// The scores.
    pub(crate) scoring: ScoringMetrics,
}

/// Sources and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SynthesisMetrics {
    /// The required sources.
    pub(crate) required_sources: Vec<String>,
    /// The required sources that are not mentioned.
    pub(crate) missing_sources: Vec<String>,
    /// The labels of the numbers that are not shown.
    pub(crate) missing_numbers: Vec<String>,
}

/// The morning brief.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MorningBriefMetrics {
    /// The fields that failed: the field's name, or `override_action:<action>`.
    pub(crate) missing_checks: Vec<String>,
}

/// The scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ScoringMetrics {
    /// Each group's score, to six decimals.
    pub(crate) groups: GroupValues,
    /// The hard-fail groups with a check that did not pass.
    pub(crate) hard_fail_triggered: Vec<Group>,
    /// The soft score.
    pub(crate) soft_score: SoftScore,
}

/// Each group's score, to six decimals; `None` if the case could not be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "each is the group of its name")]
pub(crate) struct GroupValues {
    #[serde(serialize_with = "plain_number")]
    pub(crate) tool_hygiene: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub(crate) synthesis_coverage: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub(crate) numeric_grounding: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub(crate) uncertainty: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub(crate) formatting: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub(crate) morning_brief_contract: Option<f64>,
}

/// The soft score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SoftScore {
    /// The score, to six decimals; `None` if the case could not be judged.
    #[serde(serialize_with = "plain_number")]
    pub(crate) value: Option<f64>,
    /// The required score, if the case has one.
    #[serde(serialize_with = "plain_number")]
    pub(crate) threshold: Option<f64>,
    /// Whether the score reaches the threshold; true without a threshold; `None` if the case could not be judged.
    pub(crate) passed: Option<bool>,
    /// A term for each weight; empty if the case could not be judged.
    #[serde(default)]
    pub(crate) terms: Vec<Term>,
}

impl SoftScore {
    /// The score, if the case could be judged and asks for one.
    pub(crate) fn shown(&self) -> Option<f64> {
        self.value.filter(|_| is_asked(&self.terms, self.threshold))
    }

    /// The terms of a score that is shown; else none.
    pub(crate) fn shown_terms(&self) -> &[Term] {
        self.shown().map_or(&[], |_| &self.terms)
    }
}

/// An attempt that gave no answer and was followed by another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// Why there is no answer.
    pub(crate) reason: String,
    /// How long it took, in milliseconds.
    pub(crate) duration_ms: u64,
}

/// The result of one check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckResult {
    /// The check's id, for instance `must_not_say:I cannot`.
    pub(crate) id: String,
    /// Whether it passed.
    pub(crate) outcome: CheckOutcome,
    /// The group that it counts for; `None` for an outcome that does not exist.
    pub(crate) group: Option<Group>,
    /// The finding, as one plain line without a full stop. Text from suites and answers is quoted and harmless.
    pub(crate) message: String,
    /// Whether the prompt's own text decides: with it the outcome is another than without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) by_prompt: bool,
    /// The places in the transcript that decided the check.
    pub(crate) evidence: Vec<Evidence>,
    /// The nearest matches, if the check failed because something is missing.
    pub(crate) nearest: Vec<Evidence>,
    /// The place of the expectation in the suite; `None` before [`CaseResult::placed`].
    #[serde(default)]
    pub(crate) suite: Option<LineColumn>,
    /// The first place after the expectation in the suite; `None` before [`CaseResult::placed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) suite_end: Option<LineColumn>,
    /// The suite's field of the check, for instance `must_say_any`. Not part of the JSON.
    #[serde(skip)]
    pub(crate) field: &'static str,
    /// The span of the expectation, in bytes from the start of the case. Not part of the JSON.
    #[serde(skip)]
    pub(crate) span: Span,
}

fn general() -> String {
    "general".to_owned()
}

/// Lines of a response; in JSON an array of strings. They are one text in memory, each with a line break at its end, because
/// a run holds the lines of all its cases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct Excerpt(String);

impl Excerpt {
    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines().count()
    }

    /// The lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.split_terminator('\n')
    }
}

impl<L: AsRef<str>> FromIterator<L> for Excerpt {
    fn from_iter<I: IntoIterator<Item = L>>(lines: I) -> Self {
        let mut text = lines.into_iter().fold(String::new(), |text, line| text + line.as_ref() + "\n");
        text.shrink_to_fit();
        Excerpt(text)
    }
}

impl From<Vec<String>> for Excerpt {
    fn from(lines: Vec<String>) -> Self {
        lines.iter().collect()
    }
}

impl Serialize for Excerpt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lines())
    }
}

/// Writes `1` and not `1.0`: the format of results.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
pub(crate) fn plain_number<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match *number {
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => serializer.serialize_i64(number as i64),
        Some(number) => serializer.serialize_f64(number),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_an_array_of_its_lines() {
        for lines in [&[][..], &[""], &["", ""], &["é", "", "two lines", "x"]] {
            let excerpt: Excerpt = lines.iter().collect();
            assert_eq!((excerpt.len(), excerpt.lines().collect::<Vec<_>>()), (lines.len(), lines.to_vec()));
            let json = serde_json::to_string(&excerpt).unwrap();
            assert_eq!(json, serde_json::to_string(lines).unwrap());
            assert_eq!(serde_json::from_str::<Excerpt>(&json).unwrap(), excerpt);
        }
    }
}
