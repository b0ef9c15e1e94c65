//! Runs cases: which ones, how many at once, for how long; it tells what happens and prints nothing.
//!
//! A [`Plan`] says which cases of which suites, [`Options`] how, and [`run`] asks a [`Target`](crate::targets::Target), judges
//! what it answers, and hands each [`Event`](crate::events::Event) to whoever shows it. Its [`RunResult`] has the results in the order of the
//! suites, from which reports are made. What a run has found is kept in a journal until then.

mod case;
mod emitted;
mod guard;
mod job;
mod journal;
mod options;
mod picture;
mod plan;
mod result;
mod run;
#[cfg(test)]
mod tests;

pub use journal::JournalError;
pub use options::Options;
pub use plan::{Plan, PlanError, SuiteInput, UnknownCase};
pub use result::{RunResult, SuiteResult};
pub use run::run;
