//! The rules. Each file has the page, the code, the fix and the tests of one lint. The file has the name of the lint.
//!
//! A new lint needs a file, a `mod` line and an entry in [`LINTS`]. The compiler reports a rule without an entry.

mod blank_entry;
mod broad_source;
mod contradictory_outcome;
mod contradictory_phrases;
mod contradictory_tools;
pub(super) mod duplicate_case_id;
mod duplicate_key;
mod empty_prompt;
mod empty_suite;
pub(crate) mod invalid_json;
mod invalid_regex;
mod key_from_later_version;
mod malformed_telemetry;
pub(super) mod missing_key;
mod negated_outcome;
mod negative_weight;
mod only_forbids;
pub(crate) mod other_format;
pub(crate) mod regex_always_matches;
pub(crate) mod regex_never_matches;
mod said_by_prompt;
mod threshold_out_of_range;
mod threshold_without_effect;
pub(crate) mod unbounded_number;
mod undefined_precondition;
mod undefined_ui_hint;
mod ungrounded_number;
mod unknown_key;
mod unknown_tool;
mod unknown_value;
mod unknown_version;
mod unused_member;
mod vacuous_case;
mod vacuous_hard_fail;
mod vacuous_outcome;
mod vacuous_weight;
mod version_mismatch;
pub(crate) mod weights_not_one;
mod wrong_type;

use super::Lint;

/// All lints, in the order of the documentation.
pub static LINTS: &[&Lint] = &[
    // Shape
    &invalid_json::INVALID_JSON,
    &duplicate_key::DUPLICATE_KEY,
    &wrong_type::WRONG_TYPE,
    &missing_key::MISSING_KEY,
    &unknown_key::UNKNOWN_KEY,
    &unknown_value::UNKNOWN_VALUE,
    &key_from_later_version::KEY_FROM_LATER_VERSION,
    &version_mismatch::VERSION_MISMATCH,
    &unknown_version::UNKNOWN_VERSION,
    &empty_suite::EMPTY_SUITE,
    &other_format::OTHER_FORMAT,
    // Cases, tools, phrases
    &duplicate_case_id::DUPLICATE_CASE_ID,
    &empty_prompt::EMPTY_PROMPT,
    &vacuous_case::VACUOUS_CASE,
    &only_forbids::ONLY_FORBIDS,
    &blank_entry::BLANK_ENTRY,
    &contradictory_tools::CONTRADICTORY_TOOLS,
    &contradictory_phrases::CONTRADICTORY_PHRASES,
    &negated_outcome::NEGATED_OUTCOME,
    &said_by_prompt::SAID_BY_PROMPT,
    &broad_source::BROAD_SOURCE,
    &contradictory_outcome::CONTRADICTORY_OUTCOME,
    &vacuous_outcome::VACUOUS_OUTCOME,
    &malformed_telemetry::MALFORMED_TELEMETRY,
    &unknown_tool::UNKNOWN_TOOL,
    &undefined_ui_hint::UNDEFINED_UI_HINT,
    &undefined_precondition::UNDEFINED_PRECONDITION,
    // Patterns and numbers
    &invalid_regex::INVALID_REGEX,
    &regex_always_matches::REGEX_ALWAYS_MATCHES,
    &regex_never_matches::REGEX_NEVER_MATCHES,
    &ungrounded_number::UNGROUNDED_NUMBER,
    &unbounded_number::UNBOUNDED_NUMBER,
    &unused_member::UNUSED_MEMBER,
    // Scoring
    &weights_not_one::WEIGHTS_NOT_ONE,
    &negative_weight::NEGATIVE_WEIGHT,
    &vacuous_weight::VACUOUS_WEIGHT,
    &vacuous_hard_fail::VACUOUS_HARD_FAIL,
    &threshold_out_of_range::THRESHOLD_OUT_OF_RANGE,
    &threshold_without_effect::THRESHOLD_WITHOUT_EFFECT,
];
