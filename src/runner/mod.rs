//! Runs cases. The runner emits events and prints nothing.
//!
//! A [`Plan`] lists the cases, [`Options`] sets the number of jobs and the timeout. [`run()`] asks a
//! [`Target`](crate::targets::Target), judges its answers and emits each [`Event`](crate::events::Event). Reports are made
//! from the [`Run`], which has the cases in the order of the suites. A run that is kept has the result of each case
//! on disk before the case's `case-finished` event is emitted.

mod answers_of;
mod case;
mod outcome;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use answers_of::AnswersOf;
pub(crate) use answers_of::{LastAnswer, Since};
pub(crate) use case::judge_kept;
pub(crate) use outcome::{Keeping, Outcome, Run};
pub(crate) use run::{Options, run};
pub(crate) use run::{Plan, SuiteInput};
