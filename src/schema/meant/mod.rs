//! The known name that a mistaken name means: by spelling, by a table of synonyms, by its words, then by its letters.
//! A prohibition never becomes a requirement, and a list of phrases never becomes a list of patterns or tools.

use std::str::Split;

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

fn by_synonym<'a>(table: &str, name: &str, known: &[&'a str]) -> Option<&'a str> {
    let mut meant = rows(table).filter(|(_, synonyms)| synonyms.clone().any(|synonym| synonym == name));
    meant.find_map(|(meant, _)| known.iter().find(|candidate| **candidate == meant).copied())
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
        NEGATIONS.split(' ').any(|known| known == word)
            || (!matches!(word, "note" | "one" | "now" | "got" | "lot" | "tone" | "done" | "any" | "on" | "or")
                && (osa_distance(word, "not") <= 1 || osa_distance(word, "none") <= 1))
    };
    let joined = name.replace('_', "");
    name.split('_').any(is_negation) || joined.replace("note", "").contains("not") || joined.contains("none")
}

const NEGATIONS: &str = "not none no never forbid forbids forbidden without avoid avoids exclude excludes \
     excluded disallow disallowed banned deny denied prohibited";

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

/// Keys.
const KEYS: &str = "\
must_match_regex: must_match_any regex regexes pattern patterns matches required_regex should_match
must_match_regex: must_contain must_include must_mention contains includes mentions required_phrases
must_not_match_regex: must_not_regex forbidden_regex forbidden_patterns no_match should_not_match must_never_match
must_say_any: should_say must_contain_any phrases expected_phrases
must_not_say: must_say_none must_not_contain must_not_mention must_not_include never_say dont_say forbidden forbidden_phrases
must_not_say: banned_phrases must_avoid
tool_calls_any: expected_tools must_call_tool must_use_tool
tool_calls_none: tool_calls_not_any no_tools forbidden_tools must_not_call
required_sources: sources source
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
const VALUES: &str = "\
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
fn rows(table: &str) -> impl Iterator<Item = (&str, Split<'_, char>)> {
    table.lines().filter_map(|line| line.split_once(": ")).map(|(name, synonyms)| (name, synonyms.split(' ')))
}

#[cfg(test)]
mod tests {
    use crate::schema::{SchemaName, Shape};

    use super::*;

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
            for (meant, synonyms) in rows(KEYS).filter(|(meant, _)| expected_keys().contains(meant)) {
                for name in synonyms.chain([meant]) {
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
        for (meant, synonyms) in rows(KEYS).filter(|(meant, _)| known.contains(meant)) {
            for name in synonyms {
                assert_eq!(key(name, known.iter().copied(), false), Some(meant), "{name}");
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
