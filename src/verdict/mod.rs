//! From checks to a verdict: groups, soft score, hard fail, status. Pure folds over the results of the checks.
//!
//! [`judge()`] is the only function that judges; [`judge_outcomes`] is the same without what is only shown. Lenses, hints,
//! reports and the exit status all show its [`Verdict`]; [`CaseResult`] is the verdict in the JSON of results.
//! `docs/scoring.md` defines the arithmetic.

mod judge;
mod result;
mod self_test;
#[cfg(test)]
mod tests;

pub(crate) use judge::{AgainstBaseline, Quarantine, Repeat, RepeatRule, Repeats, Standing, is_flaky};
pub(crate) use judge::{GroupScore, Term, Verdict, Versions, has_default_weights, judge_outcomes};
pub use judge::{Status, judge};
pub use result::CaseResult;
pub(crate) use result::{AnswerSummary, Attempt, CheckDetail, CheckLists, EXCERPT, Excerpt, Newer, Took, plain_number};
pub(crate) use self_test::{self_test, self_test_count};
