//! Names that authors write for the names of the schema. Each line has a known name and some of its synonyms, which are in lower
//! case with underscores. Names that share their words with the known one need no line.

use std::str::Split;

/// Keys.
pub(super) const KEYS: &str = "\
must_match_regex: must_match_any regex regexes pattern patterns matches required_regex should_match
must_not_match_regex: must_not_regex forbidden_regex forbidden_patterns no_match should_not_match must_never_match
must_say_any: should_say must_contain must_contain_any must_include must_mention contains includes mentions phrases
must_say_any: expected_phrases required_phrases keywords response_contains
must_not_say: must_say_none must_not_contain must_not_mention must_not_include never_say dont_say forbidden forbidden_phrases
must_not_say: banned_phrases must_avoid
tool_calls_any: expected_tools required_tools must_call must_call_tool must_use_tool
tool_calls_none: tool_calls_not_any no_tools forbidden_tools must_not_call
required_sources: sources source must_cite data_sources citations expected_sources
source_patterns: source_phrases
must_ground_numbers: required_numbers
must_label_assumptions: assumptions
assumption_markers_any: assumption_phrases
required_levers: levers min_levers lever_count
lever_regex: lever_pattern
claim_evidence_alignment: alignment
claim_marker_regex: claim_pattern
evidence_marker_regex: evidence_regex evidence_pattern
alignment_marker_regex: alignment_pattern
evidence_freshness_max_age_minutes: freshness evidence_freshness
evidence_freshness_regex: freshness_pattern
must_allow_override_actions: allowed_actions
telemetry: must_log events
ui: hints
scoring: score grading rubric
outcome: result status expected_result
id: case_id identifier
prompt: input question query user_message message user
expected: expect expectation expectations assertions assert checks
cases: tests test_cases evals examples
hard_fail: hard must_pass blocking fail_on
soft_score: soft score
threshold: min_score minimum_score pass_threshold cutoff
weights: weight group_weights groups
label: name title description
value: number val expected equals
regex: pattern match
context_any: context near keywords";

/// Values of closed lists.
pub(super) const VALUES: &str = "\
tool_success: success succeeded successful ok pass passed tool_ok completed
tool_started: started start running called tool_called in_progress
graceful_error: error failed failure fail tool_error tool_failed graceful_failure
needs_input: input need_input clarification needs_clarification ask_user question
response_only: response text text_only answer reply message no_tool no_tools
tool_hygiene: tool tools tool_use tool_calls
synthesis_coverage: coverage synthesis sources
numeric_grounding: numbers grounding
uncertainty: assumptions uncertain confidence
formatting: format phrases style
morning_brief_contract: morning_brief brief contract";

/// Each known name with some of its synonyms.
pub(super) fn rows(table: &str) -> impl Iterator<Item = (&str, Split<'_, char>)> {
    table.lines().filter_map(|line| line.split_once(": ")).map(|(name, synonyms)| (name, synonyms.split(' ')))
}
