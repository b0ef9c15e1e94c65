//! From checks to a verdict: groups, soft score, hard fail, status. Pure folds over what the checks found.
//!
//! [`judge`] is the one function that judges, and [`Verdict`] the one answer that lenses, hints, reports and exit status
//! show; [`CaseResult`] is that answer as the JSON of results. The arithmetic is that of `docs/scoring.md`.

mod model;

mod judge;

mod groups;
mod soft_score;
mod status;

mod result;
mod self_test;

#[cfg(test)]
mod tests;

pub use judge::judge;
pub use model::{GroupScore, SoftScore, Status, Term, Verdict};
pub use result::{
    CaseResult, CheckDetail, CheckLists, GroupValues, Metrics, MorningBriefMetrics, ScoringMetrics, SoftScoreValue,
    SynthesisMetrics,
};
pub use self_test::{Difference, self_test, self_test_count};
