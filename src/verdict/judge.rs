//! Checks → groups → status, and several attempts at one case, folded to one status.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::{CheckOutcome, CheckResult, Expectation, Judged, check, expectations};
use crate::config::Config;
use crate::pattern::{self, Budget};
use crate::suite::{self, Case, DEFAULT_WEIGHTS, Expected, Group, List, effective_weights};
use crate::transcript::Transcript;
use crate::verdict::CheckLists;

/// Judges a transcript of a case. `config` defines the workspace's UI hints and sources.
pub fn judge(case: &Case, transcript: &Transcript, config: &Config) -> Verdict {
    of_judged(case, transcript, &expectations(case), &Judged::new(transcript, case, config), config)
}

/// The same verdict for code that judges many answers and shows none: no message and no evidence mentions the prompt's own
/// text. `asked` are the case's [`expectations`].
pub(crate) fn judge_outcomes(
    case: &Case,
    asked: &[Expectation<'_>],
    transcript: &Transcript,
    config: &Config,
) -> Verdict {
    of_judged(case, transcript, asked, &Judged::for_outcomes(transcript, case, config), config)
}

/// The same verdict on an answer that is prepared already. `asked` are the case's [`expectations`].
pub(super) fn of_judged(
    case: &Case,
    transcript: &Transcript,
    asked: &[Expectation<'_>],
    judged: &Judged<'_>,
    config: &Config,
) -> Verdict {
    let budget = Budget::default();
    let checks = asked.iter().map(|asked| check(asked, judged, config, &budget)).collect();
    let newer = transcript.last_record.as_deref().map(super::Newer::of);
    Verdict { stale: is_stale(case, transcript), newer, ..Verdict::of(checks, &case.expected) }
}

impl Verdict {
    /// The verdict that follows from the checks and the case's scoring.
    pub(super) fn of(checks: Vec<CheckResult>, expected: &Expected) -> Verdict {
        let groups = scores(&checks);
        let soft_score = soft_score_of(expected.soft_score(), &groups);
        let hard_fail_triggered = triggered(expected.hard_fail(), &groups);
        let error = checks.iter().find(|check| check.outcome == CheckOutcome::NotJudged);
        let error = error.map(|check| check.message.clone());
        let (status, failed) = status_of(&checks, &hard_fail_triggered, &soft_score);
        Verdict { status, checks, failed, groups, soft_score, hard_fail_triggered, error, stale: false, newer: None }
    }
}

fn is_stale(case: &Case, transcript: &Transcript) -> bool {
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    let setup_prompts = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
    transcript.is_stale(prompt, setup_prompts)
}

/// The status, and the ids of the failed checks in their order, then the ids that the scoring adds.
pub(super) fn status_of(
    checks: &[CheckResult],
    hard_fail_triggered: &[Group],
    soft_score: &SoftScore,
) -> (Status, Vec<String>) {
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
    } else if !soft_score.passed {
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
pub(super) fn scores(checks: &[CheckResult]) -> [GroupScore; 6] {
    Group::ALL.map(|group| {
        let outcomes = checks.iter().filter(|check| check.group == Some(group)).map(|check| check.outcome);
        let passed = outcomes.clone().filter(|outcome| *outcome == CheckOutcome::Passed).count();
        GroupScore { group, passed, total: outcomes.count() }
    })
}

/// The groups of `hard_fail` with a check that did not pass, each once. A group that does not exist has no checks.
pub(super) fn triggered(hard_fail: Option<&List>, groups: &[GroupScore; 6]) -> Vec<Group> {
    let mut triggered = Vec::new();
    for name in hard_fail.into_iter().flat_map(List::entries) {
        let score = groups.iter().find(|score| score.group.name() == name.value);
        let failing = score.filter(|score| score.passed < score.total).map(|score| score.group);
        triggered.extend(failing.filter(|group| !triggered.contains(group)));
    }
    triggered
}

/// The soft score of a case. The threshold is compared with the rounded value, because that is the value that is shown.
pub(super) fn soft_score_of(asked: Option<&suite::SoftScore>, groups: &[GroupScore; 6]) -> SoftScore {
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
    SoftScore { terms, default_weights: given.is_none(), product_sum, weight_sum, value, threshold, passed }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every check passed, and the soft score reaches the threshold if there is one.
    Pass,
    /// A UI hint is not defined, or checks failed but the soft score reaches the threshold.
    Partial,
    /// A check failed and there is no threshold, a hard-fail group was triggered, or the soft score is below the threshold.
    Fail,
    /// The case could not be judged.
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

/// The verdict on one transcript of one case. A case with the status `ERROR` is not scored: its [`Verdict::groups`] and
/// [`Verdict::soft_score`] must not be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// The result of each check, in the order of the case's expectations.
    pub(crate) checks: Vec<CheckResult>,
    /// The ids of the checks that failed, in that order, then the ids that the scoring adds. Empty if the status is `ERROR`.
    pub(crate) failed: Vec<String>,
    /// Each group's score, in the order of [`Group::ALL`].
    pub(crate) groups: [GroupScore; 6],
    /// The soft score and its terms.
    pub(crate) soft_score: SoftScore,
    /// The groups of `hard_fail` with a check that did not pass, each once, in the order of `hard_fail`.
    pub(crate) hard_fail_triggered: Vec<Group>,
    /// Why the case could not be judged; present if and only if the status is `ERROR`.
    pub(crate) error: Option<String>,
    /// Whether the transcript was recorded with other prompts than the case now has. Every place that shows the verdict
    /// also shows this.
    pub(crate) stale: bool,
    /// What is newer than the answer. Every place that shows the status also shows this.
    pub(crate) newer: Option<super::Newer>,
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

/// The soft score with its terms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SoftScore {
    /// One term for each weight, in the order of the suite. If a group occurs twice, only its last weight counts.
    pub(crate) terms: Vec<Term>,
    /// Whether the weights are the default ones, because the case has none.
    pub(crate) default_weights: bool,
    /// The sum of the products.
    pub(crate) product_sum: f64,
    /// The sum of the weights.
    pub(crate) weight_sum: f64,
    /// The soft score, rounded to six decimals.
    pub(crate) value: f64,
    /// The required score, if the case has one.
    pub(crate) threshold: Option<f64>,
    /// Whether the score reaches the threshold; true without a threshold.
    pub(crate) passed: bool,
}

impl SoftScore {
    /// The score, if the case asks for one.
    pub(crate) fn shown(&self) -> Option<f64> {
        is_asked(&self.terms, self.threshold).then_some(self.value)
    }
}

/// One weight and its share of the soft score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Term {
    /// The group's name in the suite. The group may not exist.
    pub(crate) group: String,
    /// Its weight.
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

/// How often a case runs, and how often it must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// If the rule counts for a while only: until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quarantine: Option<Quarantine>,
}

/// A rule that counts for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Quarantine {
    /// The first day on which the rule does not count any more, for example `2026-04-01`.
    pub(crate) until: String,
    /// The reason, for people.
    pub(crate) why: String,
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
}

impl RepeatRule {
    /// The status of a case with these attempts: the best status that at least `min_pass` attempts reach. `ERROR` if that
    /// depends on attempts that could not be judged, or that are missing.
    pub(crate) fn status(self, attempts: &[Status]) -> Status {
        self.certain(attempts).unwrap_or(Status::Error)
    }

    /// Whether further attempts cannot change what the case counts as.
    pub(crate) fn is_decided(self, attempts: &[Status]) -> bool {
        let stops = self.stops_early && !attempts.is_empty();
        let certain = self.certain(attempts).filter(|_| stops);
        let is_open = |status: Status| status == Status::Fail && self.flaky_matters && !is_flaky(attempts);
        attempts.len() >= self.attempts || certain.is_some_and(|status| !is_open(status))
    }

    /// The status, whatever the attempts without a verdict and the missing ones would give.
    fn certain(self, attempts: &[Status]) -> Option<Status> {
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

/// How a case compares with the baseline of its suite. Absent if the baseline does not have the case as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgainstBaseline {
    /// The attempts of the baseline that did not fail.
    pub(crate) passed: usize,
    /// All attempts of the baseline.
    pub(crate) attempts: usize,
    /// What that means for the result.
    pub(crate) standing: Standing,
}

/// What a baseline means for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// It does not fail.
    Passes,
    /// It fails, and an attempt of the baseline failed too.
    KnownFailure,
    /// It fails, and no attempt of the baseline did.
    Regressed,
}

impl Standing {
    /// Whether a case that fails does not make the run fail.
    pub(crate) fn excuses(self) -> bool {
        self == Standing::KnownFailure
    }
}

#[cfg(test)]
mod tests {
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
        };
        let attempts = [Pass, Partial, Error, Pass, Fail].map(attempt).to_vec();
        let repeats = Repeats { planned: 5, min_pass: 5, flaky: true, attempts, quarantine: None };
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
