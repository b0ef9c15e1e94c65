//! What a transcript and an answer of a program may have, and how much memory they take: a text of a few bytes can take a hundred times as
//! much. Estimates are high, because the limits apply to hostile files too.

use std::collections::HashSet;

use serde_json::Value;

use crate::diagnostic::quoted;
use crate::syntax::{Kind, Node, most_nodes};
use crate::text::Span;

use super::pages::{Forms, Pages};
use super::{Event, Transcript};

/// The most events of an answer. A chatty agent logs some thousands.
const MOST_EVENTS: usize = 100_000;

/// The most values of an answer, those within others included. Five for each event, and a value takes about 100 bytes: 50 MB.
const MOST_VALUES: usize = 500_000;

/// Why an answer that is JSON is not read: a fragment without its subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Excess {
    /// It has too many values.
    #[error("has more than {MOST_VALUES} values; shorten its telemetry")]
    Values,
    /// It has too many events.
    #[error("has more than {MOST_EVENTS} events; shorten its telemetry")]
    Events,
    /// Readers of JSON disagree on which of two equal keys counts.
    #[error("has the key {} twice in one object; name each key once", quoted(.0))]
    RepeatedKey(String),
}

/// Checks an answer, and returns where it has too much.
///
/// # Errors
/// If it has too many values or events, or an object with two equal keys.
pub(crate) fn within_limits(root: Node<'_>) -> Result<(), (Span, Excess)> {
    let start = Span::empty(root.span().start);
    let values = root.descendants().filter(|node| node.kind() != Kind::Member).take(MOST_VALUES + 1);
    if values.count() > MOST_VALUES {
        return Err((start, Excess::Values));
    }
    let events = root.get("telemetry").into_iter().flat_map(Node::elements).take(MOST_EVENTS + 1);
    if events.count() > MOST_EVENTS {
        return Err((start, Excess::Events));
    }
    for object in root.descendants().filter(|node| node.kind() == Kind::Object) {
        let mut keys = HashSet::new();
        for member in object.members() {
            let Some(key) = member.key.as_str() else { continue };
            if let Some(key) = keys.replace(key) {
                return Err((member.key.span(), Excess::RepeatedKey(key.into_owned())));
            }
        }
    }
    Ok(())
}

/// The memory of a value in telemetry, apart from its text, in bytes.
const OF_VALUE: u64 = 100;

/// No less than the memory that a transcript with this text takes with its text, in bytes. Known before the text is parsed.
pub(crate) fn memory_of(text: &str) -> u64 {
    2 * text.len() as u64 + OF_VALUE * most_nodes(text) as u64
}

impl Transcript {
    /// The memory that it takes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let texts = [&self.target, &self.recorded_at, &self.prompt].into_iter().flatten();
        let texts = texts.chain(self.setup_prompts.iter().flatten()).chain([&self.case, &self.response]);
        let pages = self.pages.iter().flat_map(|pages| of_pages(pages));
        let texts: usize = texts.chain(pages).map(String::len).sum();
        OF_VALUE + texts as u64 + self.telemetry.iter().map(of_event).sum::<u64>()
    }
}

fn of_pages(pages: &Pages) -> impl Iterator<Item = &String> {
    fn forms(forms: &Forms) -> impl Iterator<Item = &String> {
        [&forms.snapshot, &forms.aria, &forms.text].into_iter().flatten()
    }
    let part = pages.part.iter().flat_map(|part| forms(&part.after).chain(&part.reply));
    forms(&pages.before).chain(forms(&pages.after)).chain(&pages.reply).chain(&pages.playwright).chain(part)
}

fn of_event(event: &Event) -> u64 {
    match event {
        Event::Raw(line) => OF_VALUE + line.len() as u64,
        Event::Object(_) => {
            let members = event.object().into_iter().flatten().map(|(key, value)| of_member(key, value));
            OF_VALUE + event.as_written().map_or(0, str::len) as u64 + members.sum::<u64>()
        }
    }
}

fn of_member(key: &str, value: &Value) -> u64 {
    OF_VALUE + key.len() as u64 + of_value(value)
}

fn of_value(value: &Value) -> u64 {
    OF_VALUE
        + match value {
            Value::String(text) => text.len() as u64,
            Value::Array(values) => values.iter().map(of_value).sum(),
            Value::Object(object) => object.iter().map(|(key, value)| of_member(key, value)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}
