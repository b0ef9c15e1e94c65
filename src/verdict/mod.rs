//! From checks to a verdict: groups, soft score, hard fail, status. Pure folds over the results of the checks.
//!
//! [`judge()`] is the only function that judges; [`judge_outcomes`] is the same without what is only shown. Lenses, hints,
//! reports and the exit status all show its [`Verdict`]; [`CaseResult`] is the verdict in the JSON of results.
//! `docs/scoring.md` defines the arithmetic.

mod model;

mod judge;

mod repeats;

mod result;
mod self_test;

#[cfg(test)]
mod tests;

pub(crate) use judge::has_default_weights;
pub use judge::judge;
pub(crate) use judge::judge_outcomes;
pub use model::Status;
pub(crate) use model::{GroupScore, SoftScore, Term, Verdict, Versions};
pub(crate) use repeats::{AgainstBaseline, Standing};
pub(crate) use repeats::{Quarantine, Repeat, RepeatRule, Repeats, is_flaky};
pub use result::CaseResult;
pub(crate) use result::{Attempt, CheckDetail, CheckLists, EXCERPT, Excerpt, Newer, plain_number};
pub(crate) use self_test::{self_test, self_test_count};
