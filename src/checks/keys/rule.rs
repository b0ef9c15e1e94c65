//! What a key has for each of its checks, and what keys share.

use std::borrow::Cow;
use std::fmt::Debug;

use crate::checks::message::{self, none};
use crate::checks::search::first_match;
use crate::diagnostic::{Edit, fenced};
use crate::pattern::Budget;
use crate::suite::{Case, Expected, ExpectedField, Field, Group, Holds, Texts};
use crate::transcript::Transcript;

pub(super) use crate::checks::judged::Decision;
pub(super) use crate::checks::{Evidence, Judged, nearest};
pub(super) use crate::config::Config;
pub(super) use crate::diagnostic::quoted;
pub(super) use crate::suite::{List, Outcome, Spanned};
pub(super) use crate::syntax::encode;
pub(super) use crate::text::Span;

/// One check that a run makes of a case: its condition, the text that defines it, and its group.
#[derive(Debug)]
pub(crate) struct Expectation<'a> {
    /// The check's id in results, for instance `must_not_say:I cannot`.
    pub(crate) id: String,
    /// The key under `expected`.
    pub(crate) key: &'static str,
    /// The group of the check; `None` for an unknown outcome.
    pub(crate) group: Option<Group>,
    /// The text that defines the check: the element of a list, or else the value. For an implied outcome it is the key
    /// `expected`, or the first byte of the case if that key is missing.
    pub(crate) span: Span,
    /// The condition.
    pub(crate) rule: Box<dyn Rule<'a> + 'a>,
}

impl Expectation<'_> {
    /// Whether the check is about the response, and not about the telemetry.
    pub(crate) fn is_about_response(&self) -> bool {
        let holds = ExpectedField::named(self.key).map(|field| field.holds);
        !matches!(holds, Some(Holds::Outcome | Holds::List(Texts::Tools | Texts::Telemetry, _)))
    }
}

/// The condition of a check, and what depends on it. Each key has an implementation.
pub(crate) trait Rule<'a>: Debug {
    /// Whether an answer passes.
    fn judge(&self, view: &View<'_, '_>) -> Decision;

    /// The nearest text or event, if something is missing that the check needs.
    fn nearest(&self, _view: &View<'_, '_>) -> Option<Evidence> {
        None
    }

    /// The sentence that says when the check passes, for an entry of a list.
    fn explain(&self, _config: &Config) -> Option<String> {
        None
    }

    /// What an answer must not do.
    fn forbid(&self) -> Vec<Forbidden<'a>> {
        Vec::new()
    }

    /// What the check says about the text of a response.
    fn claim(&self, _sources: Sources<'_, 'a>) -> Option<Claim<'a>> {
        None
    }

    /// The changes with which the failed check may pass the answer.
    fn propose(&self, _answered: &Answered<'_>) -> Vec<Proposal> {
        Vec::new()
    }

    /// The patterns that it looks for.
    fn patterns(&self) -> Vec<&'a str> {
        match self.claim(&|_| None) {
            Some(Claim { condition: Condition::Matches(pattern), .. }) => vec![pattern],
            _ => Vec::new(),
        }
    }

    /// What a passing answer has.
    fn needs(&self) -> Needs {
        Needs { content: self.forbid().is_empty(), ..Needs::NOTHING }
    }

    /// The outcome that it asks for.
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    /// Whether there is a transcript that fails the check.
    fn can_fail(&self) -> bool {
        true
    }
}

/// The phrases of a source that the workspace defines.
pub(crate) type Sources<'s, 'a> = &'s dyn Fn(&str) -> Option<&'a [String]>;

/// What a rule judges.
pub(crate) struct View<'v, 't> {
    pub(in crate::checks) judged: &'v Judged<'t>,
    pub(in crate::checks) config: &'v Config,
    /// All patterns of a case share it.
    pub(in crate::checks) budget: &'v Budget,
}

/// What an answer has that passes a check.
#[derive(Clone, Copy)]
pub(crate) struct Needs {
    /// Something that must be there. Other checks only forbid, or follow from the outcome.
    pub(crate) content: bool,
    /// A call of a certain tool.
    pub(crate) tool: bool,
    /// A tool that succeeded.
    pub(crate) success: bool,
    /// A number with a certain value, or an age below a limit.
    pub(crate) number: bool,
}

impl Needs {
    pub(super) const NOTHING: Needs = Needs { content: false, tool: false, success: false, number: false };
    pub(super) const CONTENT: Needs = Needs { content: true, ..Needs::NOTHING };
}

/// What an answer does to fail a check that only forbids.
pub(crate) enum Forbidden<'a> {
    /// The answer says this phrase.
    Phrase(&'a str),
    /// A line matches this pattern.
    Pattern(&'a str),
    /// The answer calls this tool.
    Call(&'a str),
    /// The tool of this name succeeds.
    Success(&'a str),
}

/// What a check says about the text of a response.
pub(crate) struct Claim<'a> {
    /// The text that messages show.
    pub(crate) shown: Cow<'a, str>,
    /// The condition.
    pub(crate) condition: Condition<'a>,
    /// Whether it must not hold.
    pub(crate) is_forbidden: bool,
}

/// A condition on the text of a response.
pub(crate) enum Condition<'a> {
    /// The response contains one of these phrases, ignoring case.
    Says(Vec<&'a str>),
    /// A line matches the pattern, ignoring case.
    Matches(&'a str),
    /// The response contains the value, and one of the phrases if there are any.
    Shows(&'a str, Vec<&'a str>),
}

impl<'a> Claim<'a> {
    pub(super) fn new(shown: impl Into<Cow<'a, str>>, condition: Condition<'a>) -> Claim<'a> {
        Claim { shown: shown.into(), condition, is_forbidden: false }
    }
}

/// An answer that fails a check.
pub(crate) struct Answered<'o> {
    /// What is nearest in the response to the missing text.
    pub(crate) near: Option<&'o str>,
    /// The answer.
    pub(crate) transcript: &'o Transcript,
    /// The text of the case.
    pub(crate) source: &'o str,
}

/// A change of a case, in bytes from its start.
pub(crate) struct Proposal {
    /// The command.
    pub(crate) title: String,
    /// The change.
    pub(crate) edit: Edit,
}

impl Proposal {
    /// Replaces a text of the case by one of the answer, in JSON.
    pub(super) fn replace(what: &str, near: &str, span: Span, json: String) -> Vec<Proposal> {
        let title = format!("change {what} to {}, as in the answer", quoted(near));
        vec![Proposal { title, edit: Edit::replace(span, json) }]
    }

    /// Replaces the only entry of a list of which one suffices, or adds an entry.
    pub(super) fn one_of(list: &List, text: &str, only: &str, also: &str) -> Vec<Proposal> {
        match &list.value[..] {
            [] => Vec::new(),
            [entry] => Proposal::replace(only, text, entry.span, encode(text)),
            [.., last] => vec![Proposal {
                title: format!("also accept {also}: {}", quoted(text)),
                edit: Edit::insert(last.span.end, format!(", {}", encode(text))),
            }],
        }
    }
}

/// The checks of a case that have been made.
pub(super) struct Asked<'a> {
    pub(super) case: &'a Case,
    pub(super) list: Vec<Expectation<'a>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(case: &'a Case) -> Asked<'a> {
        Asked { case, list: Vec::new() }
    }

    pub(super) fn expected(&self) -> &'a Expected {
        &self.case.expected
    }

    /// Adds a check.
    pub(super) fn add(&mut self, key: &'static str, span: Span, id: impl Into<String>, rule: impl Rule<'a> + 'a) {
        let group = ExpectedField::named(key).and_then(|field| field.group);
        self.list.push(Expectation { id: id.into(), key, group, span, rule: Box::new(rule) });
    }

    /// Adds a check for each entry. Its id is the prefix and the entry.
    pub(super) fn each<R: Rule<'a> + 'a>(
        &mut self,
        key: &'static str,
        prefix: &str,
        list: &'a Option<List>,
        rule: impl Fn(&'a Spanned<String>) -> R,
    ) {
        for entry in list.iter().flat_map(List::entries) {
            self.add(key, entry.span, format!("{prefix}{}", entry.value), rule(entry));
        }
    }
}

/// The entries of a list.
pub(super) fn texts(list: &List) -> Vec<&str> {
    list.entries().map(|entry| entry.value.as_str()).collect()
}

pub(super) fn pattern_or<'a>(given: &'a Option<Field<String>>, default: &'a str) -> &'a str {
    given.as_ref().map_or(default, |field| field.value.as_str())
}

/// Text from outside as code in a sentence, whole.
pub(super) fn code(text: &str) -> String {
    match text {
        "" => "`\"\"`".to_owned(),
        text if text.contains('`') => fenced(text),
        text => format!("`{text}`"),
    }
}

/// The maximum number of listed texts. More would push the rest of a hover out of sight.
const LISTED: usize = 16;

/// Texts as code, separated by commas and, before the last one, by `conjunction`.
pub(super) fn listed(texts: &[&str], conjunction: &str) -> String {
    let mut shown: Vec<String> = texts.iter().take(LISTED).map(|text| code(text)).collect();
    if texts.len() > LISTED {
        shown.push(format!("{} more", texts.len() - LISTED));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

/// The response says one of these phrases.
#[derive(Debug)]
pub(super) struct SaysOne<'a> {
    /// The text that messages show.
    pub(super) shown: Cow<'a, str>,
    pub(super) phrases: Vec<&'a str>,
    /// What the nearest text replaces or extends.
    pub(super) given: Given<'a>,
}

/// Where the phrases of a check are given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given<'a> {
    Nowhere,
    /// In this list, of which one phrase suffices.
    List(&'a List),
    /// By this entry.
    Entry(Span),
}

impl<'a> Rule<'a> for SaysOne<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        view.one_said(&self.phrases)
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        nearest::said(view.judged, &self.phrases)
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some(format!("Passes if the response contains {}, ignoring case.", listed(&self.phrases, "or")))
    }

    fn claim(&self, _: Sources<'_, 'a>) -> Option<Claim<'a>> {
        Some(Claim::new(self.shown.clone(), Condition::Says(self.phrases.clone())))
    }

    fn propose(&self, answered: &Answered<'_>) -> Vec<Proposal> {
        match (self.given, answered.near) {
            (Given::List(list), Some(near)) => Proposal::one_of(list, near, "the phrase", "what the answer says"),
            (Given::Entry(entry), Some(near)) => Proposal::replace("the phrase", near, entry, encode(near)),
            (_, _) => Vec::new(),
        }
    }
}

impl View<'_, '_> {
    /// Passes if the response says one of these phrases. The evidence is the first phrase of the list that it says.
    pub(super) fn one_said(&self, phrases: &[&str]) -> Decision {
        let said = phrases.iter().find_map(|phrase| Some((phrase, self.judged.response.says(phrase)?)));
        match said {
            Some((phrase, span)) => message::said(self.judged, phrase, span, Decision::passed),
            None => Decision::failed(none(phrases, "is not said", "is said")),
        }
    }

    /// Whether a line of the response matches this pattern. A pattern that does not compile fails, wanted or not: it cannot
    /// show that there is no match.
    pub(super) fn line_matches(
        &self,
        pattern: &str,
        found: fn(String) -> Decision,
        missing: fn(String) -> Decision,
    ) -> Decision {
        match first_match(&self.judged.response, pattern, self.budget) {
            Ok(Some(span)) => message::matched(self.judged, pattern, span, found),
            Ok(None) => missing(format!("no line matches {}", quoted(pattern))),
            Err(trouble) => trouble.decision(),
        }
    }
}
