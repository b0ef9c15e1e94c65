//! What `challenge` reports: one file a format. Formats of findings are those of `check`.

mod json;
mod junit;
mod lcov;
mod table;

pub use json::json;
pub use junit::junit;
pub use lcov::{LcovFile, lcov};
pub use table::table;

use crate::challenge::{CaseChallenges, CoveredLine};
use crate::config::ChallengeConfig;
use crate::suite::PlacedCase;

/// The challenges of one suite.
#[derive(Debug)]
pub struct ChallengedSuite {
    /// The suite's file, as reports name it.
    pub name: String,
    /// The levels and exceptions that apply to it.
    pub config: ChallengeConfig,
    /// The cases that were challenged.
    pub cases: Vec<ChallengedCase>,
}

/// The challenges of one case.
#[derive(Debug)]
pub struct ChallengedCase {
    /// The case.
    pub placed: PlacedCase,
    /// The verdicts of its challenges.
    pub judged: CaseChallenges,
    /// The coverage of its transcript, if it was asked for and there is a transcript.
    pub coverage: Option<CaseCoverage>,
}

/// The coverage of a transcript.
#[derive(Debug)]
pub struct CaseCoverage {
    /// The response.
    pub response: String,
    /// Its lines; `None` if the response is too large to try each of them.
    pub lines: Option<Vec<CoveredLine>>,
}

impl ChallengedCase {
    /// The case's id; empty if it has none.
    pub fn id(&self) -> &str {
        self.placed.case.id.as_ref().map_or("", |id| &id.value)
    }

    /// The names of the challenges that the case passes although it ought to fail them, without the exceptions and those
    /// that are turned off.
    pub fn passed(&self, config: &ChallengeConfig) -> Vec<String> {
        let breaches = self.judged.attempts.iter().filter(|attempt| attempt.is_breach());
        let counted = breaches.filter(|attempt| config.exception(self.id(), attempt.challenge.kind()).is_none());
        counted.map(|attempt| attempt.challenge.to_string()).collect()
    }
}
