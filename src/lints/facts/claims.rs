//! What the checks of a case say about the text of a response, in one form, for the lints that compare checks.

use std::cell::OnceCell;
use std::sync::Arc;

use memchr::memmem;

use crate::lints::CaseContext;
use crate::pattern::{Budget, Case, Pattern, compile_cached};
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
    condition: Condition,
    /// Whether it must not hold.
    pub(crate) is_forbidden: bool,
    texts: OnceCell<Vec<Vec<Said>>>,
}

/// A condition on the text of a response.
enum Condition {
    /// The response contains one of these phrases, ignoring case.
    Says(Vec<Said>),
    /// A line matches the pattern.
    Matches(Matches),
    /// The response contains the value, and one of the phrases if there are any.
    Shows(String, Vec<Said>),
}

/// A text, and the same with its case folded.
#[derive(Clone)]
pub(crate) struct Said {
    text: String,
    folded: String,
}

impl Said {
    /// The text, to compare it with claims.
    pub(crate) fn new(text: &str) -> Said {
        Said { text: text.to_owned(), folded: fold(text) }
    }

    /// Whether it has a phrase, ignoring case.
    fn has(&self, phrase: &Said) -> bool {
        memmem::find(self.folded.as_bytes(), phrase.folded.as_bytes()).is_some()
    }

    /// Whether it has one of these phrases. Empty ones and white space do not count: `blank-entry` reports them.
    fn has_one(&self, phrases: &[Said]) -> bool {
        phrases.iter().any(|phrase| !phrase.text.trim().is_empty() && self.has(phrase))
    }
}

/// A pattern.
struct Matches {
    source: String,
    facts: Arc<Facts>,
    /// Alternatives: each match has all texts of one of them. Empty if nothing is known.
    alternatives: Vec<Vec<Said>>,
    compiled: OnceCell<Option<Arc<Pattern>>>,
}

impl Matches {
    fn new(source: &str) -> Matches {
        let facts = Facts::of(source, Case::Ignored);
        let alternatives = facts.literal.alternatives.iter();
        let alternatives = alternatives.map(|texts| texts.iter().map(|text| Said::new(text)).collect()).collect();
        Matches { source: source.to_owned(), facts, alternatives, compiled: OnceCell::new() }
    }

    /// Whether no other lint reports the pattern as a whole.
    fn is_sound(&self) -> bool {
        let facts = &self.facts;
        facts.error.is_none() && facts.always.is_none() && facts.never.is_none() && facts.hostile.is_none()
    }

    /// Whether one of these lines matches. `said` is the text that has them.
    fn one_of<'a>(&self, said: &Said, mut lines: impl Iterator<Item = &'a str>, budget: &Budget) -> bool {
        // Most texts lack the literal text of the pattern, and need not be matched.
        let has_all = |texts: &Vec<Said>| texts.iter().all(|text| said.has(text));
        if !self.alternatives.is_empty() && !self.alternatives.iter().any(has_all) {
            return false;
        }
        let compiled = self.compiled.get_or_init(|| compile_cached(&self.source, Case::Ignored).ok());
        let matches = |pattern: &Pattern, line| matches!(pattern.find(line, 0, budget), Ok(Some(_)));
        compiled.as_ref().is_some_and(|pattern| lines.any(|line| matches(pattern, line)))
    }
}

/// The claims of a case, in the order of its checks. Checks on tools and hints are not among them, nor those on age and
/// levers.
pub(crate) fn claims<'a>(cx: &'a CaseContext<'_>) -> &'a [Claim] {
    cx.claims.get_or_init(|| claims_of(cx))
}

fn claims_of(cx: &CaseContext<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for check in &cx.expectations {
        let says = |phrases: &[&str]| Condition::Says(phrases.iter().map(|phrase| Said::new(phrase)).collect());
        let pattern = |pattern: &str| Condition::Matches(Matches::new(pattern));
        let (shown, condition, is_forbidden) = match &check.kind {
            ExpectationKind::MustNotSay { phrase } => ((*phrase).to_owned(), says(&[*phrase]), true),
            ExpectationKind::MustSayAny { phrases } => (phrases.join(", "), says(phrases), false),
            ExpectationKind::RequiredSource { source, patterns } => {
                let phrases = source_phrases(cx, source, patterns.as_deref());
                let phrases = phrases.iter().map(|phrase| Said::new(phrase)).collect();
                ((*source).to_owned(), Condition::Says(phrases), false)
            }
            ExpectationKind::Number { item } => match (&item.regex, &item.value) {
                (Some(regex), _) => (item.name().to_owned(), pattern(&regex.value), false),
                (None, Some(value)) if !value.value.is_empty() => {
                    let context = item.context_any.iter().flat_map(|list| list.entries());
                    let context = context.map(|entry| Said::new(&entry.value)).collect();
                    (item.name().to_owned(), Condition::Shows(value.value.clone(), context), false)
                }
                _ => continue,
            },
            ExpectationKind::LabelAssumptions { markers } => {
                ("must_label_assumptions".to_owned(), says(markers), false)
            }
            ExpectationKind::MustMatchRegex { pattern: text } => ((*text).to_owned(), pattern(text), false),
            ExpectationKind::MustNotMatchRegex { pattern: text } => ((*text).to_owned(), pattern(text), true),
            ExpectationKind::OverrideAction { action } => ((*action).to_owned(), says(&[*action]), false),
            _ => continue,
        };
        let (span, field) = (check.span, check.kind.field());
        claims.push(Claim { span, field, shown, condition, is_forbidden, texts: OnceCell::new() });
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
    pub(crate) fn texts(&self) -> &[Vec<Said>] {
        let texts = || match &self.condition {
            Condition::Says(phrases) => phrases.iter().map(|phrase| vec![phrase.clone()]).collect(),
            // A space in a value may be a line break in the response.
            Condition::Shows(value, _) if value.contains(char::is_whitespace) => Vec::new(),
            Condition::Shows(value, _) => vec![vec![Said::new(value)]],
            Condition::Matches(pattern) if pattern.is_sound() => pattern.alternatives.clone(),
            Condition::Matches(_) => Vec::new(),
        };
        self.texts.get_or_init(texts)
    }

    /// Whether the condition holds wherever the response has `text`.
    pub(crate) fn is_met_by(&self, text: &Said, budget: &Budget) -> bool {
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
    pub(crate) fn is_implied_by(&self, other: &Claim, budget: &Budget) -> bool {
        let texts = other.texts();
        !texts.is_empty() && texts.iter().all(|texts| texts.iter().any(|text| self.is_met_by(text, budget)))
    }

    /// Whether the condition holds of this very response.
    pub(crate) fn holds_in(&self, response: &Said, budget: &Budget) -> bool {
        match &self.condition {
            Condition::Says(phrases) => response.has_one(phrases),
            Condition::Shows(value, context) => {
                response.text.replace('\n', " ").contains(value.as_str())
                    && (context.is_empty() || response.has_one(context))
            }
            Condition::Matches(pattern) => {
                pattern.is_sound() && pattern.one_of(response, response.text.split('\n'), budget)
            }
        }
    }
}
