//! What a name asks for: whether it forbids, of what kind of thing, and of how many.

use strsim::osa_distance;

/// Whether both names ask for something or both forbid it, of the same kind of thing, and of as many.
pub(super) fn keeps_meaning(name: &str, candidate: &str) -> bool {
    let is_whole = |name: &str| name.split('_').any(|word| matches!(word, "all" | "every" | "each" | "both"));
    forbids(name) == forbids(candidate)
        && !(is_whole(name) && candidate.ends_with("_any"))
        && kind(name).zip(kind(candidate)).is_none_or(|(a, b)| a == b)
}

pub(super) fn forbids(name: &str) -> bool {
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
