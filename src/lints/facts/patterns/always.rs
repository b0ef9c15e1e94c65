//! Patterns that match in every line, as far as a few lines show.

use crate::pattern::syntax::{Branch, Greed, Group, PatternTree, TokenKind};
use crate::pattern::{Budget, Case, Pattern, compile_cached};
use crate::text::Span;

/// The part of a pattern that matches in every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Always {
    /// The whole pattern.
    Whole,
    /// One of its alternatives.
    Branch(Span),
    /// An empty alternative beside this `|`.
    EmptyBranch(Span),
}

/// Returns the part of `pattern` that most likely matches in every line: it matches lines that have little in common.
pub(crate) fn always_matches(pattern: &Pattern, tree: &PatternTree) -> Option<Always> {
    let branches = tree.branches();
    if tree.tokens.iter().any(|token| can_exclude(token.kind)) || !matches_all_probes(pattern) {
        return None;
    }
    let is_enough = |branch: &Branch| {
        let alone = || compile_cached(&pattern.source()[branch.span.range()], Case::Ignored);
        branches.len() == 1 || alone().is_ok_and(|alone| matches_all_probes(&alone))
    };
    let index = branches.iter().position(is_enough)?;
    let span = branches[index].span;
    Some(match branches {
        [_] => Always::Whole,
        _ if !span.is_empty() => Always::Branch(span),
        _ if index == 0 => Always::EmptyBranch(Span::new(span.end, span.end + 1)),
        _ => Always::EmptyBranch(Span::new(span.start - 1, span.start)),
    })
}

/// Whether a word can exclude a few lines among all.
fn can_exclude(word: TokenKind) -> bool {
    use Group::{Atomic, Conditional, LookAhead, LookBehind, Special};
    use TokenKind::{Call, Malformed, Open, Reference, Repeat, Verb};
    matches!(
        word,
        Verb | Malformed
            | Reference
            | Call
            | Repeat { greed: Greed::Possessive, .. }
            | TokenKind::Greed(Greed::Possessive)
            | Open(LookAhead { negated: true } | LookBehind { negated: true } | Atomic | Conditional | Special)
    )
}

/// Returns whether the pattern matches lines that have little in common.
fn matches_all_probes(pattern: &Pattern) -> bool {
    let ascii: String = (' '..='~').collect();
    let long = "spoke ".repeat(200);
    let probes =
        ["", "q", "a", "5", " ", "-", "The saddle costs 40.", " \t\r\u{1}\u{7f}é\u{202e}😀\u{fffd}", &ascii, &long];
    let budget = Budget::default();
    probes.iter().all(|line| matches!(pattern.find(line, 0, &budget), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_patterns_that_match_every_line_are_reported() {
        let is_found = |source: &str| {
            let pattern = Pattern::compile(source, Case::Ignored).unwrap();
            always_matches(&pattern, &PatternTree::new(source)).is_some()
        };
        let all_lines = r"
            x* x? (?i)x{0,3}y* .* ^.* .*$ ^.*$ \A(.*)\z ^[\s\S]*$ ^[^\n]*?$ ^(?:.|x)*$ ^\s*.*$ (x*|y) (?:(?:^.*$))
            \b|\B|^ (x*)+ ^ $ ^x* x| (x|) x|(?#nothing) (?:)
        ";
        for source in all_lines.split_whitespace().chain([""]) {
            assert!(is_found(source), "`{source}`");
        }
        let some_lines = r"
            .+ x+ x \S*x ^$ ^\s*$ ^x*$ ^[^<]*$ ^[\x00-\x7f]*$ ^.{0,200}$ ^(?!.*sorry) ^(?!.*sorry).*$ (?=x)|y \b
            (?>x|.*)$ ^(?>x|.*)$ (x)?(?(1)y|z) (x*)\1y x*(*FAIL) ^\p{Latin}*$ ^[^\S\n]*$ ^[^\r\n]*$ a$^b*
        ";
        for source in some_lines.split_whitespace() {
            assert!(!is_found(source), "`{source}`");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let words = [
            "a", "b", ".", r"[^\n]", "[^a]", "(?:", "(", ")", "|", "*", "?", "{0,2}", "+", "*?", "*+", "(?=", "(?!",
            "(?>", "^", "$", r"\b", "(?(1)", "(?1)", r"\1", "(?i)", "(?s)", "(?-s)", r"\Z", r"\R", r"\N", r"[\s\S]",
            r"[^\r]", r"[\d\D]",
        ];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..8).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reported_patterns_match_every_line(source in words(), line in "[ab ]{0,5}|[a\r\u{b}\u{c}\u{85}\u{2028}]{0,6}|.{0,40}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Matters) else { return Ok(()) };
            if always_matches(&pattern, &PatternTree::new(&source)).is_some() {
                prop_assert!(matches!(pattern.find(&line, 0, &Budget::default()), Ok(Some(_))), "`{}`", source);
            }
        }
    }
}
