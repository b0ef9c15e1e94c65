use super::Lint;
use super::*;

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
    // Cases, tools, phrases
    &duplicate_case_id::DUPLICATE_CASE_ID,
    // Patterns and numbers
    // Scoring
];

/// The lint with that name.
pub fn lint(name: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.name == name)
}
