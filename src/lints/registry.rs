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
    &version_mismatch::VERSION_MISMATCH,
    &unknown_version::UNKNOWN_VERSION,
    // Cases, tools, phrases
    &duplicate_case_id::DUPLICATE_CASE_ID,
    &awkward_case_id::AWKWARD_CASE_ID,
    &vacuous_case::VACUOUS_CASE,
    &empty_string::EMPTY_STRING,
    &repeated_entry::REPEATED_ENTRY,
    &contradictory_tools::CONTRADICTORY_TOOLS,
    &contradictory_phrases::CONTRADICTORY_PHRASES,
    &contradictory_outcome::CONTRADICTORY_OUTCOME,
    &vacuous_outcome::VACUOUS_OUTCOME,
    &malformed_telemetry::MALFORMED_TELEMETRY,
    &unknown_tool::UNKNOWN_TOOL,
    &undefined_ui_hint::UNDEFINED_UI_HINT,
    // Patterns and numbers
    &invalid_regex::INVALID_REGEX,
    &regex_spans_lines::REGEX_SPANS_LINES,
    &regex_always_matches::REGEX_ALWAYS_MATCHES,
    &regex_backtracks::REGEX_BACKTRACKS,
    &redundant_case_flag::REDUNDANT_CASE_FLAG,
    &over_escaped_regex::OVER_ESCAPED_REGEX,
    &contradictory_regex::CONTRADICTORY_REGEX,
    &ungrounded_number::UNGROUNDED_NUMBER,
    &ignored_member::IGNORED_MEMBER,
    &unused_member::UNUSED_MEMBER,
    // Scoring
    &weights_not_one::WEIGHTS_NOT_ONE,
    &negative_weight::NEGATIVE_WEIGHT,
    &zero_weights::ZERO_WEIGHTS,
    &vacuous_weight::VACUOUS_WEIGHT,
    &vacuous_hard_fail::VACUOUS_HARD_FAIL,
    &unweighted_group::UNWEIGHTED_GROUP,
    &unused_weights::UNUSED_WEIGHTS,
    &threshold_out_of_range::THRESHOLD_OUT_OF_RANGE,
    &zero_threshold::ZERO_THRESHOLD,
    &decided_by_hard_fail::DECIDED_BY_HARD_FAIL,
];

/// The lint with that name.
pub fn lint(name: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.name == name)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::schema::SchemaName;

    #[test]
    fn the_configurations_schema_lists_the_same_lints_at_the_same_levels() {
        let schema: Value = serde_json::from_str(SchemaName::Config.text()).unwrap();
        let listed = schema["properties"]["lints"]["properties"].as_object().unwrap();
        let listed: Vec<_> = listed.iter().map(|(name, level)| (name.as_str(), level["default"].as_str())).collect();
        let registered: Vec<_> = LINTS.iter().map(|lint| (lint.name, Some(lint.level.as_str()))).collect();
        assert_eq!(registered, listed);
    }

    #[test]
    fn each_lint_is_found_by_its_name() {
        for known in LINTS {
            assert!(lint(known.name).is_some_and(|found| std::ptr::eq(found, *known)), "{}", known.name);
        }
        assert!(lint("unique-case-id").is_none());
    }
}
