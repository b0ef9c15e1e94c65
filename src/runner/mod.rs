//! Runs cases. The runner emits events and prints nothing.
//!
//! A [`Plan`] lists the cases, [`Options`] sets the number of jobs and the timeout. [`run()`] asks a
//! [`Target`](crate::targets::Target), judges its answers and emits each [`Event`](crate::events::Event). Reports are made
//! from the [`RunResult`], which has the results in the order of the suites. A run that is kept has the result of each case
//! on disk before the case's `case-finished` event is emitted.

mod answers_of;
mod attempts;
mod case;
mod case_run;
mod emitted;
mod enough;
mod guard;
mod job;
mod keeper;
mod keeping;
mod merge;
mod options;
mod picture;
mod plan;
mod preconditions;
mod repeat;
mod result;
mod run;
mod shared;
mod since;
#[cfg(test)]
mod tests;

pub(crate) use answers_of::AnswersOf;
pub(crate) use case::{judge_kept, stays};
pub(crate) use keeping::{Keeping, case_hashes, suite_records};
pub(crate) use merge::{merge, origin_record};
pub(crate) use options::{BaselineCounts, Options};
pub(crate) use plan::{Plan, SuiteInput};
pub(crate) use result::{RunResult, SuiteResult};
pub(crate) use run::run;
pub(crate) use since::{LastAnswer, Since};
