use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::CheckResult;
use crate::pattern;
use crate::suite::Group;

use super::judge::is_asked;

/// The status of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every check passed, and the soft score reaches the threshold if there is one.
    Pass,
    /// A UI hint is not defined, or checks failed but the soft score reaches the threshold.
    Partial,
    /// A check failed and there is no threshold, a hard-fail group was triggered, or the soft score is below the threshold.
    Fail,
    /// The case could not be judged.
    Error,
}

impl Status {
    /// All statuses, from best to worst.
    #[cfg(test)]
    pub(crate) const ALL: [Status; 4] = [Status::Pass, Status::Partial, Status::Fail, Status::Error];

    /// The name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Pass => "PASS",
            Status::Partial => "PARTIAL",
            Status::Fail => "FAIL",
            Status::Error => "ERROR",
        }
    }

    /// Whether a transcript with this status stays: it passes, and the `new` answer does not.
    pub(crate) fn stays(self, new: Status) -> bool {
        self <= Status::Partial && new > Status::Partial
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The verdict on one transcript of one case. A case with the status `ERROR` is not scored: its [`Verdict::groups`] and
/// [`Verdict::soft_score`] must not be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// The result of each check, in the order of the case's expectations.
    pub(crate) checks: Vec<CheckResult>,
    /// The ids of the checks that failed, in that order, then the ids that the scoring adds. Empty if the status is `ERROR`.
    pub(crate) failed: Vec<String>,
    /// Each group's score, in the order of [`Group::ALL`].
    pub(crate) groups: [GroupScore; 6],
    /// The soft score and its terms.
    pub(crate) soft_score: SoftScore,
    /// The groups of `hard_fail` with a check that did not pass, each once, in the order of `hard_fail`.
    pub(crate) hard_fail_triggered: Vec<Group>,
    /// Why the case could not be judged; present if and only if the status is `ERROR`.
    pub(crate) error: Option<String>,
    /// Whether the transcript was recorded with other prompts than the case now has. Every place that shows the verdict
    /// also shows this.
    pub(crate) stale: bool,
    /// What is newer than the answer. Every place that shows the status also shows this.
    pub(crate) newer: Option<super::Newer>,
}

/// The checks of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupScore {
    /// The group.
    pub(crate) group: Group,
    /// The number of its checks that passed.
    pub(crate) passed: usize,
    /// The number of its checks.
    pub(crate) total: usize,
}

impl GroupScore {
    /// The share of its checks that passed; 1 if it has no checks.
    pub(crate) fn score(self) -> f64 {
        if self.total == 0 { 1.0 } else { self.passed as f64 / self.total as f64 }
    }
}

/// The soft score with its terms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SoftScore {
    /// One term for each weight, in the order of the suite. If a group occurs twice, only its last weight counts.
    pub(crate) terms: Vec<Term>,
    /// Whether the weights are the default ones, because the case has none.
    pub(crate) default_weights: bool,
    /// The sum of the products.
    pub(crate) product_sum: f64,
    /// The sum of the weights.
    pub(crate) weight_sum: f64,
    /// The soft score, rounded to six decimals.
    pub(crate) value: f64,
    /// The required score, if the case has one.
    pub(crate) threshold: Option<f64>,
    /// Whether the score reaches the threshold; true without a threshold.
    pub(crate) passed: bool,
}

impl SoftScore {
    /// The score, if the case asks for one.
    pub(crate) fn shown(&self) -> Option<f64> {
        is_asked(&self.terms, self.threshold).then_some(self.value)
    }
}

/// One weight and its share of the soft score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Term {
    /// The group's name in the suite. The group may not exist.
    pub(crate) group: String,
    /// Its weight.
    pub(crate) weight: f64,
    /// The group's score; 1 if the group does not exist or has no checks.
    pub(crate) score: f64,
    /// Weight times score.
    pub(crate) product: f64,
}

/// The versions of the programs that judge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Versions {
    /// eval-ls.
    #[serde(default)]
    pub(crate) eval_ls: String,
    /// PCRE2.
    #[serde(default)]
    pub(crate) pcre2: String,
}

impl Versions {
    /// The versions of this program and of its PCRE2.
    pub(crate) fn current() -> Versions {
        Versions { eval_ls: env!("CARGO_PKG_VERSION").to_owned(), pcre2: pattern::pcre2_version() }
    }
}
