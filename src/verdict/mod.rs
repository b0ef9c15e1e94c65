//! From checks to a verdict: groups, soft score, hard fail, status. Pure folds over the results of the checks.
//!
//! [`judge()`] is the only function that judges; [`judge_outcomes`] is the same without what is only shown. Lenses, hints,
//! reports, the JSON of results and the exit status all show its [`CaseResult`].
//! `docs/scoring.md` defines the arithmetic.

mod judge;
mod result;
mod self_test;
#[cfg(test)]
mod tests;

pub use judge::{Status, judge};
pub(crate) use judge::{Term, Versions, has_default_weights, judge_outcomes, scores};
pub use result::CaseResult;
pub(crate) use result::{AnswerSummary, Took};
pub(crate) use result::{Attempt, CheckLists, CheckResult, EXCERPT, Newer, plain_number};
pub(crate) use result::{Repeat, RepeatRule, Repeats, is_flaky};
pub(crate) use self_test::{self_test, self_test_count};
