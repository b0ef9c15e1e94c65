//! One file an expectation: what a case asks, held against what a target returned.
//!
//! A check passes, fails, is unknown (a UI hint that nobody defined), or cannot be judged (a pattern that runs away). The
//! rules are those of `docs/scoring.md`. A check says what it found and where; what comes nearest to something that is
//! lacking costs more to find, so [`nearest`] is asked only where somebody is going to read it.

mod result;

mod check;

// The checks; `check` knows in which order they are made.
mod claim_evidence_alignment;
mod evidence_freshness;
mod label_assumptions;
mod must_match_regex;
mod must_not_match_regex;
mod must_not_say;
mod must_say_any;
mod number;
mod outcome;
mod override_action;
mod required_levers;
mod required_source;
mod telemetry_entry;
mod tool_calls_any;
mod tool_calls_none;
mod ui;

mod nearest;

mod events;
mod fold;
mod judged;
mod response;
mod search;
mod wording;

#[cfg(test)]
mod tests;

pub use check::check;
pub use judged::Judged;
pub use nearest::nearest;
pub use result::{CheckOutcome, CheckResult, Evidence, Place};
