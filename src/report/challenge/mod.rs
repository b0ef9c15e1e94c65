//! What `challenge` reports: one file a format. Formats of findings are those of `check`.

mod json;
mod junit;
mod table;

pub(crate) use json::json;
pub(crate) use junit::junit;
pub(crate) use table::table;

use crate::challenge::CaseChallenges;
use crate::config::ChallengeConfig;
use crate::suite::PlacedCase;
use crate::text::Text;

/// The challenges of one suite.
#[derive(Debug)]
pub(crate) struct ChallengedSuite {
    /// The suite's file, as reports name it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: Text,
    /// The levels and exceptions that apply to it.
    pub(crate) config: ChallengeConfig,
    /// The cases that were challenged.
    pub(crate) cases: Vec<ChallengedCase>,
}

/// The challenges of one case.
#[derive(Debug)]
pub(crate) struct ChallengedCase {
    /// The case.
    pub(crate) placed: PlacedCase,
    /// The verdicts of its challenges.
    pub(crate) judged: CaseChallenges,
}

impl ChallengedCase {
    /// The case's id; empty if it has none.
    pub(crate) fn id(&self) -> &str {
        self.placed.case.id.as_ref().map_or("", |id| &id.value)
    }

    /// The names of the challenges that the case passes although it ought to fail them, without the exceptions and those
    /// that are turned off.
    pub(crate) fn passed(&self, config: &ChallengeConfig) -> Vec<String> {
        self.judged.breaches(self.id(), config).map(|attempt| attempt.challenge.to_string()).collect()
    }
}
