//! The tools in a file. The readable parts of a broken file count.

use memchr::memmem;
use serde_json::Value;

use crate::suite::{Case, List, Suite, TelemetryEntry};
use crate::syntax::{Node, parse};
use crate::transcript::Event;

use super::counts::{ToolCounts, count};
use super::plain::{self, NamedEvent, Names};

/// The tools in a transcript.
pub(super) fn transcript(text: &str) -> ToolCounts {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut counts = ToolCounts::new();
    for event in plain::events(text).unwrap_or_else(|| readable_events(text)) {
        count_event(&mut counts, &event.source, event.event.as_deref());
    }
    at_least_once(counts)
}

fn readable_events(text: &str) -> Vec<NamedEvent> {
    let parsed = parse(text);
    let events = parsed.tree.root(text).and_then(|root| root.get("telemetry"));
    let named = events.into_iter().flat_map(Node::elements).filter_map(|event| {
        let text = |key: &str| Some(event.get(key)?.as_str()?.into_owned());
        Some(NamedEvent { source: text("source")?, event: text("event") })
    });
    named.collect()
}

/// The tools in a telemetry log; each of its lines is an event.
pub(super) fn log(text: &str) -> ToolCounts {
    let mut counts = ToolCounts::new();
    let tool = memmem::Finder::new("tool.");
    // Most lines of a log are about something else and need not be parsed.
    for line in text.lines().filter(|line| tool.find(line.as_bytes()).is_some()) {
        let event = Event::from_line(line);
        let text = |key: &str| event.object()?.get(key).and_then(Value::as_str);
        if let Some(source) = text("source") {
            count_event(&mut counts, source, text("event"));
        }
    }
    at_least_once(counts)
}

/// The tools that a suite names, and the sources that it requires.
pub(super) fn suite(text: &str) -> (ToolCounts, ToolCounts) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut tools, mut sources) = (ToolCounts::new(), ToolCounts::new());
    for names in plain::names(text).unwrap_or_else(|| readable_names(text)) {
        let required = names.telemetry.iter().filter_map(|entry| tool_of(entry));
        let called = names.tool_calls_any.iter().chain(&names.tool_calls_none).map(String::as_str);
        called.chain(required).for_each(|tool| count(&mut tools, tool, 1));
        names.required_sources.iter().for_each(|source| count(&mut sources, source, 1));
    }
    (tools, sources)
}

fn readable_names(text: &str) -> Vec<Names> {
    let parsed = parse(text);
    let texts = |list: Option<List>| list.into_iter().flat_map(|list| list.value).map(|entry| entry.value).collect();
    let cases = parsed.tree.root(text).into_iter().flat_map(Suite::case_nodes).map(Case::lower_names);
    let names = cases.map(|names| Names {
        tool_calls_any: texts(names.tool_calls_any),
        tool_calls_none: texts(names.tool_calls_none),
        telemetry: texts(names.telemetry),
        required_sources: texts(names.required_sources),
    });
    names.collect()
}

/// The tool that an entry of `telemetry` names.
fn tool_of(entry: &str) -> Option<&str> {
    match TelemetryEntry::parse(entry) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some(tool),
        TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => None,
    }
}

fn count_event(counts: &mut ToolCounts, source: &str, event: Option<&str>) {
    if let Some(tool) = source.strip_prefix("tool.") {
        count(counts, tool, usize::from(event == Some("start")));
    }
}

fn at_least_once(mut counts: ToolCounts) -> ToolCounts {
    counts.values_mut().for_each(|times| *times = (*times).max(1));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_files_are_read_as_broken_ones() {
        for (text, is_plain) in [
            (r#"{"cases": [{"id": 1, "expected": {"tool_calls_any": ["a", "", "b"], "x": [null, 1e999]}}, {}]}"#, true),
            (
                r#"{"cases": [{"expected": {"telemetry": ["tool.a start"], "required_sources": ["\u00e9"]}}], "y": {}}"#,
                true,
            ),
            (r#"{"name": "no cases"}"#, true),
            (r#"{"cases": [{"expected": {"tool_calls_any": ["a"], "tool_calls_any": ["b"]}}]}"#, false),
            (r#"{"cases": [{"expected": {"tool_calls_any": ["a", 1]}}, 7]}"#, false),
            (r#"{"cases": [[{"tool_calls_any": ["a"]}]]}"#, false),
            (r#"[[{"expected": {"tool_calls_any": ["a"]}}]]"#, false),
            (r#"{"cases": [{"expected": {"tool_calls_any": ["\ud800"]}}]}"#, false),
            (r#"{"cases": [{"expected": {"tool_calls_any": ["a"]}},"#, false),
        ] {
            let plain = plain::names(text);
            assert_eq!(plain.is_some(), is_plain, "{text}");
            plain.into_iter().for_each(|plain| assert_eq!(plain, readable_names(text), "{text}"));
        }
        for (text, is_plain) in [
            (
                r#"{"telemetry": [{"source": "tool.a", "event": "start", "x": 1}, {"source": "b", "event": null}]}"#,
                true,
            ),
            (r#"{"telemetry": [{"source": "tool.a"}, "raw"]}"#, false),
            (r#"{"telemetry": [["tool.a", "start"]]}"#, false),
        ] {
            let plain = plain::events(text);
            assert_eq!(plain.is_some(), is_plain, "{text}");
            plain.into_iter().for_each(|plain| assert_eq!(plain, readable_events(text), "{text}"));
        }
    }
}
