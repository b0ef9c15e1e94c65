//! One file an expectation: what a case asks, held against what a target returned.
//!
//! A check passes, fails, is unknown (a UI hint that nobody defined), or cannot be judged (a pattern that runs away). The
//! rules are those of `docs/scoring.md`.

mod result;

pub use result::{CheckOutcome, CheckResult, Evidence, Place};
