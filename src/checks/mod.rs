//! One file an expectation: what a case asks, held against what a target returned.
//!
//! A check passes, fails, is unknown (a UI hint that nobody defined), or cannot be judged (a pattern that runs away). The
//! rules are those of `docs/scoring.md`. A check says what it found and where; what comes nearest to something that is
//! lacking costs more to find, so [`nearest`] is asked only where somebody is going to read it.

mod result;

mod check;

mod rules;

mod nearest;

mod events;
mod fold;
mod judged;
mod message;
mod response;
mod search;

#[cfg(test)]
mod tests;

pub use check::check;
pub use judged::Judged;
pub use nearest::nearest;
pub use result::{CheckOutcome, CheckResult, Evidence, EvidencePlace};
