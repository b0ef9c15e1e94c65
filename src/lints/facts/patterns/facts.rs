use std::sync::{Arc, LazyLock};

use crate::lints::facts::said::Said;
use crate::pattern::syntax::PatternTree;
use crate::pattern::{Case, PatternError, PatternMemo, compile_cached};
use crate::text::Span;

use super::always::{Always, always_matches};
use super::hostile::{HostileLine, hostile_line};
use super::line_break::needed_line_break;
use super::literal::{LiteralText, literal_text};
use super::never::{Never, lacks_digits, never_matches, slashes};
use super::open_number::{OpenNumber, open_number};
use super::over_escaped::{OverEscaped, over_escaped};
use super::redundant::{CaseFlag, case_flags, needless_escapes, open_ends};

/// What the lints know about a pattern, independent of its place; spans are bytes of the pattern. If the pattern does
/// not compile, only `error` and `over_escaped` have values.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The error if it does not compile.
    pub(crate) error: Option<PatternError>,
    /// The line break that every match needs.
    pub(crate) line_break: Option<Span>,
    /// The part of it that matches in every line.
    pub(crate) always: Option<Always>,
    /// What keeps it from matching, unless that is the line break.
    pub(crate) never: Option<Never>,
    /// The pattern between the slashes of JavaScript.
    pub(crate) slashes: Option<Span>,
    /// Whether no match has a digit; only known where matches are read.
    pub(crate) lacks_digits: bool,
    /// Digits of a limited count without a boundary.
    pub(crate) open_number: Option<OpenNumber>,
    /// The literal text in its matches.
    pub(crate) literal: LiteralText,
    /// A line on which it is too expensive.
    pub(crate) hostile: Option<HostileLine>,
    /// Its flags that repeat that case is ignored.
    pub(crate) case_flags: Vec<CaseFlag>,
    /// The `.*` at its ends.
    pub(crate) open_ends: Vec<Span>,
    /// The backslashes that change nothing.
    pub(crate) needless_escapes: Vec<Span>,
    /// Where it has one level of backslashes too many.
    pub(crate) over_escaped: Option<OverEscaped>,
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
        let over_escaped = over_escaped(source, case);
        let pattern = match compile_cached(source, case) {
            Ok(pattern) => pattern,
            Err(error) => return Facts { error: Some(error), over_escaped, ..Facts::default() },
        };
        let tree = PatternTree::new(source);
        let line_break = needed_line_break(source, &tree);
        Facts {
            error: None,
            never: if line_break.is_none() { never_matches(source, &tree) } else { None },
            line_break,
            slashes: slashes(source),
            lacks_digits: case == Case::Matters && lacks_digits(source, &tree),
            open_number: open_number(source, &tree),
            literal: literal_text(&tree),
            always: always_matches(&pattern, &tree),
            hostile: hostile_line(&pattern, &tree),
            case_flags: case_flags(source),
            open_ends: open_ends(source),
            needless_escapes: needless_escapes(source),
            over_escaped,
        }
    }

    /// Returns the approximate memory in bytes.
    fn weight(&self) -> usize {
        let lists = self.case_flags.len() + self.over_escaped.as_ref().map_or(0, |over| over.excess.len());
        let lists = lists + self.open_ends.len() + self.needless_escapes.len();
        let texts = self.hostile.as_ref().map_or(0, HostileLine::weight);
        let literals: usize = self.literal.alternatives.iter().flatten().map(Said::weight).sum();
        size_of::<Self>() + literals + lists * size_of::<CaseFlag>() + texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;

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
            assert!(facts.error.is_none() && facts.line_break.is_none() && facts.always.is_none(), "`{source}`");
            assert!(facts.never.is_none() && facts.slashes.is_none() && !facts.lacks_digits, "`{source}`");
            assert!(facts.hostile.is_none() && facts.over_escaped.is_none(), "`{source}`");
        }
    }

    #[test]
    fn facts_are_computed_once() {
        let first = Facts::of("facts (once)+", Case::Ignored);
        assert!(Arc::ptr_eq(&first, &Facts::of("facts (once)+", Case::Ignored)));
        assert!(!Arc::ptr_eq(&first, &Facts::of("facts (once)+", Case::Matters)));
    }
}
