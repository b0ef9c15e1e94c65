//! The verdict on a case: one type for lenses, hints, reports, and the JSON of results. Several attempts are folded to one status, and the times of cases to one line.

use serde::{Deserialize, Serialize, Serializer};

use crate::checks::{CheckOutcome, Evidence};
use crate::suite::Group;
use crate::text::{LineColumn, Span, counted, number, seconds};
use crate::transcript::{LastRecord, Usage};

use super::judge::is_asked;
use super::{Status, Term};

/// The number of lines of a response in a result.
/// As many as the shell runner keeps.
pub(crate) const EXCERPT: usize = 40;

/// The result of a case in the JSON of a run. The format is `schemas/result.schema.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case's id; empty if it has none.
    pub(crate) id: String,
    /// The prompt; empty if it has none.
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

/// How often a case runs, and how often it must pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RepeatRule {
    /// The number of attempts, at least 1.
    pub(crate) attempts: usize,
    /// The number of attempts that must pass, from 1 to all of them.
    pub(crate) min_pass: usize,
    /// Whether no further attempt is made once the status cannot change.
    pub(crate) stops_early: bool,
    /// Whether a failed case counts otherwise if it is flaky, so that this must be known too.
    pub(crate) flaky_matters: bool,
}

/// The attempts at a case that ran several times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repeats {
    /// The number of attempts that were planned.
    pub(crate) planned: usize,
    /// The number of attempts that must pass.
    pub(crate) min_pass: usize,
    /// Whether some judged attempts have another status than others.
    pub(crate) flaky: bool,
    /// The attempts, in order. There are fewer than planned if the rest could not change the status.
    pub(crate) attempts: Vec<Repeat>,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repeat {
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Why it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The soft score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) soft_score: Option<f64>,
    /// The ids of the checks by result.
    pub(crate) checks: CheckLists,
    /// The duration in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration_ms: Option<u64>,
    /// What its answer took, if its target stated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) usage: Option<Usage>,
}

impl RepeatRule {
    /// The status of a case with these attempts: the best status that at least `min_pass` attempts reach. `ERROR` if that
    /// depends on attempts that could not be judged, or that are missing.
    pub(crate) fn status(&self, attempts: &[Status]) -> Status {
        self.certain(attempts).unwrap_or(Status::Error)
    }

    /// Whether further attempts cannot change what the case counts as.
    pub(crate) fn is_decided(&self, attempts: &[Status]) -> bool {
        let stops = self.stops_early && !attempts.is_empty();
        let certain = self.certain(attempts).filter(|_| stops);
        let is_open = |status: Status| status == Status::Fail && self.flaky_matters && !is_flaky(attempts);
        attempts.len() >= self.attempts || certain.is_some_and(|status| !is_open(status))
    }

    /// The status, whatever the attempts without a verdict and the missing ones would give.
    fn certain(&self, attempts: &[Status]) -> Option<Status> {
        let mut judged: Vec<Status> = attempts.iter().copied().filter(|status| *status != Status::Error).collect();
        // From best to worst.
        judged.sort_unstable();
        let unknown = self.attempts.saturating_sub(judged.len());
        let at = |place: usize| judged.get(place).copied();
        let best = if unknown >= self.min_pass { Some(Status::Pass) } else { at(self.min_pass - 1 - unknown) };
        let worst = at(self.min_pass - 1).unwrap_or(Status::Fail);
        best.filter(|best| *best == worst)
    }
}

/// Whether some judged attempts have another status than others.
pub(crate) fn is_flaky(attempts: &[Status]) -> bool {
    let mut judged = attempts.iter().filter(|status| **status != Status::Error);
    judged.next().is_some_and(|first| judged.any(|status| status != first))
}

impl Repeats {
    /// The attempts that passed, of those that were judged.
    pub(crate) fn passed(&self) -> (usize, usize) {
        let judged = self.attempts.iter().filter(|attempt| attempt.status != Status::Error);
        (judged.clone().filter(|attempt| attempt.status == Status::Pass).count(), judged.count())
    }
}

/// What one answer took, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Took {
    /// The duration in milliseconds.
    pub(crate) duration_ms: Option<u64>,
    /// The usage that its target stated.
    pub(crate) usage: Option<Usage>,
}

impl CaseResult {
    /// What each of its answers took. An attempt that ended in `ERROR` has none.
    pub(crate) fn took(&self) -> Vec<Took> {
        let attempts = self.repeats.iter().flat_map(|repeats| &repeats.attempts);
        let attempts = attempts.filter(|attempt| attempt.status != Status::Error).map(Repeat::took);
        let once = self.repeats.is_none() && self.status != Status::Error;
        attempts.chain(once.then_some(Took { duration_ms: self.duration_ms, usage: self.usage })).collect()
    }
}

impl Repeat {
    /// What its answer took.
    pub(crate) fn took(&self) -> Took {
        Took { duration_ms: self.duration_ms, usage: self.usage }
    }
}

/// What the answers of a run took. Durations are those of the attempts whose duration is known. The 95th percentile is that of the nearest rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnswerSummary {
    /// The number of answers whose duration is known.
    pub(crate) count: usize,
    /// The sum of their durations in milliseconds.
    pub(crate) duration_ms: u64,
    /// The median of the durations, in milliseconds.
    pub(crate) median_ms: u64,
    /// The duration that 95 % of them do not exceed, in milliseconds.
    pub(crate) p95_ms: u64,
    /// The number of answers that state a usage.
    pub(crate) with_usage: usize,
    /// The sums of what those state.
    #[serde(flatten)]
    pub(crate) usage: Usage,
}

impl AnswerSummary {
    /// Sums up these answers; `None` if no duration is known.
    pub(crate) fn of(answers: impl IntoIterator<Item = Took>) -> Option<AnswerSummary> {
        let (durations, usages): (Vec<Option<u64>>, Vec<Option<Usage>>) =
            answers.into_iter().map(|took| (took.duration_ms, took.usage)).unzip();
        let mut durations: Vec<u64> = durations.into_iter().flatten().collect();
        durations.sort_unstable();
        let rank = |percent: usize| durations.get((durations.len() * percent).div_ceil(100).max(1) - 1).copied();
        let stated: Vec<Usage> = usages.into_iter().flatten().filter(|usage| *usage != Usage::default()).collect();
        let costs: Vec<f64> = stated.iter().filter_map(|usage| usage.cost).collect();
        let tokens = |of: fn(&Usage) -> Option<u64>| stated.iter().filter_map(of).reduce(u64::saturating_add);
        Some(AnswerSummary {
            count: durations.len(),
            duration_ms: durations.iter().fold(0, |sum, duration| sum.saturating_add(*duration)),
            median_ms: rank(50)?.midpoint(durations[durations.len() / 2]),
            p95_ms: rank(95)?,
            with_usage: stated.len(),
            usage: Usage {
                input_tokens: tokens(|usage| usage.input_tokens),
                output_tokens: tokens(|usage| usage.output_tokens),
                // Six digits keep the price of one short answer of a cheap model.
                cost: costs.into_iter().reduce(|sum, cost| sum + cost).map(|cost| (cost * 1e6).round() / 1e6),
            },
        })
    }

    /// The figures with their names: `median` and `1.2 s`, `cost` and `0.12`.
    pub(crate) fn figures(&self) -> Vec<(&'static str, String)> {
        let Usage { input_tokens, output_tokens, cost } = self.usage;
        let durations = [("time", self.duration_ms), ("median", self.median_ms), ("p95", self.p95_ms)];
        let mut figures: Vec<_> = durations.map(|(name, milliseconds)| (name, seconds(milliseconds))).into();
        figures.extend(input_tokens.map(|count| ("input tokens", count.to_string())));
        figures.extend(output_tokens.map(|count| ("output tokens", count.to_string())));
        figures.extend(cost.map(|cost| ("cost", number(cost))));
        figures
    }

    /// As a line: `12 answers: time 15.0 s, median 1.2 s, p95 3.4 s, cost 0.12`.
    pub(crate) fn line(&self) -> String {
        // The median of one answer is its time.
        let is_shown = |(name, _): &&(&str, String)| self.count > 1 || !["median", "p95"].contains(name);
        let figures = self.figures();
        let shown = figures.iter().filter(is_shown).map(|(name, value)| format!("{name} {value}"));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let stated = if self.is_partial() {
            format!(" (usage of {})", counted(self.with_usage, "answer"))
        } else {
            String::new()
        };
        format!("{}: {shown}{stated}", counted(self.count, "answer"))
    }

    /// Whether some answers do not state what the sums of the usage sum up.
    pub(crate) fn is_partial(&self) -> bool {
        (1..self.count).contains(&self.with_usage)
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

#[cfg(test)]
mod repeats_tests {
    use super::Status::{Error, Fail, Partial, Pass};
    use super::*;

    fn rule(attempts: usize, min_pass: usize) -> RepeatRule {
        RepeatRule { attempts, min_pass, stops_early: true, flaky_matters: false }
    }

    #[test]
    fn attempts_without_a_verdict_do_not_count() {
        let attempt = |status| Repeat {
            status,
            reason: None,
            soft_score: None,
            checks: CheckLists::default(),
            duration_ms: None,
            usage: None,
        };
        let attempts = [Pass, Partial, Error, Pass, Fail].map(attempt).to_vec();
        let repeats = Repeats { planned: 5, min_pass: 5, flaky: true, attempts };
        assert_eq!(repeats.passed(), (2, 4));
    }

    #[test]
    fn enough_attempts_decide() {
        for (min_pass, attempts, status) in [
            (5, &[Pass; 5][..], Pass),
            (4, &[Pass, Pass, Fail, Pass, Pass], Pass),
            (4, &[Pass, Pass, Fail, Pass, Fail], Fail),
            (4, &[Pass, Pass, Partial, Pass, Fail], Partial),
            (1, &[Fail, Fail, Fail, Fail, Pass], Pass),
            // The attempt without a verdict would decide.
            (4, &[Pass, Pass, Pass, Fail, Error], Error),
            (3, &[Pass, Pass, Pass, Fail, Error], Pass),
            (4, &[Fail, Fail, Pass, Fail, Error], Fail),
            (1, &[Error; 5], Error),
        ] {
            assert_eq!(rule(5, min_pass).status(attempts), status, "{min_pass} {attempts:?}");
        }
    }

    #[test]
    fn attempts_end_once_the_status_cannot_change() {
        for (min_pass, attempts, decided) in [
            (4, &[][..], false),
            (4, &[Pass, Pass, Pass], false),
            (4, &[Pass; 4], true),
            (4, &[Fail, Pass], false),
            (4, &[Fail, Fail], true),
            (5, &[Fail], true),
            (1, &[Pass], true),
            (1, &[Error, Fail], false),
        ] {
            assert_eq!(rule(5, min_pass).is_decided(attempts), decided, "{min_pass} {attempts:?}");
        }
        assert!(!RepeatRule { stops_early: false, ..rule(5, 5) }.is_decided(&[Fail]));
        let unsure = RepeatRule { flaky_matters: true, ..rule(5, 5) };
        assert!(!unsure.is_decided(&[Fail, Fail]) && unsure.is_decided(&[Fail, Pass]) && unsure.is_decided(&[Fail; 5]));
    }

    #[test]
    fn attempts_that_disagree_are_flaky() {
        for (attempts, flaky) in
            [(&[Pass, Fail][..], true), (&[Pass, Error], false), (&[Error], false), (&[Pass, Partial], true)]
        {
            assert_eq!(is_flaky(attempts), flaky, "{attempts:?}");
        }
    }
}

#[cfg(test)]
mod took_tests {
    use super::*;

    fn took(duration_ms: u64, cost: Option<f64>) -> Took {
        let usage = cost.map(|cost| Usage { input_tokens: Some(10), output_tokens: None, cost: Some(cost) });
        Took { duration_ms: Some(duration_ms), usage }
    }

    #[test]
    fn the_median_is_in_the_middle_and_p95_of_the_nearest_rank() {
        let unknown = Took { duration_ms: None, usage: None };
        for (durations, median, p95) in [
            (vec![7], 7, 7),
            (vec![3, 1], 2, 3),
            (vec![1, 2, 3], 2, 3),
            ((1..=20).rev().collect(), 10, 19),
            ((1..=100).collect(), 50, 95),
        ] {
            let answers = durations.iter().map(|duration| took(*duration, None)).chain([unknown]);
            let summary = AnswerSummary::of(answers).unwrap();
            assert_eq!((summary.count, summary.median_ms, summary.p95_ms), (durations.len(), median, p95));
            assert_eq!(summary.duration_ms, durations.iter().sum::<u64>());
        }
        assert_eq!(AnswerSummary::of([unknown]), None);
    }

    #[test]
    fn a_sum_names_how_many_answers_state_it() {
        let line = |answers: &[Took]| AnswerSummary::of(answers.iter().copied()).unwrap().line();
        assert_eq!(line(&[took(1240, None)]), "1 answer: time 1.2 s");
        assert_eq!(
            line(&[took(1000, Some(0.1)), took(3000, Some(0.2))]),
            "2 answers: time 4.0 s, median 2.0 s, p95 3.0 s, input tokens 20, cost 0.3"
        );
        assert_eq!(
            line(&[took(1000, Some(0.1)), took(3000, None)]),
            "2 answers: time 4.0 s, median 2.0 s, p95 3.0 s, input tokens 10, cost 0.1 (usage of 1 answer)"
        );
    }
}
