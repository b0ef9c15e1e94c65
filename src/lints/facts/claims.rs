//! What the checks of a case say about the text of a response, in one form, for the lints that compare checks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use crate::checks::{Response, Said};
use crate::config::Reading;
use crate::lints::CaseContext;
use crate::pattern::{Budget, Case};
use crate::suite::{ExpectationKind, built_in_source};
use crate::text::Span;

use super::patterns::Facts;

/// What a check says about the response.
pub(crate) struct Claim<'a> {
    /// The text that defines the check.
    pub(crate) span: Span,
    /// The key that defines the check.
    pub(crate) field: &'static str,
    /// The text that messages show.
    pub(crate) shown: Cow<'a, str>,
    /// The condition.
    condition: Condition<'a>,
    /// Whether it must not hold.
    pub(crate) is_forbidden: bool,
    reading: Reading,
    texts: OnceCell<Vec<Vec<Said<'a>>>>,
}

/// A condition on the text of a response.
enum Condition<'a> {
    /// The response contains one of these phrases, ignoring case.
    Says(Vec<Said<'a>>),
    /// A line matches the pattern.
    Matches(&'a str, Arc<Facts>),
    /// The response contains the value, and one of the phrases if there are any.
    Shows(Said<'a>, Vec<Said<'a>>),
}

/// Whether no other lint reports a pattern as a whole.
fn is_sound(facts: &Facts) -> bool {
    facts.error.is_none() && facts.always.is_none() && facts.never.is_none() && facts.hostile.is_none()
}

/// The claims of a case, in the order of its checks. Checks on tools and hints are not among them, nor those on age and
/// levers.
pub(crate) fn claims<'c, 'a>(cx: &'c CaseContext<'a>) -> &'c [Claim<'a>] {
    cx.claims.get_or_init(|| claims_of(cx))
}

fn claims_of<'a>(cx: &CaseContext<'a>) -> Vec<Claim<'a>> {
    let mut claims = Vec::new();
    let reading = cx.workspace.reading;
    let phrase = |phrase: &'a str| Said::phrase(phrase, reading);
    let says = |phrases: &[&'a str]| Condition::Says(phrases.iter().copied().map(phrase).collect());
    let pattern = |source: &'a str| Condition::Matches(source, Facts::of(source, Case::Ignored));
    for check in &cx.expectations {
        let (shown, condition, is_forbidden) = match &check.kind {
            ExpectationKind::MustNotSay { phrase } => (Cow::from(*phrase), says(&[*phrase]), true),
            ExpectationKind::MustSayAny { phrases } => (phrases.join(", ").into(), says(phrases), false),
            ExpectationKind::RequiredSource { source, patterns } => {
                ((*source).into(), says(&source_phrases(cx, source, patterns.as_deref())), false)
            }
            ExpectationKind::Number { item } => match (&item.regex, &item.value) {
                (Some(regex), _) => (item.name().into(), pattern(&regex.value), false),
                (None, Some(value)) if !value.value.is_empty() => {
                    let context = item.context_any.iter().flat_map(|list| list.entries());
                    let context = context.map(|entry| phrase(&entry.value)).collect();
                    (item.name().into(), Condition::Shows(phrase(&value.value), context), false)
                }
                _ => continue,
            },
            ExpectationKind::LabelAssumptions { markers } => ("must_label_assumptions".into(), says(markers), false),
            ExpectationKind::MustMatchRegex { pattern: text } => ((*text).into(), pattern(text), false),
            ExpectationKind::MustNotMatchRegex { pattern: text } => ((*text).into(), pattern(text), true),
            ExpectationKind::OverrideAction { action } => ((*action).into(), says(&[*action]), false),
            ExpectationKind::ToolCallsAny { .. }
            | ExpectationKind::ToolCallsNone { .. }
            | ExpectationKind::Telemetry { .. }
            | ExpectationKind::Outcome { .. }
            | ExpectationKind::UnknownOutcome { .. }
            | ExpectationKind::Ui { .. }
            | ExpectationKind::RequiredLevers { .. }
            | ExpectationKind::ClaimEvidenceAlignment { .. }
            | ExpectationKind::EvidenceFreshness { .. } => continue,
        };
        let (span, field) = (check.span, check.kind.field());
        claims.push(Claim { span, field, shown, condition, is_forbidden, reading, texts: OnceCell::new() });
    }
    claims
}

/// The phrases that show a source: those of the case, of the workspace, the built-in ones, or the name.
pub(crate) fn source_phrases<'a>(cx: &CaseContext<'a>, source: &'a str, given: Option<&[&'a str]>) -> Vec<&'a str> {
    if let Some(given) = given {
        return given.to_vec();
    }
    if let Some(phrases) = cx.workspace.sources.get(source) {
        return phrases.iter().map(String::as_str).collect();
    }
    built_in_source(source).map_or_else(|| vec![source], <[&str]>::to_vec)
}

impl<'a> Claim<'a> {
    /// Alternatives: wherever the condition holds, the response has all texts of one of them. Empty if nothing is known.
    pub(crate) fn texts(&self) -> &[Vec<Said<'a>>] {
        self.texts.get_or_init(|| match &self.condition {
            Condition::Says(phrases) => phrases.iter().map(|phrase| vec![phrase.clone()]).collect(),
            // A space in a value may be a line break in the response.
            Condition::Shows(value, _) if value.text.contains(char::is_whitespace) => Vec::new(),
            Condition::Shows(value, _) => vec![vec![value.clone()]],
            Condition::Matches(_, facts) if is_sound(facts) => {
                let said =
                    |texts: &Vec<String>| texts.iter().map(|text| Said::of_pattern(text, self.reading)).collect();
                facts.literal.alternatives.iter().map(said).collect()
            }
            Condition::Matches(..) => Vec::new(),
        })
    }

    /// Whether the condition holds wherever the response has `text`.
    pub(crate) fn is_met_by(&self, text: &Said<'_>, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => phrases.iter().any(|phrase| text.has(phrase)),
            Condition::Matches(source, facts) => {
                // Most texts lack the literal text of the pattern, and need not be matched.
                let has_all = |texts: &Vec<Said<'_>>| texts.iter().all(|other| text.has_text(other));
                facts.literal.is_free
                    && is_sound(facts)
                    && (self.texts().is_empty() || self.texts().iter().any(has_all))
                    && text.is_matched_by(source, budget)
            }
            // The value is compared with case, and texts of other checks are without.
            Condition::Shows(..) => false,
        }
    }

    /// Whether this check passes, or is met, wherever `other` is.
    pub(crate) fn is_implied_by(&self, other: &Claim<'_>, budget: &Budget) -> bool {
        let texts = other.texts();
        !texts.is_empty() && texts.iter().all(|texts| texts.iter().any(|text| self.is_met_by(text, budget)))
    }

    /// Whether a response that meets `other` may still not meet this pattern, because invisible characters are in it.
    pub(crate) fn depends_on_spelling(&self, other: &Claim<'_>) -> bool {
        matches!((&self.condition, &other.condition), (Condition::Matches(..), Condition::Says(_)))
    }

    /// Whether the condition holds of this very response. Blank phrases do not count: `blank-entry` reports them.
    pub(crate) fn holds_in(&self, response: &Response<'_>, budget: &Budget) -> bool {
        let says_one = |phrases: &[Said<'_>]| {
            phrases.iter().any(|phrase| !phrase.is_blank() && response.says(&phrase.text).is_some())
        };
        match &self.condition {
            Condition::Says(phrases) => says_one(phrases),
            Condition::Shows(value, context) => {
                response.shows(&value.text).is_some() && (context.is_empty() || says_one(context))
            }
            Condition::Matches(source, facts) => is_sound(facts) && response.matches(source, budget),
        }
    }
}
