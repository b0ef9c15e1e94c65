//! `must_ground_numbers`: the response shows this number.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::pattern::Budget;
use crate::suite::{List, NumericItem};

use super::patterns;

pub(crate) fn check(judged: &Judged<'_>, item: &NumericItem, budget: &Budget) -> Decision {
    if let Some(regex) = &item.regex {
        return patterns::matched(judged, &regex.value, budget);
    }
    let Some(value) = item.value.as_ref().map(|field| field.value.as_str()).filter(|value| !value.is_empty()) else {
        return Decision::failed("there is neither a value nor a pattern to look for");
    };
    let Some(span) = judged.response.shows(value) else {
        return Decision::failed(format!("{} is not shown", message::quoted(value)));
    };
    let shown = [judged.response.evidence(span)];
    let context = context(item);
    if context.is_empty() {
        return message::shown(judged, value, span).with(shown);
    }
    match context.iter().find_map(|phrase| judged.response.says(phrase)) {
        Some(context) => message::shown(judged, value, span).with(shown).with([judged.response.evidence(context)]),
        None => {
            let missing = message::none(&context, "is not said", "is said");
            Decision::failed(format!("{} is shown, but {missing}", message::quoted(value))).with(shown)
        }
    }
}

/// The phrases of `context_any`.
pub(crate) fn context(item: &NumericItem) -> Vec<&str> {
    item.context_any.iter().flat_map(List::entries).map(|entry| entry.value.as_str()).collect()
}
