//! What the checks of a case say about the text of a response, in one form, for the lints that compare checks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use crate::lints::CaseContext;
use crate::pattern::{Budget, Case, Pattern, compile_cached};
use crate::suite::{ExpectationKind, built_in_source};
use crate::text::Span;

use super::patterns::Facts;
use super::said::Said;

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
    texts: OnceCell<Vec<Vec<Said<'a>>>>,
}

/// A condition on the text of a response.
enum Condition<'a> {
    /// The response contains one of these phrases, ignoring case.
    Says(Vec<Said<'a>>),
    /// A line matches the pattern.
    Matches(Matches<'a>),
    /// The response contains the value, and one of the phrases if there are any.
    Shows(&'a str, Vec<Said<'a>>),
}

/// A pattern.
struct Matches<'a> {
    source: &'a str,
    facts: Arc<Facts>,
    compiled: OnceCell<Option<Arc<Pattern>>>,
}

impl<'a> Matches<'a> {
    fn new(source: &'a str) -> Self {
        Matches { source, facts: Facts::of(source, Case::Ignored), compiled: OnceCell::new() }
    }

    /// Alternatives: each match has all texts of one of them. Empty if nothing is known.
    fn alternatives(&self) -> &[Vec<Said<'static>>] {
        &self.facts.literal.alternatives
    }

    /// Whether no other lint reports the pattern as a whole.
    fn is_sound(&self) -> bool {
        let facts = &self.facts;
        facts.error.is_none() && facts.always.is_none() && facts.never.is_none() && facts.hostile.is_none()
    }

    /// Whether one of these lines matches. `said` is the text that has them.
    fn one_of<'l>(&self, said: &Said<'_>, mut lines: impl Iterator<Item = &'l str>, budget: &Budget) -> bool {
        // Most texts lack the literal text of the pattern, and need not be matched.
        let has_all = |texts: &Vec<Said<'_>>| texts.iter().all(|text| said.has(text));
        if !self.alternatives().is_empty() && !self.alternatives().iter().any(has_all) {
            return false;
        }
        if self.facts.literal.is_exact && said.text.is_ascii() {
            return true;
        }
        let compiled = self.compiled.get_or_init(|| compile_cached(self.source, Case::Ignored).ok());
        let matches = |pattern: &Pattern, line| matches!(pattern.find(line, 0, budget), Ok(Some(_)));
        compiled.as_ref().is_some_and(|pattern| lines.any(|line| matches(pattern, line)))
    }
}

/// The claims of a case, in the order of its checks. Checks on tools and hints are not among them, nor those on age and
/// levers.
pub(crate) fn claims<'c, 'a>(cx: &'c CaseContext<'a>) -> &'c [Claim<'a>] {
    cx.claims.get_or_init(|| claims_of(cx))
}

fn claims_of<'a>(cx: &CaseContext<'a>) -> Vec<Claim<'a>> {
    let mut claims = Vec::new();
    for check in &cx.expectations {
        let says = |phrases: &[&'a str]| Condition::Says(phrases.iter().map(|phrase| Said::new(phrase)).collect());
        let pattern = |pattern: &'a str| Condition::Matches(Matches::new(pattern));
        let (shown, condition, is_forbidden) = match &check.kind {
            ExpectationKind::MustNotSay { phrase } => (Cow::from(*phrase), says(&[*phrase]), true),
            ExpectationKind::MustSayAny { phrases } => (phrases.join(", ").into(), says(phrases), false),
            ExpectationKind::RequiredSource { source, patterns } => {
                let phrases = source_phrases(cx, source, patterns.as_deref());
                let phrases = phrases.iter().map(|phrase| Said::new(phrase)).collect();
                ((*source).into(), Condition::Says(phrases), false)
            }
            ExpectationKind::Number { item } => match (&item.regex, &item.value) {
                (Some(regex), _) => (item.name().into(), pattern(&regex.value), false),
                (None, Some(value)) if !value.value.is_empty() => {
                    let context = item.context_any.iter().flat_map(|list| list.entries());
                    let context = context.map(|entry| Said::new(&entry.value)).collect();
                    (item.name().into(), Condition::Shows(&value.value, context), false)
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
        claims.push(Claim { span, field, shown, condition, is_forbidden, texts: OnceCell::new() });
    }
    claims
}

/// The phrases that show a source: those of the case, of the workspace, the built-in ones, or the name.
pub(crate) fn source_phrases<'a>(cx: &CaseContext<'a>, source: &'a str, given: Option<&[&'a str]>) -> Vec<&'a str> {
    if let Some(given) = given {
        return given.to_vec();
    }
    if let Some(phrases) = cx.workspace.sources().get(source) {
        return phrases.iter().map(String::as_str).collect();
    }
    built_in_source(source).map_or_else(|| vec![source], <[&str]>::to_vec)
}

impl<'a> Claim<'a> {
    /// Alternatives: wherever the condition holds, the response has all texts of one of them. Empty if nothing is known.
    pub(crate) fn texts(&self) -> &[Vec<Said<'a>>] {
        match &self.condition {
            Condition::Says(phrases) => {
                self.texts.get_or_init(|| phrases.iter().map(|phrase| vec![phrase.clone()]).collect())
            }
            // A space in a value may be a line break in the response.
            Condition::Shows(value, _) if value.contains(char::is_whitespace) => &[],
            Condition::Shows(value, _) => self.texts.get_or_init(|| vec![vec![Said::new(value)]]),
            Condition::Matches(pattern) if pattern.is_sound() => pattern.alternatives(),
            Condition::Matches(_) => &[],
        }
    }

    /// Whether the condition holds wherever the response has `text`.
    pub(crate) fn is_met_by(&self, text: &Said<'_>, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => text.has_one(phrases),
            Condition::Matches(pattern) => {
                pattern.facts.literal.is_free && pattern.is_sound() && pattern.one_of(text, text.text.lines(), budget)
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

    /// Whether the condition holds of this very response.
    pub(crate) fn holds_in(&self, response: &Said<'_>, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => response.has_one(phrases),
            Condition::Shows(value, context) => {
                response.text.replace('\n', " ").contains(*value) && (context.is_empty() || response.has_one(context))
            }
            Condition::Matches(pattern) => {
                pattern.is_sound() && pattern.one_of(response, response.text.split('\n'), budget)
            }
        }
    }
}
