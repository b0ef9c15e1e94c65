//! The places where a case names tools.

use crate::diagnostic::nearest;
use crate::suite::{List, Spanned, TelemetryEntry};
use crate::syntax::{Kind, raw_span};
use crate::text::Span;

use crate::lints::CaseContext;

/// A place in a case that names a tool.
pub(crate) struct Mention<'a> {
    /// The name of the tool.
    pub(crate) tool: &'a str,
    /// The place of the string with quotes. In an entry of `telemetry`, it is the place of the name.
    pub(crate) span: Span,
    /// Whether it is in an entry of `telemetry`.
    pub(crate) in_telemetry: bool,
}

/// Returns all places in a case that name tools.
pub(crate) fn mentions<'a>(cx: &CaseContext<'a>) -> Vec<Mention<'a>> {
    let expected = &cx.case.expected;
    let lists = [&expected.tool_calls_any, &expected.tool_calls_none].into_iter().flatten().flat_map(List::entries);
    let listed = lists.map(|entry| Mention { tool: &entry.value, span: entry.span, in_telemetry: false });
    let required = required_tools(cx).map(|(tool, entry)| {
        // Both shorthands that name a tool start with `tool.`.
        let start = "tool.".len();
        let literal = &cx.node.text()[entry.span.range()];
        let span = raw_span(literal, Span::new(start, start + tool.len())).shifted_by(entry.span.start);
        Mention { tool, span, in_telemetry: true }
    });
    listed.chain(required).collect()
}

/// Returns the entries of `telemetry` that require that a tool starts or ends, with the tool.
pub(crate) fn required_tools<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some((tool, entry)),
        TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => None,
    })
}

/// Returns the entries of `telemetry` that require that a tool succeeds, with the tool.
pub(crate) fn required_successes<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Result { tool, success: true } => Some((tool, entry)),
        _ => None,
    })
}

/// Returns whether `tool_calls_any` certainly lists no tool. If the key is misspelt, of another type or being typed,
/// this is not certain.
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
