//! `must_allow_override_actions`: the response names each of these actions.

use super::rule::*;

pub(super) fn ask(asked: &mut Asked<'_>) {
    let list = &asked.expected().must_allow_override_actions;
    asked.each("must_allow_override_actions", "morning_brief:override_action:", list, |action| SaysOne {
        shown: action.value.as_str().into(),
        phrases: vec![&action.value],
        given: Given::Entry(action.span),
    });
}
