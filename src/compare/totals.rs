use serde::Serialize;

use crate::statistics::{Counts, Difference, Interval, Pair, exact_test, paired_difference, wilson};

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
    /// The smallest difference of the rates that this many attempts can distinguish from chance, about; more than 1 if none
    /// can.
    pub(crate) detectable: Option<f64>,
    /// The paired difference of the pass rates of the cases.
    pub(crate) pass_rate: Option<Difference>,
    /// The paired difference of the soft scores of the cases.
    pub(crate) soft_score: Option<Difference>,
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
    pub(crate) fn are_too_few(&self) -> bool {
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
            detectable,
            pass_rate: paired_difference(&rates),
            soft_score: paired_difference(&scores),
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
