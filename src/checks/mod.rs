//! Checks compare an answer with the expectations of its case. `keys/` has a file for each key under `expected`.
//!
//! A check passes, fails, is unknown (a UI hint without a definition), or cannot be judged (a pattern that exceeds its
//! budget). `docs/scoring.md` defines the rules. A check result has a message and evidence. [`nearest()`] finds the nearest
//! match of something missing; it is slower, so only pages that show it call it.

mod events;
mod judged;
mod keys;
mod message;
mod nearest;
mod prompt;
mod reading;
mod response;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use events::{called_tools, ended_tools};
pub(crate) use judged::{CheckOutcome, Decision, Evidence, EvidencePlace, Judged, check, prompt_counts};
pub(crate) use keys::{Answered, Condition, Expectation, Forbidden, Needs, expectations, must_match};
pub(crate) use nearest::nearest;
pub(crate) use response::Response;
pub(crate) use search::Said;
