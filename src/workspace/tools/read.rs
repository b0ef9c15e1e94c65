//! The tools in a file. The readable parts of a broken file count.

use memchr::memmem;
use serde_json::Value;

use crate::suite::{Case, List, Suite, TelemetryEntry};
use crate::syntax::{Node, parse};
use crate::transcript::Event;

use super::observer::{ToolCounts, count};

/// The tools in a transcript.
pub(super) fn transcript(text: &str) -> ToolCounts {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse(text);
    let events = parsed.tree.root(text).and_then(|root| root.get("telemetry"));
    let mut counts = ToolCounts::new();
    for event in events.into_iter().flat_map(Node::elements) {
        let text = |key: &str| event.get(key)?.as_str();
        if let Some(source) = text("source") {
            count_event(&mut counts, &source, text("event").as_deref());
        }
    }
    at_least_once(counts)
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
    let parsed = parse(text);
    for names in parsed.tree.root(text).into_iter().flat_map(Suite::case_nodes).map(Case::lower_names) {
        let texts = |list| entries(list).into_iter().flatten();
        texts(&names.telemetry).filter_map(tool_of).for_each(|tool| count(&mut tools, tool, 1));
        let called = texts(&names.tool_calls_any).chain(texts(&names.tool_calls_none));
        called.for_each(|tool| count(&mut tools, tool, 1));
        texts(&names.required_sources).for_each(|source| count(&mut sources, source, 1));
    }
    (tools, sources)
}

fn entries(list: &Option<List>) -> Option<impl Iterator<Item = &str>> {
    Some(list.as_ref()?.value.iter().map(|entry| entry.value.as_str()))
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
