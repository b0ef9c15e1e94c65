//! Estimates and tests for verdicts that vary from attempt to attempt. Pure functions over counts and numbers.
//!
//! Every interval has the level 95 %, and every test the level 5 %. `docs/noise.md#statistics` has the formulas and their sources.
//! `reference.json` has values of SciPy and statsmodels, which the tests compare.

mod exact;
mod interval;
mod paired;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub(crate) use exact::{Counts, Pair, exact_test};
pub(crate) use interval::{Interval, wilson};
pub(crate) use paired::{Difference, paired_difference};

/// The level of the tests: the largest probability of an alarm although nothing changed.
pub(crate) const LEVEL: f64 = 0.05;
