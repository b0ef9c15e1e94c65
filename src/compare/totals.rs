//! The sums of a comparison.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::statistics::{Counts, Difference, Interval, LEVEL, Pair, exact_test, paired_difference, wilson};
use crate::verdict::AnswerSummary;

use super::{CaseChange, Change, State};

/// The fewest attempts that must all change in the same direction before the exact test calls it more than chance:
/// 2 · 0.5⁶ is less than 0.05, and 2 · 0.5⁵ is not.
const FEWEST: f64 = 6.0;

/// The quantile of the standard normal distribution for a two-sided level of 95 %.
const Z: f64 = 1.96;

/// The comparison as a whole. Only cases count that both sides judged, that were not edited, and that are not stale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Totals {
    /// The number of cases that count.
    pub(crate) cases: usize,
    /// How many attempts passed before; `None` without a case.
    pub(crate) before: Option<Rate>,
    /// How many pass now, likewise.
    pub(crate) after: Option<Rate>,
    /// The probability of such a difference if nothing changed (exact test).
    pub(crate) p: f64,
    /// Whether all cases together pass less often than chance explains.
    #[serde(skip)]
    pub(crate) is_worse: bool,
    /// The smallest difference of the rates that this many attempts can distinguish from chance, about; more than 1 if none
    /// can.
    pub(crate) detectable: Option<f64>,
    /// The paired difference of the pass rates of the cases.
    pub(crate) pass_rate: Option<Difference>,
    /// The paired difference of the soft scores of the cases.
    pub(crate) soft_score: Option<Difference>,
    /// What the answers of these cases took before; `None` if no duration is known.
    pub(crate) answers_before: Option<AnswerSummary>,
    /// What they take now, likewise.
    pub(crate) answers_after: Option<AnswerSummary>,
}

/// How often cases passed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Rate {
    /// The attempts that passed.
    pub(crate) passed: usize,
    /// The attempts that were judged.
    pub(crate) attempts: usize,
    /// The 95 % interval of the rate.
    pub(crate) interval: Interval,
}

/// The fewest cases about which the intervals say something. Below, one case moves a rate by more than 10 %.
const ENOUGH: usize = 10;

impl Totals {
    /// Whether there are too few cases for a statement about the target as a whole.
    fn are_too_few(&self) -> bool {
        self.cases < ENOUGH
    }

    pub(super) fn of(cases: &[CaseChange]) -> Totals {
        let counted: Vec<(&CaseChange, &State, &State)> = cases.iter().filter_map(counts).collect();
        let pairs: Vec<Pair> = counted
            .iter()
            .map(|(_, before, after)| Pair { before: counts_of(before), after: counts_of(after) })
            .collect();
        let test = exact_test(&pairs);
        let (before, after) = (rate(pairs.iter().map(|pair| pair.before)), rate(pairs.iter().map(|pair| pair.after)));
        let detectable = before.zip(after).map(|(before, after)| {
            let (then, now) = (before.attempts as f64, after.attempts as f64);
            // One pass more of a fixed number of passes is one pass fewer on the other side.
            let noise = Z * test.variance.sqrt() * (1.0 / then + 1.0 / now);
            noise.max(FEWEST / then.min(now))
        });
        let share = |state: &State| state.passed as f64 / state.judged as f64;
        let rates: Vec<(f64, &str)> = counted
            .iter()
            .map(|(case, before, after)| (share(after) - share(before), case.category.as_str()))
            .collect();
        let scores: Vec<(f64, &str)> = counted
            .iter()
            .filter_map(|(case, before, after)| Some((after.soft_score? - before.soft_score?, case.category.as_str())))
            .collect();
        Totals {
            cases: counted.len(),
            before,
            after,
            p: test.two_sided,
            is_worse: test.two_sided < LEVEL && test.worse < test.better,
            detectable,
            pass_rate: paired_difference(&rates),
            soft_score: paired_difference(&scores),
            answers_before: AnswerSummary::of(counted.iter().flat_map(|(_, before, _)| before.took.iter().copied())),
            answers_after: AnswerSummary::of(counted.iter().flat_map(|(.., after)| after.took.iter().copied())),
        }
    }
}

/// The case with both states, if it counts.
fn counts(case: &CaseChange) -> Option<(&CaseChange, &State, &State)> {
    let is_other = matches!(case.change, Change::CaseEdited | Change::ConfigurationEdited | Change::Stale);
    let (before, after) = (case.before.as_ref()?, case.after.as_ref()?);
    (!is_other && before.judged > 0 && after.judged > 0).then_some((case, before, after))
}

fn counts_of(state: &State) -> Counts {
    Counts { passed: state.passed, attempts: state.judged }
}

fn rate(counts: impl Iterator<Item = Counts>) -> Option<Rate> {
    let sum = counts.fold(Counts::default(), |sum, one| Counts {
        passed: sum.passed + one.passed,
        attempts: sum.attempts + one.attempts,
    });
    let interval = wilson(sum.passed, sum.attempts)?;
    Some(Rate { passed: sum.passed, attempts: sum.attempts, interval })
}

/// The result of a comparison as one sentence for people.
pub(super) fn sentence(counts: &BTreeMap<Change, usize>, totals: &Totals) -> String {
    let count = |change: Change| counts.get(&change).copied().unwrap_or_default();
    let all = |changes: &[Change]| changes.iter().map(|change| count(*change)).sum::<usize>();
    let cases = totals.cases;
    let mut sentence = match (cases, count(Change::Regressed), count(Change::Fixed)) {
        (0, ..) => "no case can be compared".to_owned(),
        (1, 1, _) => "the one case that can be compared got worse".to_owned(),
        (1, _, 1) => "the one case that can be compared got better".to_owned(),
        (1, ..) => "the one case that can be compared is as before".to_owned(),
        (_, 0, 0) => format!("none of {cases} cases got worse or better"),
        (_, worse, 0) => format!("{worse} of {cases} cases got worse"),
        (_, 0, better) => format!("{better} of {cases} cases got better, and none got worse"),
        (_, worse, better) => format!("{worse} of {cases} cases got worse, {better} got better"),
    };
    let others = [
        (count(Change::Vanished), "vanished"),
        (count(Change::NotJudged), "could not be judged"),
        (count(Change::Flaky), "flaky"),
        (all(&[Change::CaseEdited, Change::ConfigurationEdited]), "edited"),
        (count(Change::Stale), "stale"),
        (count(Change::New), "new"),
        (count(Change::NotRunBefore), "not run before"),
        (count(Change::NotRun), "not run"),
    ];
    let others: Vec<String> =
        others.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if !others.is_empty() {
        sentence.push_str(&format!(" ({})", others.join(", ")));
    }
    if let Some(chance) = chance(totals) {
        sentence.push_str("; ");
        sentence.push_str(&chance);
    }
    sentence
}

/// Whether the difference is larger than chance.
fn chance(totals: &Totals) -> Option<String> {
    let (before, after) = (totals.before?, totals.after?);
    if totals.p < LEVEL {
        let often = if totals.is_worse { "less" } else { "more" };
        return Some(format!("all together pass {often} often than chance explains"));
    }
    if totals.are_too_few() {
        return Some("too few cases for a statement; run more of them, or use --repeat 5".to_owned());
    }
    (before.passed != after.passed).then(|| "chance alone can make such a difference".to_owned())
}
