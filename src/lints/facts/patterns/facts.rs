use std::sync::{Arc, LazyLock};

use crate::pattern::syntax::PatternTree;
use crate::pattern::{self, Case, PatternError, PatternMemo, compile_cached};
use crate::suite::{self, PatternUse, UsedPattern};
use crate::syntax::{Node, raw_span};
use crate::text::Span;

use super::literal::{LiteralText, literal_text};
use super::never::{Always, always_matches};
use super::never::{Never, controls, lacks_digits, never_matches, slashes};

/// What the lints know about a pattern, independent of its place; spans are bytes of the pattern. If the pattern does
/// not compile, only `error` has a value.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The error if it does not compile.
    pub(crate) error: Option<PatternError>,
    /// The part of it that matches in every line.
    pub(crate) always: Option<Always>,
    /// What keeps it from matching.
    pub(crate) never: Option<Never>,
    /// The control characters that a single backslash in JSON makes.
    pub(crate) controls: Vec<Span>,
    /// The pattern between the slashes of JavaScript.
    pub(crate) slashes: Option<Span>,
    /// Whether no match has a digit; only known where matches are read.
    pub(crate) lacks_digits: bool,
    /// The literal text in its matches.
    pub(crate) literal: LiteralText,
}

impl Facts {
    /// Returns the facts about the pattern `source`. They are cached, because suites repeat their patterns and an
    /// editor asks at each keystroke.
    pub(crate) fn of(source: &str, case: Case) -> Arc<Facts> {
        static MEMO: LazyLock<PatternMemo<Arc<Facts>>> = LazyLock::new(PatternMemo::default);
        MEMO.get(source, case, || {
            let facts = Facts::work_out(source, case);
            let weight = facts.weight();
            (Arc::new(facts), weight)
        })
    }

    fn work_out(source: &str, case: Case) -> Facts {
        let pattern = match compile_cached(source, case) {
            Ok(pattern) => pattern,
            Err(error) => return Facts { error: Some(error), ..Facts::default() },
        };
        let tree = PatternTree::new(source);
        Facts {
            error: None,
            never: never_matches(source, &tree),
            controls: controls(&tree),
            slashes: slashes(source),
            lacks_digits: case == Case::Matters && lacks_digits(source, &tree),
            literal: literal_text(&tree),
            always: always_matches(&pattern, &tree),
        }
    }

    /// Returns the approximate memory in bytes.
    fn weight(&self) -> usize {
        let literals: usize =
            self.literal.alternatives.iter().flatten().map(|text| size_of::<String>() + text.len()).sum();
        size_of::<Self>() + literals + self.controls.len() * size_of::<Span>()
    }
}

/// A pattern of a case.
pub(crate) struct CasePattern<'a> {
    /// What a check does with it.
    pub(crate) used: PatternUse,
    /// The pattern itself.
    pub(crate) value: &'a str,
    /// The place of its literal, with quotes, counted from the case's first byte.
    pub(crate) span: Span,
    /// Whether the case has a check that uses it.
    pub(crate) is_read: bool,
    /// The facts about it.
    pub(crate) facts: Arc<Facts>,
    literal: &'a str,
}

impl CasePattern<'_> {
    /// Returns where the bytes `within` of the pattern are in the case's text. An escape of JSON counts as a whole.
    pub(crate) fn raw(&self, within: Span) -> Span {
        raw_span(self.literal, within).shifted_by(self.span.start)
    }
}

/// Returns the patterns of the case, in the order of `Expected::patterns`. Empty list entries are omitted, because the runner
/// skips them. Patterns in broken text are omitted, because their content is not known yet. `node` is the case with
/// spans from its first byte.
pub(crate) fn patterns_of<'a>(case: &'a suite::Case, node: Node<'a>) -> Vec<CasePattern<'a>> {
    let patterns = case.expected.patterns().into_iter();
    let in_case = |pattern: UsedPattern<'a>| {
        let UsedPattern { used, is_read, text, span } = pattern;
        let literal = node.find(span).filter(|node| !node.is_broken())?.text();
        let case = if used.collects_matches() { pattern::Case::Matters } else { pattern::Case::Ignored };
        Some(CasePattern { used, value: text, span, is_read, facts: Facts::of(text, case), literal })
    };
    patterns.filter_map(in_case).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::pattern::{Budget, Pattern};
    use crate::suite;

    use super::*;

    fn words() -> impl Strategy<Value = String> {
        let words = r#"
            a b 5 . - : ' ( (?: (?= (?! (?<= (?> (?| ) ) | * + ? {2} {0,2} *+ *? ^ $ [ab] [^a] [^\n] [\n] [\s\S] \n
            \r \R \v \h \s \S \d \w \b \A \z \Z \K \N \X \: \' \1 (?i) (?-i) (?s) (?m) (?-m) (?x) (?i: .* .*? .+
            (?(1) (?1) (*ACCEPT)
        "#;
        let words: Vec<_> = words.split_whitespace().chain([" ", "\u{8}"]).collect();
        proptest::collection::vec(proptest::sample::select(words), 0..8).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_claim_is_true_of_every_line(
            source in words(),
            lines in proptest::collection::vec("[abA5:' -]{0,6}|[ab5 \r\u{8}\u{b}\u{c}\u{85}\u{a0}\u{2028}\u{2029}]{0,6}|.{0,20}", 8),
        ) {
            for case in [Case::Ignored, Case::Matters] {
                let Ok(pattern) = Pattern::compile(&source, case) else { return Ok(()) };
                let facts = Facts::work_out(&source, case);
                for line in &lines {
                    // A pattern that recurs without an end gives no verdict, so nothing is claimed.
                    let Ok(found) = pattern.find(line, 0, &Budget::default()) else { continue };
                    let never = facts.never.as_ref().is_some_and(|never| never.is_whole);
                    prop_assert!(!never || found.is_none(), "`{source}` never matches, but {line:?}");
                    prop_assert!(facts.always.is_none_or(|always| always != Always::Whole) || found.is_some(), "`{source}` matches all but {line:?}");
                    for found in pattern.matches(line, &Budget::default()).flatten().filter(|_| facts.lacks_digits) {
                        prop_assert!(!line[found.range()].bytes().any(|b| b.is_ascii_digit()), "`{source}` has a digit in {line:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_defaults_have_no_findings() {
        for source in [
            suite::LEVER_REGEX,
            suite::CLAIM_MARKER_REGEX,
            suite::EVIDENCE_MARKER_REGEX,
            suite::ALIGNMENT_MARKER_REGEX,
            suite::EVIDENCE_FRESHNESS_REGEX,
        ] {
            let facts = Facts::of(source, Case::Ignored);
            assert!(facts.error.is_none() && facts.always.is_none(), "`{source}`");
            assert!(facts.never.is_none() && facts.slashes.is_none() && !facts.lacks_digits, "`{source}`");
        }
    }

    #[test]
    fn facts_are_computed_once() {
        let first = Facts::of("facts (once)+", Case::Ignored);
        assert!(Arc::ptr_eq(&first, &Facts::of("facts (once)+", Case::Ignored)));
        assert!(!Arc::ptr_eq(&first, &Facts::of("facts (once)+", Case::Matters)));
    }
}
