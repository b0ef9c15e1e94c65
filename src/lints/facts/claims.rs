//! What a case asks: its lists of strings and phrases, which scoring groups have a check or an intended check, and what the checks say
//! about the text of a response, in one form, for the lints that compare checks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

use crate::checks::{self, Expectation, Response, Said};
use crate::config::Reading;
use crate::diagnostic::{Edit, Fix, nearest, quoted};
use crate::lints::CaseContext;
use crate::pattern::{Budget, Case};
use crate::suite::{FIELDS, Group, Outcome};
use crate::syntax::{Kind, Node};
use crate::text::{Span, fold};

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
    facts.error.is_none() && facts.always.is_none() && facts.never.is_none()
}

/// The claims of a case, in the order of its checks. Checks on tools and hints are not among them, nor those on age and
/// levers.
pub(crate) fn claims<'c, 'a>(cx: &'c CaseContext<'a>) -> &'c [Claim<'a>] {
    cx.claims.get_or_init(|| claims_of(cx))
}

fn claims_of<'a>(cx: &CaseContext<'a>) -> Vec<Claim<'a>> {
    let (reading, sources) = (cx.workspace.reading, &cx.workspace.sources);
    let phrase = |phrase: &'a str| Said::phrase(phrase, reading);
    let claims = cx.expectations.iter().filter_map(|check| {
        let claim = check.rule.claim(&|source| sources.get(source).map(Vec::as_slice))?;
        let condition = match claim.condition {
            checks::Condition::Says(phrases) => Condition::Says(phrases.into_iter().map(phrase).collect()),
            checks::Condition::Matches(pattern) => Condition::Matches(pattern, Facts::of(pattern, Case::Ignored)),
            checks::Condition::Shows(value, context) => {
                Condition::Shows(phrase(value), context.into_iter().map(phrase).collect())
            }
        };
        let (shown, is_forbidden) = (claim.shown, claim.is_forbidden);
        let (span, field) = (check.span, check.key);
        Some(Claim { span, field, shown, condition, is_forbidden, reading, texts: OnceCell::new() })
    });
    claims.collect()
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

    /// Whether both look for the same pattern.
    pub(crate) fn has_pattern_of(&self, other: &Claim<'_>) -> bool {
        let (Condition::Matches(one, _), Condition::Matches(two, _)) = (&self.condition, &other.condition) else {
            return false;
        };
        one == two
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

/// Returns whether the case has a check of the group, or was meant to have one: text that makes no check because of an
/// error counts. An outcome of `response_only` does not count.
pub(crate) fn is_asked(cx: &CaseContext<'_>, group: Group) -> bool {
    let is_response_only = |check: &Expectation<'_>| check.rule.outcome() == Some(Outcome::ResponseOnly);
    cx.checks_of(group).any(|check| !is_response_only(check)) || is_meant(cx, group)
}

/// Returns whether a key of the group has a value that does not disable its check. Misspelt and misplaced keys count.
fn is_meant(cx: &CaseContext<'_>, group: Group) -> bool {
    let feeds = |key: &str| FIELDS.iter().any(|field| field.key == key && field.group == Some(group));
    let known = || FIELDS.iter().map(|field| field.key);
    let mut within = cx.node.get("expected").into_iter().flat_map(Node::members);
    let is_within = within.any(|member| {
        let Some(key) = member.key.as_str() else { return false };
        let meant = if known().any(|name| name == key) { Some(&*key) } else { nearest(&key, known()) };
        meant.is_some_and(feeds) && !member.value.is_some_and(|value| asks_nothing(&key, value))
    });
    is_within || cx.node.members().any(|member| member.key.as_str().is_some_and(|key| feeds(&key)))
}

/// Returns whether a value disables the check explicitly. A broken or unreadable value does not.
fn asks_nothing(key: &str, value: Node<'_>) -> bool {
    let is_empty = |entry: Node<'_>| !entry.is_broken() && entry.as_str().is_some_and(|text| text.is_empty());
    match value.kind() {
        Kind::Array => !value.is_broken() && value.elements().all(is_empty),
        Kind::False => true,
        Kind::String => key == "outcome" && value.as_str().is_some_and(|name| name == Outcome::ResponseOnly.name()),
        _ => false,
    }
}

/// The choices to take one of these entries out of its list; a list without other entries goes with its key. Entries that
/// are not nodes of the case are left out.
pub(crate) fn removals(cx: &CaseContext<'_>, entries: impl IntoIterator<Item = Span>) -> Vec<Fix> {
    let removal = |span: Span| {
        let entry = cx.node_at(span)?;
        let list = entry.parent()?;
        let member = list.parent().filter(|member| member.kind() == Kind::Member)?;
        let key = member.as_member()?.key.as_str()?;
        let (title, node) = match (list.kind(), list.elements().count()) {
            (Kind::Array, 1) => (format!("remove {}", quoted(&key)), member),
            (Kind::Array, _) => (
                format!("remove {} from {}", quoted(entry.as_str().as_deref().unwrap_or(entry.text())), quoted(&key)),
                entry,
            ),
            _ => return None,
        };
        Some(Fix::choice(title, vec![Edit::delete(node.removal())]))
    };
    entries.into_iter().filter_map(removal).collect()
}

/// Everyday words of answers, refusals and apologies, in lower case.
const WORDS: &str = "\
about above according account across action actually added after again agree all allow almost already also although always \
among another answer any anything apologies apologize approach appropriate approval approximately april are around ask \
assistant attempt available away back based because become been before begin below best better between both bring build \
business call cannot case certainly change channel check clear close come commit committed committee common communicate \
compare complete concern consider contact contain continue correct could create current currently data day decide depend \
describe detail did different difficult directly discuss display does done down each early easy either else email end enough \
ensure error especially even event eventually every example expect experience explain express fact feel few final find first \
follow following for found from full further general get give given go good great group happen happy has have help helpful \
here high how however idea important impossible impression improve include including increase information input insight \
instead interest into issue issues item job just keep kind know large last later latest learn least let like likely list \
little long look main make many may maybe mean mention mentioned message might minute moment more morning most move much \
must name need never new next nobody none note nothing now number offer often okay once one only open option other our out \
over own page part people perhaps person place please point possible prepare present pretty prevent previous price print \
prior priority probably problem proceed process produce product production project promise proper propose protect proud \
provide purpose put question quick quite rather reach read ready really reason receive recent recently recommend regarding \
remain remember repeat report request require respond response rest result retry return review right run said same say \
second see seem send service set several share short should show side similar simple since small some something sorry \
specific start state status step still stop such suggest summary support sure surprise system take talk team tell test than \
thank that the then there therefore these thing think this thread through time today together tomorrow too topic total \
toward true try turn type unable under understand unfortunately until update upon use useful user usually value very view \
wait want was way week welcome well went were what when where whether which while who whole why will wish with within \
without word work working would write wrong year yes yesterday yet your";

/// An everyday word that contains `phrase`, a longer one first; `None` for a phrase of several words.
pub(crate) fn everyday_word(phrase: &str) -> Option<&'static str> {
    let phrase = fold(phrase);
    if phrase.is_empty() || !phrase.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let is_plural = |word: &str| word.strip_suffix('s') == Some(&*phrase);
    let from = SUFFIXES.partition_point(|(suffix, _)| *suffix < &*phrase);
    let containing = || {
        let starting = SUFFIXES[from..].iter().take_while(|(suffix, _)| suffix.starts_with(&*phrase));
        starting.map(|(_, word)| *word)
    };
    let longer = containing().filter(|word| *word != phrase && !is_plural(word)).min();
    longer.or_else(|| containing().min())
}

/// Each suffix of each word, and the word. They are sorted, so the suffixes that start with a phrase are neighbours.
static SUFFIXES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let suffixes_of = |word: &'static str| (0..word.len()).map(move |start| (&word[start..], word));
    let mut suffixes: Vec<_> = WORDS.split(' ').flat_map(suffixes_of).collect();
    suffixes.sort_unstable();
    suffixes
});

#[cfg(test)]
mod tests {
    use super::everyday_word;

    #[test]
    fn phrases_of_one_word() {
        for (phrase, word) in [
            ("pr", Some("approach")),
            ("PR", Some("approach")),
            ("repo", Some("report")),
            ("event", Some("eventually")),
            ("issue", Some("issue")),
            ("message", Some("message")),
            ("github", None),
            ("pull request", None),
            ("site health", None),
            ("#general", None),
            ("", None),
        ] {
            assert_eq!(everyday_word(phrase), word, "{phrase}");
        }
    }
}
