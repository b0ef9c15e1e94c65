use serde::{Deserialize, Serialize};

/// How a case compares with the baseline of its suite. Absent if the baseline does not have the case as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgainstBaseline {
    /// The attempts of the baseline that did not fail.
    pub(crate) passed: usize,
    /// All attempts of the baseline.
    pub(crate) attempts: usize,
    /// What that means for the result.
    pub(crate) standing: Standing,
}

/// What a baseline means for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// It does not fail.
    Passes,
    /// It fails, and an attempt of the baseline failed too.
    KnownFailure,
    /// It fails, and no attempt of the baseline did.
    Regressed,
}

impl Standing {
    /// Whether a case that fails does not make the run fail.
    pub(crate) fn excuses(self) -> bool {
        self == Standing::KnownFailure
    }
}
