//! Estimates and tests for verdicts that vary from attempt to attempt. Pure functions over counts and numbers.
//!
//! Every interval has the level 95 %, and every test the level 5 %. `docs/noise.md#statistics` has the formulas and their sources.
//! `reference.json` has values of SciPy and statsmodels, which the tests compare.

mod exact;
#[cfg(test)]
mod tests;

pub(crate) use exact::{Counts, Difference, Interval, Pair, exact_test, paired_difference, wilson};

/// The level of the tests: the largest probability of an alarm although nothing changed.
pub(crate) const LEVEL: f64 = 0.05;
