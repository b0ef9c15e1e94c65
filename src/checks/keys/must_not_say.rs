//! `must_not_say`: the response says none of these phrases.

use super::rule::*;
use crate::checks::message;

#[derive(Debug)]
struct MustNotSay<'a>(&'a str);

pub(super) fn ask(asked: &mut Asked<'_>) {
    asked.each("must_not_say", "must_not_say:", &asked.expected().must_not_say, |phrase| MustNotSay(&phrase.value));
}

impl<'a> Rule<'a> for MustNotSay<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        match view.judged.response.says(self.0) {
            Some(span) => message::said(view.judged, self.0, span, Decision::failed),
            None => Decision::passed(format!("{} is not said", quoted(self.0))),
        }
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some(format!("Passes if the response does not contain {}, ignoring case.", code(self.0)))
    }

    fn forbid(&self) -> Vec<Forbidden<'a>> {
        vec![Forbidden::Phrase(self.0)]
    }

    fn claim(&self, _: Sources<'_, 'a>) -> Option<Claim<'a>> {
        Some(Claim { is_forbidden: true, ..Claim::new(self.0, Condition::Says(vec![self.0])) })
    }
}
