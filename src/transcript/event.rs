use std::borrow::Cow;

use serde_json::{Map, Value};

use super::read::logged_object;

/// One log event.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Event {
    /// A JSON object, its keys in their recorded order.
    Object(Map<String, Value>),
    /// A log line that is not a JSON object. Only literal telemetry entries search it.
    Raw(String),
}

impl Event {
    /// Reads a log line without its line break. A lone surrogate in a string becomes U+FFFD.
    pub(crate) fn from_line(line: &str) -> Event {
        logged_object(line).map_or_else(|| Event::Raw(line.to_owned()), Event::Object)
    }

    /// Reads an element of a transcript's `telemetry`: a string is a raw line.
    pub fn from_value(value: Value) -> Event {
        match value {
            Value::Object(object) => Event::Object(object),
            Value::String(line) => Event::Raw(line),
            other => Event::Raw(other.to_string()),
        }
    }

    /// As an element of a transcript's `telemetry`.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Event::Object(object) => Value::Object(object.clone()),
            Event::Raw(line) => Value::String(line.clone()),
        }
    }

    /// The text that telemetry entries search: compact JSON with the keys in their recorded order, or the raw line.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Event::Object(object) => {
                Cow::Owned(serde_json::to_string(object).expect("a map with string keys serializes"))
            }
            Event::Raw(line) => Cow::Borrowed(line),
        }
    }

    /// The event as an object, if it is one.
    pub(crate) fn object(&self) -> Option<&Map<String, Value>> {
        match self {
            Event::Object(object) => Some(object),
            Event::Raw(_) => None,
        }
    }
}
