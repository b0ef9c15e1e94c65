use std::borrow::Cow;
use std::time::SystemTime;

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::clock;
use crate::config::ResponseFrom;
use crate::syntax::{Kind, Node};
use crate::transcript::read::logged;
use crate::transcript::{NotKept, Pages, Wanted};

/// The name of the format in which files are written.
pub(crate) const FORMAT: &str = "eval-ls/transcript@2";

/// The formats that are read.
pub(super) const FORMATS: [&str; 2] = ["eval-ls/transcript@1", FORMAT];

/// What one case produced. A field that is `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The case's id.
    pub case: String,
    /// The name of the target that answered.
    pub target: Option<String>,
    /// The hash of the files of the program that answered. Browser targets have none.
    pub program: Option<String>,
    /// The time of the recording: a date and time of RFC 3339.
    pub recorded_at: Option<String>,
    /// The prompt that was sent.
    pub prompt: Option<String>,
    /// The prompts that were sent before it.
    pub setup_prompts: Option<Vec<String>>,
    /// The duration of the case in milliseconds.
    pub duration_ms: Option<u64>,
    /// The answer, as one text.
    pub response: String,
    /// The response in its other forms, if a browser target answered.
    pub pages: Option<Box<Pages>>,
    /// The log events since the prompt was sent, in order.
    pub telemetry: Vec<Event>,
    /// The last recording of the case, if this answer stayed because it passes and the new one does not.
    pub last_record: Option<Box<LastRecord>>,
}

/// A recording whose answer was not taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastRecord {
    /// Its time: a date and time of RFC 3339.
    pub at: String,
    /// The name of the target that was asked.
    pub target: String,
    /// The status of the new answer, or `ERROR` if there was none.
    pub status: String,
}

impl Transcript {
    /// Whether it was recorded with another prompt or other setup prompts than these. An unknown prompt counts as equal.
    /// Empty setup prompts are never sent, so they are ignored.
    pub(crate) fn is_stale<'a>(&self, prompt: &str, setup_prompts: impl IntoIterator<Item = &'a str>) -> bool {
        let other_prompt = self.prompt.as_ref().is_some_and(|recorded| recorded != prompt);
        let other_setup = self.setup_prompts.as_ref().is_some_and(|recorded| {
            let recorded = recorded.iter().map(String::as_str).filter(|prompt| !prompt.is_empty());
            !recorded.eq(setup_prompts.into_iter().filter(|prompt| !prompt.is_empty()))
        });
        other_prompt || other_setup
    }

    /// The transcript with its response in the form that is wanted from the target that answered. A transcript that has
    /// one form only, or is of another target, stays as it is.
    ///
    /// # Errors
    /// If that form was not kept.
    pub(crate) fn viewed(mut self, wanted: &Wanted) -> Result<Transcript, NotKept> {
        let form = self.target.as_ref().and_then(|target| wanted.of_target(target));
        let (Some((form, selector)), Some(pages)) = (form, &mut self.pages) else { return Ok(self) };
        self.response = pages.response(form, selector)?.to_owned();
        (pages.form, pages.of_part) = (form, selector.is_some());
        Ok(self)
    }

    /// The page that shows the response, if the response is only the reply on it.
    pub(crate) fn page_of_reply(&self) -> Option<&str> {
        let pages = self.pages.as_ref().filter(|pages| pages.form == ResponseFrom::Reply)?;
        pages.after.all().into_iter().find_map(|form| form.as_deref())
    }

    /// Whether it differs from another one at most in the id of its case and in the recordings after it.
    pub(crate) fn is_same_answer(&self, other: &Transcript) -> bool {
        let Transcript {
            case: _,
            target,
            program,
            recorded_at,
            prompt,
            setup_prompts,
            duration_ms,
            response,
            pages,
            telemetry,
            last_record: _,
        } = self;
        (recorded_at, duration_ms, target, prompt, setup_prompts)
            == (&other.recorded_at, &other.duration_ms, &other.target, &other.prompt, &other.setup_prompts)
            && (program, response, pages, telemetry)
                == (&other.program, &other.response, &other.pages, &other.telemetry)
    }

    /// Whether the other one has the same prompts, response, page and events. Target and time may differ.
    pub(crate) fn has_same_content(&self, other: &Transcript) -> bool {
        (&self.prompt, &self.setup_prompts, &self.response) == (&other.prompt, &other.setup_prompts, &other.response)
            && (&self.pages, &self.telemetry) == (&other.pages, &other.telemetry)
    }

    /// The time of the recording, if it is known and valid.
    pub(crate) fn recorded(&self) -> Option<SystemTime> {
        clock::moment(self.recorded_at.as_deref()?)
    }
}

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
