//! `required_levers`: the response offers at least this number of levers.

use super::rule::*;
use crate::checks::search::every_match;
use crate::pattern::Case;
use crate::suite::LEVER_REGEX;
use crate::text::counted;

#[derive(Debug)]
struct RequiredLevers<'a> {
    at_least: f64,
    pattern: &'a str,
}

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    if let Some(field) = &expected.required_levers {
        let rule = RequiredLevers { at_least: field.value, pattern: pattern_or(&expected.lever_regex, LEVER_REGEX) };
        asked.add("required_levers", field.span, "morning_brief:required_levers", rule);
    }
}

/// The number of levers in the evidence. A brief has three to five.
const SHOWN: usize = 10;

impl<'a> Rule<'a> for RequiredLevers<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let response = &view.judged.response;
        let levers = match every_match(response, self.pattern, view.budget) {
            Ok(levers) => levers,
            Err(trouble) => return trouble.decision(),
        };
        let message = format!("{}, of at least {}", counted(levers.len(), "lever"), self.at_least);
        let is_enough = levers.len() as f64 >= self.at_least;
        (if is_enough { Decision::passed(message) } else { Decision::failed(message) })
            .with(levers.into_iter().take(SHOWN).map(|span| response.evidence(span)))
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        nearest::prefix_match(view.judged, self.pattern, Case::Matters)
    }

    fn patterns(&self) -> Vec<&'a str> {
        vec![self.pattern]
    }

    fn needs(&self) -> Needs {
        Needs { content: self.at_least > 0.0, ..Needs::NOTHING }
    }
}
