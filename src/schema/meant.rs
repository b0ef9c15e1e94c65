//! The known name that a mistaken name means: by spelling, by a table of synonyms, by its words, then by its letters.
//! A prohibition never becomes a requirement, and a list of phrases never becomes a list of patterns or tools.

use strsim::osa_distance;

/// Names longer than this are text.
const LONGEST: usize = 60;

/// The key that was meant. `is_open` if the object may hold keys of its author's own, which only have to look alike.
pub(super) fn key<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, is_open: bool) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let name = normal(name)?;
    let same = |candidate: &&&str| normal(candidate).as_ref() == Some(&name);
    let alike =
        || by_letters(&name, known.iter().copied().filter(|candidate| keeps_meaning(&name, candidate)), is_open);
    let found = known.iter().find(same).copied().or_else(|| by_synonym(KEYS, &name, &known));
    if is_open { found.or_else(alike) } else { found.or_else(alike).or_else(|| by_words(&name, &known)) }
}

/// The value of a closed list that was meant.
pub(super) fn value<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let name = normal(name)?;
    let same = |candidate: &&&str| normal(candidate).as_ref() == Some(&name);
    known
        .iter()
        .find(same)
        .copied()
        .or_else(|| by_synonym(VALUES, &name, &known))
        .or_else(|| by_letters(&name, known.iter().copied(), false))
        .or_else(|| by_words(&name, &known))
}

/// Lower case with underscores: `mustSayAny` and `Must-Say Any` are `must_say_any`.
fn normal(name: &str) -> Option<String> {
    let mut normal = String::new();
    let mut is_lower = false;
    for c in name.trim().chars().take(LONGEST + 1) {
        if c.is_uppercase() && is_lower {
            normal.push('_');
        }
        is_lower = c.is_lowercase() || c.is_ascii_digit();
        match c {
            '-' | ' ' | '.' | '_' => normal.push('_'),
            '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' => {}
            _ => normal.extend(c.to_lowercase()),
        }
    }
    (normal.len() <= LONGEST && !normal.is_empty()).then_some(normal)
}

fn by_synonym<'a>(table: &[(&str, &[&str])], name: &str, known: &[&'a str]) -> Option<&'a str> {
    let rows = table.iter().filter(|(_, synonyms)| synonyms.contains(&name));
    rows.filter_map(|(meant, _)| known.iter().find(|candidate| *candidate == meant).copied()).next()
}

/// The candidate that shares the most words with the name: all words of the candidate, or all of the name.
fn by_words<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let words = |name: &str| -> Vec<String> { name.split('_').filter(|word| !word.is_empty()).map(stem).collect() };
    let own = words(name);
    let shared = |candidate: &&'a str| {
        let theirs = words(candidate);
        let all_theirs = theirs.iter().all(|word| own.contains(word));
        let all_own = own.iter().all(|word| theirs.contains(word));
        let is_telling = own.iter().any(|word| !VAGUE.contains(&word.as_str()) && theirs.contains(word));
        let count = theirs.iter().filter(|word| own.contains(word)).count();
        ((all_theirs || all_own) && is_telling && keeps_meaning(name, candidate)).then_some((count, *candidate))
    };
    let mut found: Vec<_> = known.iter().filter_map(shared).collect();
    found.sort_by_key(|(count, candidate)| (std::cmp::Reverse(*count), candidate.len()));
    let is_clear = found.len() < 2 || found[0].0 > found[1].0;
    found.first().filter(|_| is_clear).map(|(_, candidate)| *candidate)
}

/// Words that many names share.
const VAGUE: [&str; 8] = ["must", "any", "not", "none", "all", "regex", "required", "marker"];

fn stem(word: &str) -> String {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word).to_owned()
}

/// The nearest candidate by letters, if a third of them differ at most; in an open object a quarter.
fn by_letters<'a>(name: &str, known: impl Iterator<Item = &'a str>, is_open: bool) -> Option<&'a str> {
    let length = name.chars().count();
    let most = (length / if is_open { 4 } else { 3 }).max(1);
    let is_plural = |candidate: &str| is_open && name.strip_suffix('s') == Some(candidate);
    let near =
        known.filter(|candidate| !is_plural(candidate)).map(|candidate| (osa_distance(name, candidate), candidate));
    near.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Whether both names ask for something or both forbid it, of the same kind of thing, and of as many.
fn keeps_meaning(name: &str, candidate: &str) -> bool {
    let is_whole = |name: &str| name.split('_').any(|word| matches!(word, "all" | "every" | "each" | "both"));
    forbids(name) == forbids(candidate)
        && !(is_whole(name) && candidate.ends_with("_any"))
        && kind(name).zip(kind(candidate)).is_none_or(|(a, b)| a == b)
}

fn forbids(name: &str) -> bool {
    let is_negation = |word: &str| {
        NEGATIONS.contains(&word)
            || (!matches!(word, "note" | "one" | "now" | "got" | "lot" | "tone" | "done" | "any" | "on" | "or")
                && (osa_distance(word, "not") <= 1 || osa_distance(word, "none") <= 1))
    };
    let joined = name.replace('_', "");
    name.split('_').any(is_negation) || joined.replace("note", "").contains("not") || joined.contains("none")
}

const NEGATIONS: [&str; 19] = [
    "not",
    "none",
    "no",
    "never",
    "forbid",
    "forbids",
    "forbidden",
    "without",
    "avoid",
    "avoids",
    "exclude",
    "excludes",
    "excluded",
    "disallow",
    "disallowed",
    "banned",
    "deny",
    "denied",
    "prohibited",
];

/// What a list under a name holds, if a word of it tells.
fn kind(name: &str) -> Option<&'static str> {
    name.split('_').find_map(|word| KINDS.iter().find(|(_, words)| words.contains(&word)).map(|(kind, _)| *kind))
}

const KINDS: [(&str, &[&str]); 4] = [
    ("pattern", &["regex", "regexes", "regexp", "pattern", "patterns", "match", "matches"]),
    (
        "phrase",
        &[
            "say", "says", "said", "phrase", "phrases", "contain", "contains", "mention", "mentions", "include",
            "includes",
        ],
    ),
    ("tool", &["tool", "tools", "call", "calls"]),
    ("number", &["number", "numbers", "minutes"]),
];

const KEYS: &[(&str, &[&str])] = &[
    (
        "must_match_regex",
        &[
            "must_match",
            "must_match_any",
            "must_match_pattern",
            "must_match_patterns",
            "must_match_regexes",
            "regex",
            "regexes",
            "pattern",
            "patterns",
            "match",
            "matches",
            "match_regex",
            "must_contain_regex",
            "must_regex",
            "required_regex",
            "required_patterns",
            "response_regex",
            "should_match",
        ],
    ),
    (
        "must_not_match_regex",
        &[
            "must_not_match",
            "must_not_match_any",
            "must_not_match_pattern",
            "must_not_match_patterns",
            "must_not_regex",
            "must_not_match_regexes",
            "must_match_none",
            "forbidden_regex",
            "forbidden_patterns",
            "not_match",
            "not_match_regex",
            "no_match",
            "should_not_match",
            "excluded_patterns",
            "must_never_match",
        ],
    ),
    (
        "must_say_any",
        &[
            "must_say",
            "say",
            "says",
            "say_any",
            "should_say",
            "must_say_one_of",
            "must_say_any_of",
            "must_contain",
            "must_contain_any",
            "must_include",
            "must_include_any",
            "must_mention",
            "must_mention_any",
            "contains",
            "contains_any",
            "includes",
            "mentions",
            "phrases",
            "expected_phrases",
            "required_phrases",
            "keywords",
            "response_contains",
        ],
    ),
    (
        "must_not_say",
        &[
            "must_not_say_any",
            "must_not_contain",
            "must_not_contain_any",
            "must_not_mention",
            "must_not_include",
            "must_say_none",
            "must_never_say",
            "never_say",
            "not_say",
            "dont_say",
            "should_not_say",
            "shouldnt_say",
            "forbidden",
            "forbidden_phrases",
            "banned_phrases",
            "forbidden_words",
            "not_contains",
            "does_not_contain",
            "must_avoid",
            "excludes",
        ],
    ),
    (
        "tool_calls_any",
        &[
            "tool_calls",
            "tool_call",
            "tools",
            "tool",
            "tools_any",
            "any_tool",
            "tool_any",
            "expected_tools",
            "expected_tool_calls",
            "required_tools",
            "must_call",
            "must_call_any",
            "must_call_tool",
            "must_call_tools",
            "must_use_tool",
            "must_use_tools",
            "calls_any",
            "tools_called",
            "tool_names",
            "tools_used",
            "tool_calls_any_of",
            "tool_calls_one_of",
        ],
    ),
    (
        "tool_calls_none",
        &[
            "tool_calls_not_any",
            "tool_calls_not",
            "tools_none",
            "tools_not",
            "no_tools",
            "no_tool_calls",
            "forbidden_tools",
            "disallowed_tools",
            "banned_tools",
            "must_not_call",
            "must_not_call_tools",
            "must_not_use_tools",
            "calls_none",
            "tool_calls_forbidden",
            "tool_calls_none_of",
            "excluded_tools",
        ],
    ),
    (
        "required_sources",
        &[
            "sources",
            "source",
            "required_source",
            "must_cite",
            "must_cite_sources",
            "must_use_sources",
            "data_sources",
            "citations",
            "expected_sources",
            "must_mention_sources",
        ],
    ),
    (
        "source_patterns",
        &["sources_patterns", "source_phrases", "source_markers", "patterns_by_source", "source_keywords"],
    ),
    (
        "must_ground_numbers",
        &[
            "ground_numbers",
            "numbers",
            "must_ground",
            "grounded_numbers",
            "numeric_grounding",
            "required_numbers",
            "must_contain_numbers",
            "must_mention_numbers",
            "numbers_grounded",
            "ground",
        ],
    ),
    (
        "must_label_assumptions",
        &[
            "label_assumptions",
            "assumptions",
            "must_state_assumptions",
            "must_flag_assumptions",
            "must_mark_assumptions",
            "assumptions_labelled",
            "assumptions_labeled",
        ],
    ),
    (
        "assumption_markers_any",
        &["assumption_markers", "assumptions_any", "assumption_phrases", "assumption_words", "markers_any"],
    ),
    (
        "required_levers",
        &[
            "levers",
            "min_levers",
            "lever_count",
            "number_of_levers",
            "must_have_levers",
            "levers_required",
            "num_levers",
        ],
    ),
    ("lever_regex", &["lever_pattern", "levers_regex"]),
    (
        "claim_evidence_alignment",
        &["evidence_alignment", "alignment", "claim_alignment", "must_align_evidence", "align_evidence"],
    ),
    ("claim_marker_regex", &["claim_regex", "claim_pattern", "claim_markers"]),
    ("evidence_marker_regex", &["evidence_regex", "evidence_pattern", "evidence_markers"]),
    ("alignment_marker_regex", &["alignment_regex", "alignment_pattern", "alignment_markers"]),
    (
        "evidence_freshness_max_age_minutes",
        &[
            "max_age",
            "max_age_minutes",
            "freshness",
            "evidence_max_age",
            "evidence_max_age_minutes",
            "freshness_minutes",
            "freshness_max_age_minutes",
            "evidence_freshness",
            "evidence_freshness_minutes",
            "evidence_freshness_max_age",
        ],
    ),
    ("evidence_freshness_regex", &["freshness_regex", "freshness_pattern"]),
    (
        "must_allow_override_actions",
        &[
            "override_actions",
            "overrides",
            "allow_override",
            "allow_override_actions",
            "must_allow_override",
            "must_allow_overrides",
            "must_offer_actions",
            "allowed_actions",
            "override_actions_any",
        ],
    ),
    (
        "telemetry",
        &[
            "telemetry_any",
            "telemetry_events",
            "telemetry_all",
            "expected_telemetry",
            "must_emit",
            "must_log",
            "events",
            "traces",
            "log_lines",
        ],
    ),
    ("ui", &["ui_hints", "ui_hint", "hints", "ui_any", "must_show", "expected_ui", "screen"]),
    ("scoring", &["score", "scores", "grading", "rubric", "scoring_rules"]),
    ("outcome", &["expected_outcome", "result", "status", "outcomes", "expected_result", "tool_outcome"]),
    ("id", &["case_id", "test_id", "identifier"]),
    ("prompt", &["input", "question", "query", "user_prompt", "user_message", "user_input", "message", "user"]),
    (
        "expected",
        &["expect", "expects", "expectation", "expectations", "assertions", "asserts", "assert", "checks", "should"],
    ),
    ("cases", &["tests", "test_cases", "evals", "examples", "scenarios"]),
    (
        "hard_fail",
        &["hard_fails", "hard", "hard_failures", "hard_fail_groups", "must_pass", "blocking", "critical", "fail_on"],
    ),
    ("soft_score", &["soft", "soft_scores", "softscore", "soft_scoring", "score"]),
    (
        "threshold",
        &[
            "min_score",
            "minimum",
            "minimum_score",
            "pass_threshold",
            "passing_score",
            "pass_score",
            "cutoff",
            "limit",
            "score_threshold",
        ],
    ),
    ("weights", &["weight", "weighting", "weightings", "group_weights", "groups"]),
    ("label", &["name", "title", "description"]),
    ("value", &["number", "val", "expected", "expected_value", "equals", "amount"]),
    ("regex", &["pattern", "match", "regexp"]),
    ("context_any", &["context", "contexts", "near", "near_any", "keywords", "context_words", "context_phrases"]),
];

const VALUES: &[(&str, &[&str])] = &[
    (
        "tool_success",
        &[
            "success",
            "succeeded",
            "successful",
            "ok",
            "pass",
            "passed",
            "tool_succeeded",
            "tool_ok",
            "tool_successful",
            "completed",
            "tool_completed",
            "done",
            "tool_result_success",
        ],
    ),
    (
        "tool_started",
        &[
            "started",
            "start",
            "running",
            "called",
            "tool_called",
            "tool_call",
            "invoked",
            "tool_invoked",
            "in_progress",
            "tool_running",
        ],
    ),
    (
        "graceful_error",
        &[
            "error",
            "failed",
            "failure",
            "fail",
            "tool_error",
            "tool_failed",
            "tool_failure",
            "graceful_failure",
            "handled_error",
            "graceful",
            "gracefully_failed",
        ],
    ),
    (
        "needs_input",
        &[
            "input",
            "need_input",
            "input_needed",
            "needs_user_input",
            "user_input",
            "clarification",
            "needs_clarification",
            "ask_user",
            "ask",
            "question",
            "waiting_for_input",
            "asks_question",
        ],
    ),
    (
        "response_only",
        &[
            "response",
            "text",
            "text_only",
            "answer",
            "answer_only",
            "reply",
            "reply_only",
            "message",
            "message_only",
            "no_tool",
            "no_tools",
            "only_response",
        ],
    ),
    ("tool_hygiene", &["tool", "tools", "tool_use", "tool_calls", "tool_usage", "hygiene"]),
    ("synthesis_coverage", &["coverage", "synthesis", "sources", "source_coverage"]),
    (
        "numeric_grounding",
        &["numbers", "numeric", "grounding", "number_grounding", "numerical_grounding", "grounded_numbers"],
    ),
    ("uncertainty", &["assumptions", "uncertain", "uncertainties", "confidence", "hedging"]),
    ("formatting", &["format", "formats", "phrases", "style", "wording", "text_format"]),
    ("morning_brief_contract", &["morning_brief", "brief", "contract", "brief_contract", "morning", "morningbrief"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{SchemaName, Shape};

    fn expected_keys() -> Vec<&'static str> {
        Shape::case(SchemaName::V0_3).key("expected").unwrap().keys().map(|key| key.name).collect()
    }

    #[test]
    fn a_prohibition_never_becomes_a_requirement() {
        for (name, meant) in [
            ("must_not_say_any", Some("must_not_say")),
            ("tool_calls_not_any", Some("tool_calls_none")),
            ("must_not_regex", Some("must_not_match_regex")),
            ("must_say_none", Some("must_not_say")),
            ("must_match_regexes", Some("must_match_regex")),
            ("must_not_match", Some("must_not_match_regex")),
            ("mustNotSay", Some("must_not_say")),
            ("must_nto_say", Some("must_not_say")),
            ("tool_calls_non", Some("tool_calls_none")),
            ("must_say_all", None),
        ] {
            assert_eq!(key(name, expected_keys(), false), meant, "{name}");
        }
        // Even if the right key is taken.
        for taken in expected_keys() {
            for (meant, synonyms) in KEYS.iter().filter(|(meant, _)| expected_keys().contains(meant)) {
                for name in synonyms.iter().chain([meant]) {
                    let rest = expected_keys().into_iter().filter(|key| *key != taken);
                    if let Some(found) = key(name, rest, false) {
                        assert_eq!(forbids(found), forbids(meant), "{name} → {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_synonym_means_its_row() {
        let known = expected_keys();
        for (meant, synonyms) in KEYS.iter().filter(|(meant, _)| known.contains(meant)) {
            for name in *synonyms {
                assert_eq!(key(name, known.iter().copied(), false), Some(*meant), "{name}");
            }
        }
    }

    #[test]
    fn an_author_may_keep_notes_in_an_open_object() {
        for note in ["names", "precondition_notes", "owner", "notes", "tags", "type"] {
            assert_eq!(key(note, ["name", "preconditions", "category", "setup_prompts"], true), None, "{note}");
        }
        assert_eq!(key("promt", ["prompt", "expected"], true), Some("prompt"));
    }

    #[test]
    fn values_are_found_by_their_words() {
        let groups = ["tool_hygiene", "synthesis_coverage", "formatting", "morning_brief_contract"];
        assert_eq!(value("morning_brief", groups), Some("morning_brief_contract"));
        assert_eq!(value("format", groups), Some("formatting"));
        assert_eq!(value("blocked", ["tool_success", "needs_input"]), None);
    }
}
