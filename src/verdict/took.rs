//! What answers took: time, tokens and cost.

use serde::{Deserialize, Serialize};

use crate::text::{counted, number, seconds};
use crate::transcript::Usage;
use crate::verdict::{CaseResult, Repeat, Status};

/// What one answer took, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Took {
    /// Its duration in milliseconds.
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
