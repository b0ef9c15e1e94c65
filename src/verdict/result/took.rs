//! What answers took: time, tokens and cost.

use serde::{Deserialize, Serialize};

use crate::text::{counted, number, seconds};
use crate::transcript::Usage;
use crate::verdict::{CaseResult, Repeat};

/// What one answer took, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Took {
    /// Its duration in milliseconds.
    pub(crate) duration_ms: Option<u64>,
    /// The usage that its target stated.
    pub(crate) usage: Option<Usage>,
}

impl CaseResult {
    /// What each of its answers took.
    pub(crate) fn took(&self) -> Vec<Took> {
        match &self.repeats {
            Some(repeats) => repeats.attempts.iter().map(Repeat::took).collect(),
            None => vec![Took { duration_ms: self.duration_ms, usage: self.usage }],
        }
    }
}

impl Repeat {
    /// What its answer took.
    pub(crate) fn took(&self) -> Took {
        Took { duration_ms: self.duration_ms, usage: self.usage }
    }
}

/// What the answers of a run took: each attempt whose duration is known. Percentiles are those of the nearest rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnswerSummary {
    /// The number of answers.
    pub(crate) count: usize,
    /// The sum of their durations in milliseconds.
    pub(crate) duration_ms: u64,
    /// The duration that half of them do not exceed, in milliseconds.
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
    /// Of these answers; `None` if no duration is known.
    pub(crate) fn of(answers: impl IntoIterator<Item = Took>) -> Option<AnswerSummary> {
        let known = answers.into_iter().filter_map(|took| Some((took.duration_ms?, took.usage)));
        let (mut durations, usages): (Vec<u64>, Vec<Option<Usage>>) = known.unzip();
        durations.sort_unstable();
        let rank = |percent: usize| durations.get((durations.len() * percent).div_ceil(100).max(1) - 1).copied();
        let stated: Vec<Usage> = usages.into_iter().flatten().collect();
        let tokens = |of: fn(&Usage) -> Option<u64>| stated.iter().filter_map(of).reduce(u64::saturating_add);
        Some(AnswerSummary {
            count: durations.len(),
            duration_ms: durations.iter().fold(0, |sum, duration| sum.saturating_add(*duration)),
            median_ms: rank(50)?,
            p95_ms: rank(95)?,
            with_usage: stated.len(),
            usage: Usage {
                input_tokens: tokens(|usage| usage.input_tokens),
                output_tokens: tokens(|usage| usage.output_tokens),
                cost: stated.iter().filter_map(|usage| usage.cost).reduce(|sum, cost| sum + cost),
            },
        })
    }

    /// Each with its name: `median 1.2 s`, `340 output tokens`, `cost 0.12`.
    pub(crate) fn words(&self) -> Vec<(&'static str, String)> {
        let Usage { input_tokens, output_tokens, cost } = self.usage;
        let mut words = vec![("median", seconds(self.median_ms)), ("p95", seconds(self.p95_ms))];
        words.push(("in all", seconds(self.duration_ms)));
        words.extend(input_tokens.map(|count| ("input tokens", count.to_string())));
        words.extend(output_tokens.map(|count| ("output tokens", count.to_string())));
        // Six digits keep the price of one short answer of a cheap model.
        words.extend(cost.map(|cost| ("cost", number((cost * 1e6).round() / 1e6))));
        words
    }

    /// As a line: `12 answers: median 1.2 s, p95 3.4 s, in all 15.0 s, cost 0.12`.
    pub(crate) fn line(&self) -> String {
        let words: Vec<String> = self.words().iter().map(|(name, value)| format!("{name} {value}")).collect();
        let some = if (1..self.count).contains(&self.with_usage) {
            format!(" ({} of them state their usage)", self.with_usage)
        } else {
            String::new()
        };
        format!("{}: {}{some}", counted(self.count, "answer"), words.join(", "))
    }
}
