use std::sync::Arc;

use crate::pattern;
use crate::suite::{self, PatternUse, UsedPattern};
use crate::syntax::{Node, raw_span};
use crate::text::Span;

use super::Facts;

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
