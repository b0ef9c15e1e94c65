//! Where a case names tools, for the lints that compare them.

use crate::diagnostic::nearest;
use crate::suite::{List, Spanned, TelemetryEntry};
use crate::syntax::{Kind, raw_span};
use crate::text::Span;

use crate::lints::CaseContext;

/// A place in a case that names a tool.
pub(crate) struct Mention<'a> {
    /// The tool.
    pub(crate) tool: &'a str,
    /// The string's text, quotes included; in an entry of `telemetry`, the name alone.
    pub(crate) span: Span,
    /// Whether it stands in an entry of `telemetry`.
    pub(crate) in_telemetry: bool,
}

/// All places of a case that name tools.
pub(crate) fn mentions<'a>(cx: &CaseContext<'a>) -> Vec<Mention<'a>> {
    let expected = &cx.case.expected;
    let lists = [&expected.tool_calls_any, &expected.tool_calls_none].into_iter().flatten().flat_map(List::entries);
    let listed = lists.map(|entry| Mention { tool: &entry.value, span: entry.span, in_telemetry: false });
    let required = required_tools(cx).map(|(tool, entry)| {
        // Both shorthands that name a tool start with `tool.`.
        let start = "tool.".len();
        let literal = &cx.node.text()[entry.span.range()];
        let span = raw_span(literal, Span::new(start, start + tool.len())).from_origin(entry.span.start);
        Mention { tool, span, in_telemetry: true }
    });
    listed.chain(required).collect()
}

/// The entries of `telemetry` that a tool must start or end for, and the tool.
pub(crate) fn required_tools<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some((tool, entry)),
        TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => None,
    })
}

/// The entries of `telemetry` for which a tool must succeed, and the tool.
pub(crate) fn required_successes<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Result { tool, success: true } => Some((tool, entry)),
        _ => None,
    })
}

/// Whether `tool_calls_any` is certain to list no tool: not where it is misspelt, of another type or being typed.
pub(crate) fn lists_no_tools(cx: &CaseContext<'_>) -> bool {
    let object = cx.case.expected.object.as_ref().and_then(|object| cx.node_at(object.span));
    let Some(expected) = object.filter(|object| !object.is_broken()) else { return false };
    expected.members().all(|member| match member.key.as_str().as_deref() {
        Some("tool_calls_none") => true,
        Some("tool_calls_any") => member.value.is_some_and(|list| {
            list.kind() == Kind::Array
                && list.elements().all(|element| element.as_str().is_some_and(|text| text.is_empty()))
        }),
        Some(key) => nearest(key, ["tool_calls_any"]).is_none(),
        None => false,
    })
}

/// Whether a shorthand of `telemetry` takes `text` as a name.
pub(crate) fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
