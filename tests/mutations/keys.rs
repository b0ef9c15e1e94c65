//! Mistakes in keys: misspelt, in another style, under another name, in another object.

use eval_ls::testing::Member;
use eval_ls::testing::Span;

use crate::mutations::edits::*;
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};

pub(crate) fn operators() -> Vec<Operator> {
    let key = |name, mistakes| operator(Area::Key, name, mistakes);
    vec![
        key("letters swapped in a key of expected", |s| on_keys(s, "expected", swapped)),
        key("letter lost in a key of expected", |s| on_keys(s, "expected", lost)),
        key("letter doubled in a key of expected", |s| on_keys(s, "expected", doubled)),
        key("two slips in a key of expected", |s| on_keys(s, "expected", |key| lost(&swapped(key)?))),
        key("letters swapped in a key of a case", |s| on_required(s, "cases", swapped)),
        key("letter lost in a key of a case", |s| on_required(s, "cases", lost)),
        key("letters swapped in a key of the suite", |s| on_required(s, "", swapped)),
        key("letter lost in a key of the suite", |s| on_required(s, "", lost)),
        key("letters swapped in a key of scoring", |s| on_keys(s, "scoring", swapped)),
        key("letter lost in a key of scoring", |s| on_keys(s, "scoring", lost)),
        key("letters swapped in a key of soft_score", |s| on_keys(s, "soft_score", swapped)),
        key("letters swapped in a group with a weight", |s| on_keys(s, "weights", swapped)),
        key("letter lost in a group with a weight", |s| on_keys(s, "weights", lost)),
        key("letters swapped in a key of a number", |s| on_keys(s, "must_ground_numbers", swapped)),
        key("letter lost in a key of a number", |s| on_keys(s, "must_ground_numbers", lost)),
        key("camelCase in expected", |s| on_keys(s, "expected", camel)),
        key("kebab-case in expected", |s| on_keys(s, "expected", |key| changed(key, key.replace('_', "-")))),
        key("spaces in a key of expected", |s| on_keys(s, "expected", |key| changed(key, key.replace('_', " ")))),
        key("UPPER CASE in expected", |s| on_keys(s, "expected", |key| Some(key.to_uppercase()))),
        key("capital in a key of a case", |s| on_required(s, "cases", |key| Some(key[..1].to_uppercase() + &key[1..]))),
        key("capital in cases", |s| on_required(s, "", |key| Some(key[..1].to_uppercase() + &key[1..]))),
        key("underscore lost in expected", |s| on_keys(s, "expected", |key| changed(key, key.replacen('_', "", 1)))),
        key("_any lost", |s| on_keys(s, "expected", |key| key.strip_suffix("_any").map(str::to_owned))),
        key("_regex lost", |s| {
            on_keys(s, "expected", |key| {
                key.strip_suffix("_regex").filter(|key| key.starts_with("must")).map(str::to_owned)
            })
        }),
        key("must_ lost", |s| {
            on_keys(s, "expected", |key| {
                key.strip_prefix("must_").filter(|key| !key.contains("regex")).map(str::to_owned)
            })
        }),
        key("_any on a prohibition", |s| {
            on_keys(s, "expected", |key| (key == "must_not_say").then(|| format!("{key}_any")))
        }),
        key("another word in expected", |s| on_keys(s, "expected", synonym)),
        key("another word in a case", |s| on_required(s, "cases", synonym)),
        key("space at a key's end", |s| on_keys(s, "expected", |key| Some(format!("{key} ")))),
        key("zero-width space in a key", |s| {
            on_keys(s, "expected", |key| Some(format!("{}\u{200b}{}", &key[..2], &key[2..])))
        }),
        key("key of expected in its case", |s| moved_out(s, "expected")),
        key("threshold or weights in scoring", |s| moved_out(s, "soft_score")),
        key("hard_fail or soft_score in expected", |s| moved_out(s, "scoring")),
        key("hard_fail in soft_score", hard_fail_moved_in),
    ]
}

/// The required keys. A typo in another key is a note of the author.
fn on_required(s: &Source, owner: &str, make: impl Fn(&str) -> Option<String>) -> Vec<Mistake> {
    let members = s.members_of(owner).into_iter();
    let required =
        members.filter(|member| ["cases", "id", "prompt", "expected"].contains(&&*member.key.as_str().unwrap()));
    required.filter_map(|member| renamed(member, &make)).collect()
}

fn on_keys(s: &Source, owner: &str, make: impl Fn(&str) -> Option<String>) -> Vec<Mistake> {
    s.members_of(owner).into_iter().filter_map(|member| renamed(member, &make)).collect()
}

fn renamed(member: Member<'_>, make: impl Fn(&str) -> Option<String>) -> Option<Mistake> {
    Some(replace(member.key.span(), quoted(&make(&member.key.as_str()?)?)))
}

fn changed(old: &str, new: String) -> Option<String> {
    (old != new).then_some(new)
}

pub(crate) fn swapped(key: &str) -> Option<String> {
    let bytes = key.as_bytes();
    let at = (key.len() / 2..key.len() - 1).chain(0..key.len() / 2).find(|&at| bytes[at] != bytes[at + 1])?;
    let mut letters: Vec<char> = key.chars().collect();
    letters.swap(at, at + 1);
    (key.len() > 2).then(|| letters.into_iter().collect())
}

pub(crate) fn lost(key: &str) -> Option<String> {
    let at = key.len() * 2 / 3;
    (key.len() > 2).then(|| format!("{}{}", &key[..at], &key[at + 1..]))
}

fn doubled(key: &str) -> Option<String> {
    let at = key.len() / 3;
    Some(format!("{}{}", &key[..=at], &key[at..]))
}

fn camel(key: &str) -> Option<String> {
    let mut words = key.split('_');
    let first = words.next()?.to_owned();
    changed(key, words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..]))
}

fn synonym(key: &str) -> Option<String> {
    let synonym = match key {
        "must_say_any" => "must_contain_any",
        "must_not_say" => "forbidden_phrases",
        "must_match_regex" => "must_match",
        "must_not_match_regex" => "must_not_match",
        "tool_calls_any" => "expected_tools",
        "tool_calls_none" => "forbidden_tools",
        "required_sources" => "sources",
        "must_ground_numbers" => "numbers",
        "outcome" => "expected_outcome",
        "scoring" => "score",
        "required_levers" => "min_levers",
        "must_allow_override_actions" => "override_actions",
        "id" => "case_id",
        "prompt" => "input",
        "expected" => "assertions",
        _ => return None,
    };
    Some(synonym.to_owned())
}

/// Moves each member of the objects under `owner` to the object around it.
fn moved_out(s: &Source, owner: &str) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for home in s.members(&[owner]) {
        let object = home.value.unwrap();
        for member in object.members().filter(|_| object.members().count() > 1) {
            let start = home.node.span().start;
            mistakes.push(vec![
                (Span::empty(start), format!("{}, ", member.node.text())),
                (member.node.removal(), String::new()),
            ]);
        }
    }
    mistakes
}

fn hard_fail_moved_in(s: &Source) -> Vec<Mistake> {
    let moved = |scoring: eval_ls::testing::Node<'_>| {
        let (hard, soft) = (scoring.member("hard_fail")?, scoring.get("soft_score")?);
        Some(vec![
            (hard.node.removal(), String::new()),
            (Span::empty(soft.span().start + 1), format!("{}, ", hard.node.text())),
        ])
    };
    s.values(&["scoring"]).into_iter().filter_map(moved).collect()
}
