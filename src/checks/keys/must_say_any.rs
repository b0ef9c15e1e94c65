//! `must_say_any`: the response says one of these phrases.

use super::rule::*;

pub(super) fn ask(asked: &mut Asked<'_>) {
    if let Some(list) = asked.expected().must_say_any.as_ref().filter(|list| !texts(list).is_empty()) {
        let phrases = texts(list);
        let rule = SaysOne { shown: phrases.join(", ").into(), phrases, given: Given::List(list) };
        asked.add("must_say_any", list.span, "must_say_any", rule);
    }
}
