//! Mistakes in regular expressions.

use crate::mutations::edits::*;
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};

const PATTERNS: [&str; 2] = ["must_match_regex", "must_not_match_regex"];

pub(crate) fn operators() -> Vec<Operator> {
    let regex = |name, mistakes| operator(Area::Regex, name, mistakes).open();
    vec![
        regex("group left open", |s| appended(s, "(abc")),
        regex("class left open", |s| appended(s, "[abc")),
        regex("stray )", |s| appended(s, "abc)")),
        regex("nothing to repeat", |s| appended(s, "|*a")),
        regex("reversed range", |s| appended(s, "[9-0]")),
        regex("reversed count", |s| appended(s, "a{3,1}")),
        regex("unknown escape", |s| appended(s, "\\\\i")),
        regex("unknown group", |s| appended(s, "\\\\9")),
        regex("misspelt named group", |s| appended(s, "(?P<1>a)")),
        regex("POSIX class without brackets", |s| appended(s, "[:alpha:]")),
        regex("lookbehind of any length", |s| appended(s, "(?<=a+)b")),
        regex("line break required", |s| appended(s, "\\\\nabc")),
        regex("matches anything", |s| patterns(s, |_| "\"a*\"".to_owned())),
        regex("alternative of nothing", |s| appended(s, "|")),
        regex("catastrophic", |s| patterns(s, |_| "\"(\\\\w+\\\\s?)+$$x\"".replace("$$", "$"))),
        regex("empty pattern", |s| patterns(s, |_| "\"\"".to_owned())),
        regex("glob", |s| patterns(s, |_| "\"*abc*\"".to_owned())),
    ]
}

fn patterns(s: &Source, make: impl Fn(&str) -> String) -> Vec<Mistake> {
    s.entries(&PATTERNS).into_iter().map(|node| replace(node.span(), make(inner(node)))).collect()
}

fn appended(s: &Source, tail: &str) -> Vec<Mistake> {
    patterns(s, |pattern| format!("\"{}{tail}\"", pattern.trim_end_matches('$')))
}
