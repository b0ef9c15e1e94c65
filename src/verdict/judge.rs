use crate::checks::{CheckOutcome, CheckResult, Judged, check};
use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{self, Case, DEFAULT_WEIGHTS, Expectation, Expected, Group, List, effective_weights, expectations};
use crate::transcript::Transcript;
use crate::verdict::{GroupScore, SoftScore, Status, Term, Verdict};

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
