//! Better or worse? Two sides, each with the results of a run, case by case and as a whole.
//!
//! [`Side`] has the results. [`Comparison::new`] pairs the cases of two sides and gives each pair one [`Change`]; a case that
//! was edited is never called a regression. [`Totals`] has the size of the difference and how sure it is. `docs/runs.md#compare` documents all of it.

mod case;
mod side;
#[cfg(test)]
mod tests;
mod totals;

pub(crate) use case::{CaseChange, Change, CheckChange, CheckMove, Comparison, Share, State, Stood};
pub(crate) use side::{Side, SideName};
pub(crate) use totals::{Rate, Totals};
