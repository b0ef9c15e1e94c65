use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::CheckResult;
use crate::suite::Group;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every check passed, and the soft score reaches its threshold where there is one.
    Pass,
    /// A UI hint is not defined, or checks failed and the soft score reaches its threshold all the same.
    Partial,
    /// A check failed and nothing forgives it, a hard-fail group was triggered, or the soft score is below its threshold.
    Fail,
    /// It could not be judged.
    Error,
}

impl Status {
    /// All of them, from best to worst.
    pub const ALL: [Status; 4] = [Status::Pass, Status::Partial, Status::Fail, Status::Error];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "PASS",
            Status::Partial => "PARTIAL",
            Status::Fail => "FAIL",
            Status::Error => "ERROR",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The verdict on one transcript of one case. Where the status is `ERROR` there is none: such a case is not scored, and
/// [`Verdict::groups`] and [`Verdict::soft_score`] must not be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// What each check found, in the order of the case's expectations.
    pub checks: Vec<CheckResult>,
    /// The ids of the checks that failed, in that order, then what the scoring added. Empty where the status is `ERROR`.
    pub failed: Vec<String>,
    /// Each group's score, in the order of [`Group::ALL`].
    pub groups: [GroupScore; 6],
    /// The soft score and how it came about.
    pub soft_score: SoftScore,
    /// The groups of `hard_fail` that have a check that did not pass, each once, in the order in which they are named.
    pub hard_fail_triggered: Vec<Group>,
    /// Why the case could not be judged; exactly where the status is `ERROR`.
    pub error: Option<String>,
    /// Whether the transcript was recorded with other prompts than the case now has. Every place that shows the verdict
    /// says so.
    pub stale: bool,
}

/// The checks of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupScore {
    /// The group.
    pub group: Group,
    /// How many of its checks passed.
    pub passed: usize,
    /// How many checks the case has in it.
    pub total: usize,
}

impl GroupScore {
    /// The share of its checks that passed; 1 where it has none.
    pub fn score(self) -> f64 {
        if self.total == 0 { 1.0 } else { self.passed as f64 / self.total as f64 }
    }
}

/// The soft score as a sum that can be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftScore {
    /// One for each weight, in the order in which they are written, of a group named twice only the last.
    pub terms: Vec<Term>,
    /// Whether the weights are the built-in ones, because the case gives none.
    pub default_weights: bool,
    /// What the products add up to.
    pub product_sum: f64,
    /// What the weights add up to.
    pub weight_sum: f64,
    /// The soft score, rounded to six decimals.
    pub value: f64,
    /// What it has to reach, where the case says so.
    pub threshold: Option<f64>,
    /// Whether it does; true where there is no threshold.
    pub passed: bool,
}

/// One weight and what it adds to the soft score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The group's name as it is written, which need not be one that exists.
    pub group: String,
    /// Its weight.
    pub weight: f64,
    /// Its score; 1 where it does not exist or the case has no check in it.
    pub score: f64,
    /// Weight times score.
    pub product: f64,
}
