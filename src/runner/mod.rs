//! Runs cases. The runner emits events and prints nothing.
//!
//! A [`Plan`] lists the cases, [`Options`] sets the number of jobs and the timeout. [`run()`] asks a
//! [`Target`](crate::targets::Target), judges its answers and emits each [`Event`](crate::events::Event). Reports are made
//! from the [`RunResult`], which has the results in the order of the suites. Until the reports are written, a journal on
//! disk has the results.

mod attempts;
mod case;
mod emitted;
mod guard;
mod job;
mod journal;
mod options;
mod picture;
mod plan;
mod preconditions;
mod result;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use journal::JournalError;
pub(crate) use options::Options;
pub(crate) use plan::{Plan, PlanError, SuiteInput};
pub(crate) use result::{RunResult, SuiteResult};
pub(crate) use run::run;
