//! Checks → groups → status → the result of a case.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::{self, CheckOutcome, Expectation, Judged, expectations};
use crate::config::Config;
use crate::pattern::{self, Budget};
use crate::suite::{self, Case, DEFAULT_WEIGHTS, Expected, Field, Group, List, Outcome, effective_weights};
use crate::text::Text;
use crate::transcript::Transcript;

use super::result::{GroupValues, Metrics, SoftScore, SynthesisMetrics};
use super::{CaseResult, CheckResult, EXCERPT, Newer};

/// Judges a transcript of a case. `config` defines the workspace's UI hints and sources.
pub fn judge(case: &Case, transcript: &Transcript, config: &Config) -> CaseResult {
    let asked = expectations(case);
    let judged = Judged::new(transcript, case, config);
    let scored = CaseResult::of(checked(&asked, &judged, config), &case.expected);
    let mut result = CaseResult {
        status: scored.status,
        reason: scored.reason,
        snapshot_excerpt: judged.first_lines(EXCERPT).collect(),
        stale: is_stale(case, transcript),
        newer: transcript.last_record.as_deref().map(Newer::of),
        answered_by: transcript.target.clone(),
        answered_at: transcript.recorded_at.clone(),
        duration_ms: transcript.duration_ms,
        usage: transcript.usage,
        check_details: scored.check_details,
        ..CaseResult::not_run(case, "")
    };
    for (asked, check) in asked.iter().zip(&mut result.check_details) {
        if check.outcome == CheckOutcome::Failed {
            check.nearest = checks::nearest(asked, &judged, config);
        }
    }
    if result.status != Status::Error {
        result.checks = scored.checks;
        result.metrics.scoring = scored.metrics.scoring;
        asked.iter().enumerate().for_each(|(at, asked)| result.list(asked, at));
    }
    result
}

/// The verdict for code that judges many answers and shows none: no message and no evidence mentions the prompt's own text,
/// and a case that could not be judged has a score. `asked` are the case's [`expectations`].
pub(crate) fn judge_outcomes(
    case: &Case,
    asked: &[Expectation<'_>],
    transcript: &Transcript,
    config: &Config,
) -> CaseResult {
    let judged = Judged::for_outcomes(transcript, case, config);
    CaseResult::of(checked(asked, &judged, config), &case.expected)
}

fn checked(asked: &[Expectation<'_>], judged: &Judged<'_>, config: &Config) -> Vec<CheckResult> {
    let budget = Budget::default();
    let result = |asked: &Expectation<'_>| {
        let checks::Decision { outcome, message, evidence, by_prompt } = checks::check(asked, judged, config, &budget);
        let (id, group, span) = (asked.id.clone(), asked.group, asked.span);
        let field = asked.key;
        CheckResult { id, outcome, group, message, by_prompt, evidence, field, span, ..CheckResult::default() }
    };
    asked.iter().map(result).collect()
}

impl CaseResult {
    /// What follows from the checks and the case's scoring.
    pub(super) fn of(checks: Vec<CheckResult>, expected: &Expected) -> CaseResult {
        let groups = scores(&checks);
        let soft_score = soft_score_of(expected.soft_score(), &groups);
        let hard_fail_triggered = triggered(expected.hard_fail(), &groups);
        let mut result = CaseResult::default();
        (result.status, result.checks.failed) = status_of(&checks, &hard_fail_triggered, &soft_score);
        let error = checks.iter().find(|check| check.outcome == CheckOutcome::NotJudged);
        result.reason = error.map(|check| check.message.clone());
        let [tool_hygiene, synthesis_coverage, numeric_grounding, uncertainty, formatting, morning_brief_contract] =
            groups.map(|group| Some(six_decimals(group.score())));
        let groups = GroupValues {
            tool_hygiene,
            synthesis_coverage,
            numeric_grounding,
            uncertainty,
            formatting,
            morning_brief_contract,
        };
        result.metrics.scoring = super::result::ScoringMetrics { groups, hard_fail_triggered, soft_score };
        CaseResult { check_details: checks, ..result }
    }

    /// Adds the result of the check `at` to the lists of results.
    fn list(&mut self, asked: &Expectation<'_>, at: usize) {
        let check = &self.check_details[at];
        let name = |prefix: &str| asked.id.strip_prefix(prefix).unwrap_or_default().to_owned();
        let Metrics { synthesis, morning_brief, .. } = &mut self.metrics;
        match (asked.key, check.outcome) {
            (_, CheckOutcome::Passed) => self.checks.passed.push(check.id.clone()),
            ("ui", CheckOutcome::Unknown) => self.checks.unknown_ui.push(name("ui:")),
            ("required_sources", CheckOutcome::Failed) => {
                synthesis.missing_sources.push(name("synthesis:required_source:"));
            }
            ("must_ground_numbers", CheckOutcome::Failed) => synthesis.missing_numbers.push(name("synthesis:numeric:")),
            ("must_allow_override_actions", CheckOutcome::Failed) => {
                morning_brief.missing_checks.push(name("morning_brief:"));
            }
            (key, CheckOutcome::Failed) if asked.group == Some(Group::MorningBriefContract) => {
                morning_brief.missing_checks.push(key.to_owned());
            }
            _ => {}
        }
    }

    /// The result of a case without an answer: its target could not be run, or there is no transcript.
    pub(crate) fn not_run(case: &Case, reason: impl Into<String>) -> CaseResult {
        let text = |field: &Option<Field<String>>, default: &str| {
            field.as_ref().map_or(default, |field| field.value.as_str()).to_owned()
        };
        let sources = case.expected.required_sources.iter().flat_map(List::entries);
        let required_sources = sources.map(|source| source.value.clone()).collect();
        let mut metrics = Metrics {
            synthesis: SynthesisMetrics { required_sources, ..SynthesisMetrics::default() },
            ..Metrics::default()
        };
        metrics.scoring.soft_score.threshold = case.expected.threshold().map(|field| field.value);
        CaseResult {
            id: text(&case.id, ""),
            prompt: text(&case.prompt, ""),
            expected_outcome: text(&case.expected.outcome, Outcome::ResponseOnly.name()),
            status: Status::Error,
            reason: Some(reason.into()),
            metrics,
            category: text(&case.category, "general"),
            pcre2_version: pattern::pcre2_version(),
            ..CaseResult::default()
        }
    }

    /// The result with the place in `suite` of each check. `start` is the offset of the case in `suite`.
    #[must_use]
    pub(crate) fn placed(mut self, suite: &Text, start: usize) -> CaseResult {
        for check in &mut self.check_details {
            check.suite = Some(suite.line_column(start + check.span.start));
            check.suite_end = Some(suite.line_column(start + check.span.end));
        }
        self
    }
}

fn is_stale(case: &Case, transcript: &Transcript) -> bool {
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    let setup_prompts = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
    transcript.is_stale(prompt, setup_prompts)
}

/// The status, and the ids of the failed checks in their order, then the ids that the scoring adds.
fn status_of(checks: &[CheckResult], hard_fail_triggered: &[Group], soft_score: &SoftScore) -> (Status, Vec<String>) {
    let any = |outcome: CheckOutcome| checks.iter().any(|check| check.outcome == outcome);
    if any(CheckOutcome::NotJudged) {
        return (Status::Error, Vec::new());
    }
    let failing = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    let mut failed: Vec<String> = failing.map(|check| check.id.clone()).collect();
    let from_checks = match (failed.is_empty(), any(CheckOutcome::Unknown)) {
        (false, _) => Status::Fail,
        (true, true) => Status::Partial,
        (true, false) => Status::Pass,
    };
    let status = if !hard_fail_triggered.is_empty() {
        failed.extend(hard_fail_triggered.iter().map(|group| format!("scoring:hard_fail:{group}")));
        Status::Fail
    } else if soft_score.passed == Some(false) {
        failed.push("scoring:soft_score_below_threshold".to_owned());
        Status::Fail
    } else if soft_score.threshold.is_some() && from_checks == Status::Fail {
        Status::Partial
    } else {
        from_checks
    };
    (status, failed)
}

/// The number of checks in each group, and how many of them passed. An unknown check counts as not passed.
pub(crate) fn scores(checks: &[CheckResult]) -> [GroupScore; 6] {
    Group::ALL.map(|group| {
        let outcomes = checks.iter().filter(|check| check.group == Some(group)).map(|check| check.outcome);
        let passed = outcomes.clone().filter(|outcome| *outcome == CheckOutcome::Passed).count();
        GroupScore { group, passed, total: outcomes.count() }
    })
}

/// The groups of `hard_fail` with a check that did not pass, each once. A group that does not exist has no checks.
fn triggered(hard_fail: Option<&List>, groups: &[GroupScore; 6]) -> Vec<Group> {
    let mut triggered = Vec::new();
    for name in hard_fail.into_iter().flat_map(List::entries) {
        let score = groups.iter().find(|score| score.group.name() == name.value);
        let failing = score.filter(|score| score.passed < score.total).map(|score| score.group);
        triggered.extend(failing.filter(|group| !triggered.contains(group)));
    }
    triggered
}

/// The soft score of a case. The threshold is compared with the rounded value, because that is the value that is shown.
fn soft_score_of(asked: Option<&suite::SoftScore>, groups: &[GroupScore; 6]) -> SoftScore {
    let given = asked.and_then(|asked| asked.weights.as_ref());
    let terms: Vec<Term> = match given {
        Some(weights) => effective_weights(&weights.value)
            .into_iter()
            .map(|weight| term(&weight.group.value, weight.value.value, groups))
            .collect(),
        None => DEFAULT_WEIGHTS.iter().map(|(group, weight)| term(group.name(), *weight, groups)).collect(),
    };
    // Starts at positive zero: `sum` of no floats is negative zero.
    let product_sum = terms.iter().fold(0.0, |sum, term| sum + term.product);
    let weight_sum = terms.iter().fold(0.0, |sum, term| sum + term.weight);
    let exact = if weight_sum > 0.0 { product_sum / weight_sum } else { 1.0 };
    // Huge weights overflow: the quotient is then not finite.
    let value = if exact.is_finite() { six_decimals(exact) } else { 1.0 };
    let threshold = asked.and_then(|asked| asked.threshold.as_ref()).map(|field| field.value);
    let passed = threshold.is_none_or(|threshold| value >= threshold);
    SoftScore { value: Some(value), threshold, passed: Some(passed), terms }
}

/// Whether a case asks for a soft score: it has a threshold, or other weights than the default ones. Otherwise no score is shown, because
/// the groups without checks count as full.
pub(super) fn is_asked(terms: &[Term], threshold: Option<f64>) -> bool {
    threshold.is_some() || !has_default_weights(terms)
}

/// Whether the weights are the default ones.
pub(crate) fn has_default_weights(terms: &[Term]) -> bool {
    let weights = terms.iter().map(|term| (term.group.as_str(), term.weight));
    weights.eq(DEFAULT_WEIGHTS.iter().map(|(group, weight)| (group.name(), *weight)))
}

/// `number`, rounded to six decimals.
pub(super) fn six_decimals(number: f64) -> f64 {
    const MILLION: f64 = 1_000_000.0;
    let scaled = number * MILLION;
    // A number that overflows here has no decimals to round.
    if scaled.is_finite() { scaled.round() / MILLION } else { number }
}

fn term(group: &str, weight: f64, groups: &[GroupScore; 6]) -> Term {
    let score = groups.iter().find(|score| score.group.name() == group).map_or(1.0, |score| score.score());
    Term { group: group.to_owned(), weight, score, product: weight * score }
}

/// The status of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every check passed, and the soft score reaches the threshold if there is one.
    Pass,
    /// A UI hint is not defined, or checks failed but the soft score reaches the threshold.
    Partial,
    /// A check failed and there is no threshold, a hard-fail group was triggered, or the soft score is below the threshold.
    Fail,
    /// The case could not be judged.
    #[default]
    Error,
}

impl Status {
    /// All statuses, from best to worst.
    #[cfg(test)]
    pub(crate) const ALL: [Status; 4] = [Status::Pass, Status::Partial, Status::Fail, Status::Error];

    /// The name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Pass => "PASS",
            Status::Partial => "PARTIAL",
            Status::Fail => "FAIL",
            Status::Error => "ERROR",
        }
    }

    /// The place of a case in a list of those that did not pass: `FAIL` comes first, then `ERROR`.
    pub(crate) fn place(self) -> usize {
        [Status::Fail, Status::Error, Status::Partial, Status::Pass].iter().position(|one| *one == self).unwrap_or(0)
    }

    /// Whether a transcript with this status stays: it passes, and the `new` answer does not.
    pub(crate) fn stays(self, new: Status) -> bool {
        self <= Status::Partial && new > Status::Partial
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The checks of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupScore {
    /// The group.
    pub(crate) group: Group,
    /// The number of its checks that passed.
    pub(crate) passed: usize,
    /// The number of its checks.
    pub(crate) total: usize,
}

impl GroupScore {
    /// The share of its checks that passed; 1 if it has no checks.
    pub(crate) fn score(self) -> f64 {
        if self.total == 0 { 1.0 } else { self.passed as f64 / self.total as f64 }
    }
}

/// One weight and its share of the soft score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Term {
    /// The group's name in the suite. The group may not exist.
    pub(crate) group: String,
    /// The weight.
    pub(crate) weight: f64,
    /// The group's score; 1 if the group does not exist or has no checks.
    pub(crate) score: f64,
    /// Weight times score.
    pub(crate) product: f64,
}

/// The versions of the programs that judge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Versions {
    /// eval-ls.
    #[serde(default)]
    pub(crate) eval_ls: String,
    /// PCRE2.
    #[serde(default)]
    pub(crate) pcre2: String,
}

impl Versions {
    /// The versions of this program and of its PCRE2.
    pub(crate) fn current() -> Versions {
        Versions { eval_ls: env!("CARGO_PKG_VERSION").to_owned(), pcre2: pattern::pcre2_version() }
    }
}
