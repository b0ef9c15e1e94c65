//! Checks compare an answer with the expectations of its case. `rules/` has a pure function for each kind of expectation.
//!
//! A check passes, fails, is unknown (a UI hint without a definition), or cannot be judged (a pattern that exceeds its
//! budget). `docs/scoring.md` defines the rules. A check result has a message and evidence. [`nearest()`] finds the nearest
//! match of something missing; it is slower, so only pages that show it call it.

mod events;
mod judged;
mod message;
mod nearest;
mod prompt;
mod reading;
mod response;
mod rules;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use events::{called_tools, ended_tools};
pub(crate) use judged::{CheckOutcome, Decision, Evidence, EvidencePlace, Judged, check, prompt_counts};
pub(crate) use nearest::nearest;
pub(crate) use response::Response;
pub(crate) use rules::phrases::source_phrases;
pub(crate) use search::Said;
