//! Better or worse? Two sides, each with the results of one run or of several, case by case and as a whole.
//!
//! [`Side`] collects results. [`Comparison::new`] pairs the cases of two sides and gives each pair one [`Change`]; a case that
//! was edited is never called a regression. [`Totals`] has the size of the difference and how sure it is. `docs/runs.md#compare` documents all of it.

mod baseline;
mod case;
mod change;
mod checks;
mod edits;
mod model;
mod sentence;
mod side;
#[cfg(test)]
mod tests;
mod totals;

pub(crate) use baseline::{Drift, Measured, baseline, since_baseline, vanished};
pub(crate) use change::Change;
pub(crate) use checks::{CheckChange, CheckMove, Share};
pub(crate) use model::{CaseChange, Comparison, State, Stood};
pub(crate) use sentence::p_value;
pub(crate) use side::{Side, SideName};
pub(crate) use totals::{Rate, Totals};
