use serde::{Deserialize, Serialize};

use crate::statistics::{Interval, wilson};
use crate::verdict::{CaseResult, Status};

/// The cases of a run that ran several times. `docs/noise.md#repeats` defines the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RepeatSummary {
    /// The number of cases that ran several times.
    pub(crate) cases: usize,
    /// Those of which some attempts pass and others do not.
    pub(crate) flaky: usize,
    /// pass@1: the share of the judged attempts that passed.
    #[serde(default, rename = "pass@1", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_1: Option<Estimate>,
    /// The number of attempts at each case; `None` if it differs from case to case.
    #[serde(default)]
    pub(crate) k: Option<usize>,
    /// pass@k: the share of the cases of which at least one attempt passed.
    #[serde(default, rename = "pass@k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_k: Option<Estimate>,
    /// pass^k: the share of the cases of which all attempts passed.
    #[serde(default, rename = "pass^k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_hat_k: Option<Estimate>,
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    /// The share.
    pub(crate) value: f64,
    /// The lower bound.
    pub(crate) low: f64,
    /// The upper bound.
    pub(crate) high: f64,
}

impl RepeatSummary {
    /// The summary of these cases; `None` if none ran several times.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Option<RepeatSummary> {
        let repeated: Vec<_> = cases.into_iter().filter_map(|case| case.repeats.as_ref()).collect();
        if repeated.is_empty() {
            return None;
        }
        let counts: Vec<(usize, usize)> = repeated.iter().map(|repeats| repeats.passed()).collect();
        let sum = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        // A case that ended early, or without some verdicts, has fewer attempts than the others by what they gave.
        let is_whole = repeated.iter().all(|repeats| {
            let has_verdict = repeats.attempts.iter().all(|attempt| attempt.status != Status::Error);
            has_verdict && repeats.attempts.len() == repeats.planned && repeats.planned == repeated[0].planned
        });
        let of_cases = |is_met: fn(&(usize, usize)) -> bool| {
            let met = counts.iter().filter(|count| is_met(count)).count();
            is_whole.then(|| estimate(met, counts.len())).flatten()
        };
        Some(RepeatSummary {
            cases: repeated.len(),
            flaky: repeated.iter().filter(|repeats| repeats.flaky).count(),
            pass_at_1: estimate(sum.0, sum.1),
            k: is_whole.then_some(repeated[0].planned),
            pass_at_k: of_cases(|(passed, _)| *passed > 0),
            pass_hat_k: of_cases(|(passed, judged)| passed == judged),
        })
    }
}

fn estimate(passed: usize, trials: usize) -> Option<Estimate> {
    let Interval { low, high } = wilson(passed, trials)?;
    let [value, low, high] = [passed as f64 / trials as f64, low, high].map(|share| (share * 1e6).round() / 1e6);
    Some(Estimate { value, low, high })
}
