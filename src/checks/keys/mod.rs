//! The keys under `expected` that make checks. Each has a file with the checks that a case makes of it, and the `Rule` of a check.
//!
//! A new key needs a file, a `mod` line, and a line in [`expectations`].

mod claim_evidence_alignment;
mod evidence_freshness;
mod must_allow_override_actions;
mod must_ground_numbers;
mod must_label_assumptions;
mod must_match_regex;
mod must_not_match_regex;
mod must_not_say;
mod must_say_any;
mod outcome;
mod required_levers;
mod required_sources;
mod rule;
mod telemetry;
mod tool_calls_any;
mod tool_calls_none;
mod ui;

pub(crate) use must_match_regex::must_match;
pub(crate) use rule::{Answered, Condition, Expectation, Forbidden, Needs, View};

use crate::suite::Case;

use rule::Asked;

/// The checks of a case, in the order of the table in `docs/scoring.md`. Runs and reports use the same order.
pub(crate) fn expectations(case: &Case) -> Vec<Expectation<'_>> {
    let mut asked = Asked::of(case);
    tool_calls_any::ask(&mut asked);
    tool_calls_none::ask(&mut asked);
    must_not_say::ask(&mut asked);
    must_say_any::ask(&mut asked);
    telemetry::ask(&mut asked);
    outcome::ask(&mut asked);
    ui::ask(&mut asked);
    required_sources::ask(&mut asked);
    must_ground_numbers::ask(&mut asked);
    must_label_assumptions::ask(&mut asked);
    must_match_regex::ask(&mut asked);
    must_not_match_regex::ask(&mut asked);
    required_levers::ask(&mut asked);
    claim_evidence_alignment::ask(&mut asked);
    evidence_freshness::ask(&mut asked);
    must_allow_override_actions::ask(&mut asked);
    asked.list
}
