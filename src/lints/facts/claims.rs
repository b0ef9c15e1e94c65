//! What the checks of a case say about the text of a response, in one form, for the lints that compare checks.

use std::sync::Arc;

use crate::lints::CaseContext;
use crate::pattern::{Budget, Case, compile_cached};
use crate::suite::{ExpectationKind, built_in_source};
use crate::text::{Span, fold};

use super::patterns::Facts;

/// What a check says about the response.
pub(crate) struct Claim {
    /// The text that defines the check.
    pub(crate) span: Span,
    /// The key that defines the check.
    pub(crate) field: &'static str,
    /// The text that messages show.
    pub(crate) shown: String,
    /// The condition.
    pub(crate) condition: Condition,
    /// Whether it must not hold.
    pub(crate) is_forbidden: bool,
}

/// A condition on the text of a response.
pub(crate) enum Condition {
    /// The response contains one of these phrases, ignoring case.
    Says(Vec<String>),
    /// A line matches the pattern.
    Matches(String, Arc<Facts>),
    /// The response contains the value, and one of the phrases if there are any.
    Shows(String, Vec<String>),
}

/// The claims of a case, in the order of its checks. Checks on tools and hints are not among them, nor those on age and
/// levers.
pub(crate) fn claims(cx: &CaseContext<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for check in &cx.expectations {
        let owned = |phrases: &[&str]| phrases.iter().map(|phrase| (*phrase).to_owned()).collect::<Vec<_>>();
        let pattern = |pattern: &str| Condition::Matches(pattern.to_owned(), Facts::of(pattern, Case::Ignored));
        let (shown, condition, is_forbidden) = match &check.kind {
            ExpectationKind::MustNotSay { phrase } => {
                ((*phrase).to_owned(), Condition::Says(vec![(*phrase).to_owned()]), true)
            }
            ExpectationKind::MustSayAny { phrases } => (phrases.join(", "), Condition::Says(owned(phrases)), false),
            ExpectationKind::RequiredSource { source, patterns } => {
                ((*source).to_owned(), Condition::Says(source_phrases(cx, source, patterns.as_deref())), false)
            }
            ExpectationKind::Number { item } => match (&item.regex, &item.value) {
                (Some(regex), _) => (item.name().to_owned(), pattern(&regex.value), false),
                (None, Some(value)) if !value.value.is_empty() => {
                    let context = item.context_any.iter().flat_map(|list| list.entries());
                    let context = context.map(|entry| entry.value.clone()).collect();
                    (item.name().to_owned(), Condition::Shows(value.value.clone(), context), false)
                }
                _ => continue,
            },
            ExpectationKind::LabelAssumptions { markers } => {
                ("must_label_assumptions".to_owned(), Condition::Says(owned(markers)), false)
            }
            ExpectationKind::MustMatchRegex { pattern: text } => ((*text).to_owned(), pattern(text), false),
            ExpectationKind::MustNotMatchRegex { pattern: text } => ((*text).to_owned(), pattern(text), true),
            ExpectationKind::OverrideAction { action } => {
                ((*action).to_owned(), Condition::Says(vec![(*action).to_owned()]), false)
            }
            _ => continue,
        };
        claims.push(Claim { span: check.span, field: check.kind.field(), shown, condition, is_forbidden });
    }
    claims
}

/// The phrases that show a source: those of the case, of the workspace, the built-in ones, or the name.
pub(crate) fn source_phrases(cx: &CaseContext<'_>, source: &str, given: Option<&[&str]>) -> Vec<String> {
    if let Some(given) = given {
        return given.iter().map(|phrase| (*phrase).to_owned()).collect();
    }
    if let Some(phrases) = cx.workspace.sources().get(source) {
        return phrases.clone();
    }
    match built_in_source(source) {
        Some(phrases) => phrases.iter().map(|phrase| (*phrase).to_owned()).collect(),
        None => vec![source.to_owned()],
    }
}

impl Claim {
    /// Alternatives: wherever the condition holds, the response has all texts of one of them. Empty if nothing is known.
    pub(crate) fn texts(&self) -> Vec<Vec<&str>> {
        match &self.condition {
            Condition::Says(phrases) => phrases.iter().map(|phrase| vec![phrase.as_str()]).collect(),
            // A space in a value may be a line break in the response.
            Condition::Shows(value, _) if value.contains(char::is_whitespace) => Vec::new(),
            Condition::Shows(value, _) => vec![vec![value.as_str()]],
            Condition::Matches(_, facts) if is_sound(facts) => {
                let alternatives = facts.literal.alternatives.iter();
                alternatives.map(|texts| texts.iter().map(String::as_str).collect()).collect()
            }
            Condition::Matches(..) => Vec::new(),
        }
    }

    /// Whether the condition holds wherever the response has `text`.
    pub(crate) fn is_met_by(&self, text: &str, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => {
                let text = fold(text);
                phrases.iter().any(|phrase| !is_blank(phrase) && text.contains(&fold(phrase)))
            }
            Condition::Matches(pattern, facts) => {
                facts.literal.is_free
                    && is_sound(facts)
                    && compile_cached(pattern, Case::Ignored).is_ok_and(|pattern| {
                        text.lines().any(|line| matches!(pattern.find(line, 0, budget), Ok(Some(_))))
                    })
            }
            // The value is compared with case, and texts of other checks are without.
            Condition::Shows(..) => false,
        }
    }

    /// Whether this check passes, or is met, wherever `other` is.
    pub(crate) fn is_implied_by(&self, other: &Claim, budget: &Budget) -> bool {
        let texts = other.texts();
        !texts.is_empty() && texts.iter().all(|texts| texts.iter().any(|text| self.is_met_by(text, budget)))
    }

    /// Whether the condition holds of this very response.
    pub(crate) fn holds_in(&self, response: &str, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => says(response, phrases),
            Condition::Shows(value, context) => {
                response.replace('\n', " ").contains(value.as_str()) && (context.is_empty() || says(response, context))
            }
            Condition::Matches(_, facts) if !is_sound(facts) => false,
            Condition::Matches(pattern, _) => compile_cached(pattern, Case::Ignored).is_ok_and(|pattern| {
                response.split('\n').any(|line| matches!(pattern.find(line, 0, budget), Ok(Some(_))))
            }),
        }
    }
}

fn says(response: &str, phrases: &[String]) -> bool {
    let response = fold(response);
    phrases.iter().any(|phrase| !is_blank(phrase) && response.contains(&fold(phrase)))
}

/// Whether the phrase is empty or white space, which `blank-entry` reports.
fn is_blank(phrase: &str) -> bool {
    phrase.trim().is_empty()
}

/// Whether no other lint reports the pattern as a whole.
fn is_sound(facts: &Facts) -> bool {
    facts.error.is_none() && facts.always.is_none() && facts.never.is_none() && facts.hostile.is_none()
}
