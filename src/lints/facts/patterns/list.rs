use std::sync::Arc;

use crate::pattern;
use crate::suite::{self, Expected, List, Spanned};
use crate::syntax::{Node, raw_span};
use crate::text::Span;

use super::Facts;

/// A pattern of a case.
pub(crate) struct CasePattern<'a> {
    /// The key that holds it.
    pub(crate) field: PatternField,
    /// The pattern itself.
    pub(crate) value: &'a str,
    /// The place of its literal, with quotes, counted from the case's first byte.
    pub(crate) span: Span,
    /// Whether the case has a check that uses it.
    pub(crate) is_tried: bool,
    /// The facts about it.
    pub(crate) facts: Arc<Facts>,
    literal: &'a str,
}

/// A key that holds a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternField {
    /// An entry of `must_match_regex`.
    MustMatch,
    /// An entry of `must_not_match_regex`.
    MustNotMatch,
    /// `regex` in an entry of `must_ground_numbers`.
    Number,
    /// `lever_regex`
    Lever,
    /// `claim_marker_regex`
    Claim,
    /// `evidence_marker_regex`
    Evidence,
    /// `alignment_marker_regex`
    Alignment,
    /// `evidence_freshness_regex`
    Freshness,
}

impl PatternField {
    /// Returns whether its matches are counted or read, so that empty matches do not count. For all other fields, any
    /// match counts.
    pub(crate) fn collects_matches(self) -> bool {
        matches!(self, Self::Lever | Self::Freshness)
    }

    /// Returns how its patterns treat case by default.
    pub(crate) fn case(self) -> pattern::Case {
        if self.collects_matches() { pattern::Case::Matters } else { pattern::Case::Ignored }
    }
}

impl CasePattern<'_> {
    /// Returns where the bytes `within` of the pattern are in the case's text. An escape of JSON counts as a whole.
    pub(crate) fn raw(&self, within: Span) -> Span {
        raw_span(self.literal, within).shifted_by(self.span.start)
    }
}

/// Returns the patterns of the case, in the order of its checks. Empty list entries are omitted, because the runner
/// skips them. Patterns in broken text are omitted, because their content is not known yet. `node` is the case with
/// spans from its first byte.
pub(crate) fn patterns_of<'a>(case: &'a suite::Case, node: Node<'a>) -> Vec<CasePattern<'a>> {
    let expected = &case.expected;
    let list = |list: &'a Option<List>, field| {
        list.iter()
            .flat_map(List::entries)
            .map(move |entry: &Spanned<String>| (field, entry.value.as_str(), entry.span))
    };
    let numbers = expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    let of_numbers = numbers.filter_map(|item| item.regex.as_ref()).map(|regex| (PatternField::Number, regex));
    let singles = of_numbers.chain(morning_brief(expected));
    list(&expected.must_match_regex, PatternField::MustMatch)
        .chain(list(&expected.must_not_match_regex, PatternField::MustNotMatch))
        .chain(singles.map(|(field, regex)| (field, regex.value.as_str(), regex.span)))
        .filter_map(|(field, value, span)| {
            let literal = node.find(span).filter(|node| !node.is_broken())?.text();
            let facts = Facts::of(value, field.case());
            Some(CasePattern { field, value, span, is_tried: is_tried(expected, field), facts, literal })
        })
        .collect()
}

fn is_tried(expected: &Expected, field: PatternField) -> bool {
    match field {
        PatternField::MustMatch | PatternField::MustNotMatch | PatternField::Number => true,
        PatternField::Lever => expected.required_levers.is_some(),
        PatternField::Claim | PatternField::Evidence | PatternField::Alignment => {
            expected.claim_evidence_alignment.as_ref().is_some_and(|asked| asked.value)
        }
        PatternField::Freshness => expected.evidence_freshness_max_age_minutes.is_some(),
    }
}

fn morning_brief(expected: &Expected) -> impl Iterator<Item = (PatternField, &suite::Field<String>)> {
    [
        (PatternField::Lever, &expected.lever_regex),
        (PatternField::Claim, &expected.claim_marker_regex),
        (PatternField::Evidence, &expected.evidence_marker_regex),
        (PatternField::Alignment, &expected.alignment_marker_regex),
        (PatternField::Freshness, &expected.evidence_freshness_regex),
    ]
    .into_iter()
    .filter_map(|(field, regex)| Some((field, regex.as_ref()?)))
}
