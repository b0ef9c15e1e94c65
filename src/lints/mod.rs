//! The lints: one file each, with its page, its code, its fix and its tests. [`LINTS`] lists them all.
//!
//! A lint looks at one thing: a syntax error, an object, a departure from the schema, a case, or the whole suite.
//! What it learns of a case it says in spans of that case, so that the answer can be kept until the case changes.

mod context;
mod declare;
mod engine;
mod lists;
mod page;
mod registry;
mod tools;

// Shape
mod duplicate_key;
mod invalid_json;
mod key_from_later_version;
mod missing_key;
mod unknown_key;
mod unknown_value;
mod unknown_version;
mod version_mismatch;
mod wrong_type;
// Cases, tools, phrases
mod awkward_case_id;
mod contradictory_outcome;
mod contradictory_phrases;
mod contradictory_tools;
mod duplicate_case_id;
mod empty_string;
mod malformed_telemetry;
mod repeated_entry;
mod undefined_ui_hint;
mod unknown_tool;
mod vacuous_case;
mod vacuous_outcome;
// Patterns and numbers
mod contradictory_regex;
mod ignored_member;
mod invalid_regex;
mod over_escaped_regex;
mod patterns;
mod redundant_case_flag;
mod regex_always_matches;
mod regex_backtracks;
mod regex_spans_lines;
mod ungrounded_number;
mod unused_member;
// Scoring
mod decided_by_hard_fail;
mod negative_weight;
mod threshold_out_of_range;
mod unused_weights;
mod unweighted_group;
mod vacuous_hard_fail;
mod vacuous_weight;
mod weights_not_one;
mod zero_threshold;
mod zero_weights;
// What the lints of scoring share
mod asked;
mod weighing;
mod weight_text;

pub use context::{CaseContext, Report, SuiteCase, SuiteContext, Workspace};
pub use declare::{Check, Lint};
pub use engine::{case_findings, suite_findings};
pub use invalid_json::not_utf8;
pub use page::Example;
pub use registry::{LINTS, lint};

pub(crate) use weights_not_one::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};

#[cfg(test)]
mod testing;
