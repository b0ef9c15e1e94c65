use std::collections::HashSet;

use crate::config::Reading;
use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::claims::phrases;
use crate::lints::facts::patterns::CasePattern;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::syntax::{Part, PartKind, PatternTree, TokenKind};
use crate::syntax::encode;
use crate::text::Span;

declare_lint! {
    /// A phrase has a straight apostrophe.
    ///
    /// Phrases are compared character by character, and many models write `’`, not `'`. So `Today's mission` is not found in
    /// "Today’s mission", and a forbidden phrase with `'` is missed.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["Today's mission"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Set `reading = "plain"` under `[scoring]` in `eval-ls.toml`: then both are read alike. Or add the phrase with `’`, and allow both in a
    /// pattern: `['’]`.
    ///
    /// ```json
    /// { "must_say_any": ["Today's mission", "Today’s mission"] }
    /// ```
    pub(crate) STRAIGHT_APOSTROPHE = "straight-apostrophe", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    // Then both apostrophes are read alike.
    if cx.workspace.reading == Reading::Plain {
        return;
    }
    for phrases in phrases(&cx.case.expected) {
        let all: HashSet<&str> = phrases.entries().map(|entry| entry.value.as_str()).collect();
        for entry in phrases.entries().filter(|entry| !apostrophes(&entry.value).is_empty()) {
            let curly = curly(&entry.value);
            if all.contains(curly.as_str()) {
                continue;
            }
            let message = format!("{} does not match {} with a curly apostrophe", quoted(&entry.value), quoted(&curly));
            let finding = report.add(entry.span, message);
            if phrases.is_any || phrases.key == "must_not_say" {
                let edit = Edit::insert(entry.span.end, format!(", {}", encode(&curly)));
                finding.fix(Fix::new("add the phrase with `’`", vec![edit]));
            }
        }
    }
    cx.patterns
        .iter()
        .filter(|pattern| pattern.is_read && pattern.facts.error.is_none())
        .for_each(|pattern| in_pattern(pattern, report));
}

fn in_pattern(pattern: &CasePattern<'_>, report: &mut Report) {
    if !pattern.value.contains('\'') {
        return;
    }
    let own = apostrophes(pattern.value);
    let tree = PatternTree::new(pattern.value);
    let is_word = |part: &&Part, is_it: &dyn Fn(char) -> bool| matches!(part.kind, PartKind::Word(TokenKind::Literal(c)) if is_it(c));
    let is_literal = |at: &usize| {
        let before =
            tree.parts.iter().filter(|part| part.span.end == *at).any(|part| is_word(&part, &char::is_alphabetic));
        before && tree.parts.iter().filter(|part| part.span.start == *at).any(|part| is_word(&part, &|c| c == '\''))
    };
    let places: Vec<Span> = own.into_iter().filter(is_literal).map(|at| pattern.raw(Span::new(at, at + 1))).collect();
    if let Some(first) = places.first() {
        let edits = places.iter().map(|place| Edit::replace(*place, "['’]")).collect();
        report
            .add(*first, "this apostrophe does not match `’`, which many responses have")
            .fix(Fix::new("match both with `['’]`", edits));
    }
}

/// The bytes at which a straight apostrophe stands between two letters.
fn apostrophes(text: &str) -> Vec<usize> {
    let is_between = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[*at + 1..].chars().next();
        before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic)
    };
    text.match_indices('\'').map(|(at, _)| at).filter(is_between).collect()
}

fn curly(text: &str) -> String {
    let mut curly = text.to_owned();
    for at in apostrophes(text).into_iter().rev() {
        curly.replace_range(at..at + 1, "’");
    }
    curly
}

#[cfg(test)]
mod tests {
    use super::STRAIGHT_APOSTROPHE;
    use crate::config::Reading;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_lines, findings};

    #[test]
    fn between_letters_in_phrases_and_patterns() {
        check_lines(
            &STRAIGHT_APOSTROPHE,
            r#"
            { "must_say_any": [«"it's"», "'quoted'", "cats' food", «"o'clock"»] }
            { "must_say_any": ["it's", "it’s"] }
            { "must_not_say": [«"can't"»], "must_allow_override_actions": [«"don't"»] }
            { "must_match_regex": ["today«'»s", "today['’]s", "today[']s", "x \\b'y"] }
            { "tool_calls_any": ["it's"] }
            { "must_not_say": [«"can't won't"», "a"] }
            → { "must_not_say": ["can't won't", "can’t won’t", "a"] }
            { "must_match_regex": ["it«'»s o'clock"] }
            → { "must_match_regex": ["it['’]s o['’]clock"] }
            "#,
        );
    }

    #[test]
    fn both_are_read_alike_in_a_plain_reading() {
        let workspace = Workspace { reading: Reading::Plain, ..Workspace::default() };
        let suite =
            r#"{ "cases": [{ "id": "A", "expected": { "must_say_any": ["it's"], "must_match_regex": ["it's"] } }] }"#;
        assert_eq!(findings(&Setup { workspace, ..Setup::default() }, &STRAIGHT_APOSTROPHE, suite), []);
        assert_eq!(findings(&Setup::default(), &STRAIGHT_APOSTROPHE, suite).len(), 2);
    }
}
