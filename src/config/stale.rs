use serde::{Deserialize, Serialize};

/// What a stale transcript means for a run: one whose prompts are not those of its case any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stale {
    /// Reports mention it.
    #[default]
    Warn,
    /// The case counts as failed.
    Fail,
    /// Nobody mentions it.
    Ignore,
}

impl Stale {
    /// The words of `[run] stale`.
    pub(super) const WORDS: [(&'static str, Stale); 3] =
        [("warn", Stale::Warn), ("fail", Stale::Fail), ("ignore", Stale::Ignore)];
}
