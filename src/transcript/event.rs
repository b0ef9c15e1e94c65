use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::syntax::{Kind, Node};

use super::read::logged;

/// One log event.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Event {
    /// A JSON object.
    Object(LoggedObject),
    /// A log line that is not a JSON object. Only literal telemetry entries search it.
    Raw(String),
}

/// A JSON object, its keys in their recorded order.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct LoggedObject {
    object: Map<String, Value>,
    /// As compact JSON with each number as it was written, if that differs: `10.50`, `1e5`, `1e400`.
    as_written: Option<Box<str>>,
}

impl Event {
    /// Reads a log line without its line break. A lone surrogate in a string becomes U+FFFD.
    pub(crate) fn from_line(line: &str) -> Event {
        logged(line).unwrap_or_else(|| Event::Raw(line.to_owned()))
    }

    /// Reads an element of a transcript's `telemetry`: a string is a raw line.
    pub(crate) fn from_node(node: Node<'_>) -> Event {
        match Event::from_value(node.to_value()) {
            Event::Object(LoggedObject { object, .. }) => {
                Event::Object(LoggedObject { object, as_written: node.to_compact().map(String::into_boxed_str) })
            }
            Event::Raw(_) if node.kind() == Kind::Number => Event::Raw(node.text().to_owned()),
            raw => raw,
        }
    }

    /// The same for a value, whose numbers may have been written otherwise.
    pub fn from_value(value: Value) -> Event {
        match value {
            Value::Object(object) => Event::Object(LoggedObject { object, as_written: None }),
            Value::String(line) => Event::Raw(line),
            other => Event::Raw(other.to_string()),
        }
    }

    /// As an element of a transcript's `telemetry`, without the spelling of its numbers.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Event::Object(logged) => Value::Object(logged.object.clone()),
            Event::Raw(line) => Value::String(line.clone()),
        }
    }

    /// The text that telemetry entries search: compact JSON with the keys in their recorded order and the numbers as they were written,
    /// or the raw line.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Event::Object(logged) => match &logged.as_written {
                Some(text) => Cow::Borrowed(text),
                None => Cow::Owned(serde_json::to_string(&logged.object).expect("a map with string keys serializes")),
            },
            Event::Raw(line) => Cow::Borrowed(line),
        }
    }

    /// The event as an object, if it is one.
    pub(crate) fn object(&self) -> Option<&Map<String, Value>> {
        match self {
            Event::Object(logged) => Some(&logged.object),
            Event::Raw(_) => None,
        }
    }

    /// Its text with the numbers as they were written, if that differs.
    pub(crate) fn as_written(&self) -> Option<&str> {
        match self {
            Event::Object(logged) => logged.as_written.as_deref(),
            Event::Raw(_) => None,
        }
    }
}

/// A transcript as JSON, with the numbers of its telemetry as they were written.
pub(crate) struct AsWritten<'t> {
    /// The JSON object. Its `telemetry` may differ from the events: then the value counts.
    pub(crate) file: &'t Map<String, Value>,
    /// The events.
    pub(crate) telemetry: &'t [Event],
    /// Whether a text may be shown as it is.
    pub(crate) may_show: &'t dyn Fn(&str) -> bool,
}

impl Serialize for AsWritten<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.file.len()))?;
        for (key, value) in self.file {
            match value {
                Value::Array(events) if key == "telemetry" && events.len() == self.telemetry.len() => {
                    map.serialize_entry(key, &Events { events, of: self })?;
                }
                value => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

struct Events<'t> {
    events: &'t [Value],
    of: &'t AsWritten<'t>,
}

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.events.len()))?;
        for (value, event) in self.events.iter().zip(self.of.telemetry) {
            let text =
                event.as_written().filter(|text| (self.of.may_show)(text) && event.object() == value.as_object());
            match text.and_then(|text| serde_json::from_str::<&RawValue>(text).ok()) {
                Some(text) => list.serialize_element(text)?,
                None => list.serialize_element(value)?,
            }
        }
        list.end()
    }
}
