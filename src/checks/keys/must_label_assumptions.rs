//! `must_label_assumptions`: the response says one of the markers of assumptions.

use super::rule::*;
use crate::suite::ASSUMPTION_MARKERS;

const KEY: &str = "must_label_assumptions";

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    if let Some(field) = expected.must_label_assumptions.as_ref().filter(|field| field.value) {
        let list = expected.assumption_markers_any.as_ref();
        let markers = list.map(texts).filter(|markers| !markers.is_empty());
        let phrases = markers.unwrap_or_else(|| ASSUMPTION_MARKERS.to_vec());
        let rule = SaysOne { shown: KEY.into(), phrases, given: list.map_or(Given::Nowhere, Given::List) };
        asked.add(KEY, field.span, "synthesis:assumptions", rule);
    }
}
