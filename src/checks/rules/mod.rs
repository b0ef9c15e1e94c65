//! One file with pure functions for each kind of expectation. `super::check` selects the rule.

pub(super) mod claim_evidence_alignment;
pub(super) mod evidence_freshness;
pub(super) mod label_assumptions;
pub(super) mod must_match_regex;
pub(super) mod must_not_match_regex;
pub(super) mod must_not_say;
pub(super) mod must_say_any;
pub(super) mod number;
pub(super) mod outcome;
pub(super) mod override_action;
pub(super) mod required_levers;
pub(crate) mod required_source;
pub(super) mod telemetry_entry;
pub(super) mod tool_calls_any;
pub(super) mod tool_calls_none;
pub(super) mod ui;
