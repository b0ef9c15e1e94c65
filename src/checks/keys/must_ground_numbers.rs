//! `must_ground_numbers`: the response shows each of these numbers.

use super::rule::*;
use crate::checks::message::{self, none};
use crate::pattern::Case;
use crate::suite::NumericItem;

#[derive(Debug)]
struct Number<'a>(&'a NumericItem);

pub(super) fn ask(asked: &mut Asked<'_>) {
    let is_empty =
        |item: &NumericItem| !item.is_object && item.value.as_ref().is_some_and(|value| value.value.is_empty());
    for item in asked.expected().numbers().filter(|item| !is_empty(item)) {
        asked.add("must_ground_numbers", item.span, format!("synthesis:numeric:{}", item.name()), Number(item));
    }
}

impl<'a> Number<'a> {
    fn regex(&self) -> Option<&'a str> {
        self.0.regex.as_ref().map(|regex| &*regex.value)
    }

    /// The value to look for, unless a pattern is given.
    fn value(&self) -> Option<&'a str> {
        let value = self.0.value.as_ref().filter(|_| self.0.regex.is_none());
        value.map(|value| &*value.value).filter(|value| !value.is_empty())
    }

    fn context(&self) -> Vec<&'a str> {
        self.0.context_any.as_ref().map_or_else(Vec::new, texts)
    }
}

impl<'a> Rule<'a> for Number<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        if let Some(regex) = self.regex() {
            return view.line_matches(regex, Decision::passed, Decision::failed);
        }
        let Some(value) = self.value() else {
            return Decision::failed("there is neither a value nor a pattern to look for");
        };
        let response = &view.judged.response;
        let Some(span) = response.shows(value) else {
            return Decision::failed(format!("{} is not shown", quoted(value)));
        };
        let (shown, context) = ([response.evidence(span)], self.context());
        if context.is_empty() {
            return message::shown(view.judged, value, span).with(shown);
        }
        match context.iter().find_map(|phrase| response.says(phrase)) {
            Some(context) => message::shown(view.judged, value, span).with(shown).with([response.evidence(context)]),
            None => {
                let missing = none(&context, "is not said", "is said");
                Decision::failed(format!("{} is shown, but {missing}", quoted(value))).with(shown)
            }
        }
    }

    /// The required number in another notation, or else a number near the context or the label.
    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        let judged = view.judged;
        let by_pattern = self.regex().and_then(|regex| nearest::prefix_match(judged, regex, Case::Ignored));
        let value = self.0.value.as_ref().filter(|_| self.0.regex.is_none()).map(|value| &*value.value);
        let value = value.filter(|value| judged.response.shows(value).is_none());
        let otherwise = || nearest::said(judged, &[value?]);
        let label = self.0.label.iter().map(|label| &*label.value).filter(|label| !label.is_empty());
        let beside = || {
            value.or(self.regex())?;
            self.context().into_iter().chain(label).find_map(|phrase| nearest::number_beside(judged, phrase))
        };
        by_pattern.or_else(otherwise).or_else(beside)
    }

    fn explain(&self, _: &Config) -> Option<String> {
        if let Some(regex) = self.regex() {
            return Some(format!("Passes if a line of the response matches {}.", code(regex)));
        }
        let Some(value) = self.value() else {
            return Some("Always fails: it has neither a value nor a pattern.".to_owned());
        };
        let shown = format!("Passes if the response contains {}, exactly as written", code(value));
        Some(match &self.context()[..] {
            [] => format!("{shown}."),
            context => format!("{shown}, and also {}, ignoring case.", listed(context, "or")),
        })
    }

    fn claim(&self, _: Sources<'_, 'a>) -> Option<Claim<'a>> {
        let condition = match self.regex() {
            Some(regex) => Condition::Matches(regex),
            None => Condition::Shows(self.value()?, self.context()),
        };
        Some(Claim::new(self.0.name(), condition))
    }

    fn propose(&self, answered: &Answered<'_>) -> Vec<Proposal> {
        let value = self.0.value.as_ref().filter(|_| self.0.regex.is_none());
        let Some((value, near)) = value.zip(answered.near) else { return Vec::new() };
        let written = &answered.source[value.span.range()];
        let is_number = !written.starts_with('"') && serde_json::from_str::<serde_json::Number>(near).is_ok();
        let literal = if is_number { near.to_owned() } else { encode(near) };
        Proposal::replace("the number", near, value.span, literal)
    }

    fn needs(&self) -> Needs {
        Needs { number: self.0.regex.is_none(), ..Needs::CONTENT }
    }
}
