use serde::{Deserialize, Serialize};

use super::Status;

/// How a case compares with the baseline of its suite. Absent if the baseline does not have the case as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgainstBaseline {
    /// The attempts of the baseline that did not fail.
    pub(crate) passed: usize,
    /// All attempts of the baseline.
    pub(crate) attempts: usize,
    /// What that means for the result.
    pub(crate) standing: Standing,
    /// The statuses of the reruns that were to confirm a regression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) reruns: Vec<Status>,
}

/// What a baseline means for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// It does not fail.
    Passes,
    /// It fails, and an attempt of the baseline failed too.
    KnownFailure,
    /// It fails, and no attempt of the baseline did, and no rerun passes.
    Regressed,
    /// It failed, and no attempt of the baseline did; a rerun passed.
    NotConfirmed,
}

impl Standing {
    /// Whether a case that fails does not make the run fail.
    pub(crate) fn excuses(self) -> bool {
        matches!(self, Standing::KnownFailure | Standing::NotConfirmed)
    }
}
