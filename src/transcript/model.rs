//! What a target returned, and how it is written. A page is kept as what differs from another: the page before is most often the page
//! after, without a few lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::clock;
use crate::config::{Config, ResponseFrom};
use crate::syntax::{Kind, Node, parse, separator_before};
use crate::text::{Span, changed};
use crate::transcript::read::logged;

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
    /// What the answer took, if the target stated it.
    pub usage: Option<Usage>,
    /// Keys of the target's answer that this program does not know. No check sees them.
    pub extra: Map<String, Value>,
    /// The response in its other forms, if a browser target answered.
    pub pages: Option<Box<Pages>>,
    /// The log events since the prompt was sent, in order.
    pub telemetry: Vec<Event>,
    /// The last recording of the case, if this answer stayed because it passes and the new one does not.
    pub last_record: Option<Box<LastRecord>>,
}

/// What an answer took, as its target states it. A field that is `None` is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// The tokens that the model read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_tokens: Option<u64>,
    /// The tokens that it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_tokens: Option<u64>,
    /// The price, in the currency of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<f64>,
}

/// A recording whose answer was not taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastRecord {
    /// The time: a date and time of RFC 3339.
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
            usage,
            extra,
            pages,
            telemetry,
            last_record: _,
        } = self;
        (recorded_at, duration_ms, target, prompt, setup_prompts)
            == (&other.recorded_at, &other.duration_ms, &other.target, &other.prompt, &other.setup_prompts)
            && (program, response, usage, extra, pages, telemetry)
                == (&other.program, &other.response, &other.usage, &other.extra, &other.pages, &other.telemetry)
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

    /// Reads an element of `telemetry` from a value, whose numbers may have been written otherwise.
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

    /// The text with the numbers as they were written, if that differs.
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

impl Transcript {
    /// As the text of a file: indented JSON with a line break at its end.
    pub fn to_json(&self) -> String {
        self.written(self.to_object(), &|_| true)
    }

    /// The transcript as JSON on one line, without a line break.
    pub(crate) fn to_json_line(&self) -> String {
        let file = AsWritten { file: &self.to_object(), telemetry: &self.telemetry, may_show: &|_| true };
        serde_json::to_string(&file).expect("JSON values serialize")
    }

    /// The text of a file that has this object, with the numbers of the telemetry as they were written where `may_show` allows it.
    pub(crate) fn written(&self, file: Map<String, Value>, may_show: &dyn Fn(&str) -> bool) -> String {
        let file = AsWritten { file: &file, telemetry: &self.telemetry, may_show };
        let mut text = serde_json::to_string_pretty(&file).expect("JSON values serialize");
        text.push('\n');
        text
    }

    /// As the JSON object that a file of it has, without the spelling of the numbers in its telemetry.
    pub(crate) fn to_object(&self) -> Map<String, Value> {
        let mut file = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                file.insert(key.to_owned(), value);
            }
        };
        put("format", Some(FORMAT.into()));
        put("case", Some(self.case.as_str().into()));
        put("target", self.target.as_deref().map(Value::from));
        put("program", self.program.as_deref().map(Value::from));
        put("recorded_at", self.recorded_at.as_deref().map(Value::from));
        put("prompt", self.prompt.as_deref().map(Value::from));
        put("setup_prompts", self.setup_prompts.clone().map(Value::from));
        put("duration_ms", self.duration_ms.map(Value::from));
        if let Some(pages) = &self.pages {
            put("response_from", Some(response_from(pages)));
        }
        put("response", Some(self.response.as_str().into()));
        if let Some(pages) = &self.pages {
            // The response is in the file once.
            let mut others = Pages::clone(pages);
            *others.place_mut() = None;
            put("page", Some(page(&others, pages)));
            put(
                "part",
                others.part.as_ref().map(|part| {
                    let mut fields = object([("selector", Some(part.selector.as_str().into()))]);
                    fields.extend(object([
                        ("after", after(&part.after)),
                        ("reply", part.reply.as_deref().map(Value::from)),
                    ]));
                    Value::Object(fields)
                }),
            );
        }
        put("telemetry", Some(self.telemetry.iter().map(Event::to_value).collect()));
        put("usage", self.usage.map(|usage| json!(usage)));
        put("extra", (!self.extra.is_empty()).then(|| Value::Object(self.extra.clone())));
        put("last_record", self.last_record.as_ref().map(|last| last.to_value()));
        file
    }
}

impl LastRecord {
    fn to_value(&self) -> Value {
        json!({ "at": self.at, "target": self.target, "status": self.status })
    }

    /// The text of a transcript's file with this recording as its last one. A text that is not an object stays as it is.
    pub(super) fn written_into(&self, text: &str) -> String {
        let parsed = parse(text);
        let Some(root) = parsed.tree.root(text) else { return text.to_owned() };
        let value = self.to_value();
        let (span, with) = match (root.get("last_record"), root.children().last()) {
            (Some(known), _) => (known.span(), value.to_string()),
            (None, Some(last)) => {
                let separator = separator_before(text, last.span().start);
                (Span::empty(last.span().end), format!(",{separator}\"last_record\": {value}"))
            }
            (None, None) => return text.to_owned(),
        };
        format!("{}{with}{}", &text[..span.start], &text[span.end..])
    }
}

fn response_from(pages: &Pages) -> Value {
    let selector = pages.part.as_ref().filter(|_| pages.of_part).map(|part| part.selector.as_str().into());
    Value::Object(object([("form", Some(pages.form.word().into())), ("selector", selector)]))
}

/// The page, without the form that is the response; `all` has that one, too.
fn page(others: &Pages, all: &Pages) -> Value {
    let before = Forms::WORDS.into_iter().zip(others.before.all().into_iter().zip(all.after.all()));
    let before = before.map(|(word, (before, after))| {
        (word, before.as_deref().map(|before| same_lines(before, after.as_deref().unwrap_or_default())))
    });
    let before = object(before);
    let reply = others.reply.as_deref().map(Value::from);
    let before = (!before.is_empty()).then_some(Value::Object(before));
    Value::Object(object([("reply", reply), ("after", after(&others.after)), ("before", before)]))
}

fn after(forms: &Forms) -> Option<Value> {
    let forms = object(Forms::WORDS.into_iter().zip(forms.all().map(|form| form.as_deref().map(Value::from))));
    (!forms.is_empty()).then_some(Value::Object(forms))
}

fn same_lines(before: &str, after: &str) -> Value {
    match SameLines::of(before, after) {
        SameLines { same_start: 0, same_end: 0, .. } => before.into(),
        SameLines { same_start, changed: None, same_end } => json!({ "same_start": same_start, "same_end": same_end }),
        SameLines { same_start, changed: Some(changed), same_end } => {
            json!({ "same_start": same_start, "changed": changed, "same_end": same_end })
        }
    }
}

fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Option<Value>)>) -> Map<String, Value> {
    fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// A form that is longer than this, in bytes, is kept only if it is the response.
const LONGEST_FORM: usize = 1 << 20;

/// What a browser target saw of a turn, in every form that a response can be made of.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Pages {
    /// The form that the transcript's response has.
    pub(crate) form: ResponseFrom,
    /// Whether the response is that of [`part`](Self::part) rather than of the page.
    pub(crate) of_part: bool,
    /// The page before the prompt was typed.
    pub(crate) before: Forms,
    /// The page when the assistant had answered.
    pub(crate) after: Forms,
    /// The text that is new between the two, without the prompt.
    pub(crate) reply: Option<String>,
    /// The part of the page that `response_selector` found.
    pub(crate) part: Option<Part>,
}

/// A part of the page when the assistant had answered.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct Part {
    /// The CSS selector that found it.
    pub(crate) selector: String,
    /// The part.
    pub(crate) after: Forms,
    /// The text in it that is new.
    pub(crate) reply: Option<String>,
}

/// A page in two forms; one that was not kept is `None`.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct Forms {
    /// agent-browser's accessibility snapshot.
    pub(crate) snapshot: Option<String>,
    /// The text that people read.
    pub(crate) text: Option<String>,
}

/// Why a transcript's response cannot be had in another form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// The form was not kept.
    #[error("the transcript does not have the response in the form `{0}`; record the case again")]
    Form(&'static str),
    /// Another part of the page was kept.
    #[error("the transcript does not have the part of the page that `response_selector` names; record the case again")]
    Part,
}

/// The forms in which a configuration wants responses, by the targets that have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted(BTreeMap<String, (ResponseFrom, Option<String>)>);

impl Wanted {
    /// The forms that a configuration wants.
    pub(crate) fn by(config: &Config) -> Wanted {
        let wanted = config.targets.iter().filter_map(|(name, target)| {
            let browser = target.browser()?;
            Some((name.clone(), (browser.response, browser.response_selector.clone())))
        });
        Wanted(wanted.collect())
    }

    /// The form for a target, and the selector of the part of the page.
    pub(super) fn of_target(&self, name: &str) -> Option<(ResponseFrom, Option<&str>)> {
        self.0.get(name).map(|(form, selector)| (*form, selector.as_deref()))
    }
}

impl Pages {
    /// The response in another form: that of the page, or of the part that `selector` finds.
    ///
    /// # Errors
    /// If the turn's record does not have it.
    pub(crate) fn response(&self, form: ResponseFrom, selector: Option<&str>) -> Result<&str, NotKept> {
        let (after, reply) = match (selector, &self.part) {
            (None, _) => (&self.after, &self.reply),
            (Some(selector), Some(part)) if part.selector == selector => (&part.after, &part.reply),
            (Some(_), _) => return Err(NotKept::Part),
        };
        let kept = if form == ResponseFrom::Reply { reply } else { after.get(form) };
        kept.as_deref().ok_or(NotKept::Form(form.word()))
    }

    /// The record without forms that are too long to keep.
    #[must_use]
    pub(crate) fn bounded(mut self) -> Pages {
        let part = self.part.iter_mut().flat_map(|part| part.after.all_mut().into_iter().chain([&mut part.reply]));
        let page = self.before.all_mut().into_iter().chain(self.after.all_mut()).chain([&mut self.reply]);
        for form in page.chain(part) {
            form.take_if(|text| text.len() > LONGEST_FORM);
        }
        self
    }

    /// The place of the form that the response has.
    pub(super) fn place_mut(&mut self) -> &mut Option<String> {
        let (after, reply) = match &mut self.part {
            Some(part) if self.of_part => (&mut part.after, &mut part.reply),
            _ => (&mut self.after, &mut self.reply),
        };
        match self.form {
            ResponseFrom::Snapshot => &mut after.snapshot,
            ResponseFrom::Text => &mut after.text,
            ResponseFrom::Reply => reply,
        }
    }
}

impl Forms {
    /// The forms' words, in the order of a transcript's keys.
    pub(super) const WORDS: [&str; 2] = ["snapshot", "text"];

    /// A form of the page; a reply is not one.
    pub(crate) fn get(&self, form: ResponseFrom) -> &Option<String> {
        match form {
            ResponseFrom::Snapshot => &self.snapshot,
            ResponseFrom::Text => &self.text,
            ResponseFrom::Reply => &None,
        }
    }

    pub(super) fn all(&self) -> [&Option<String>; 2] {
        [&self.snapshot, &self.text]
    }

    pub(super) fn all_mut(&mut self) -> [&mut Option<String>; 2] {
        [&mut self.snapshot, &mut self.text]
    }
}

/// A text whose first and last lines are those of another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SameLines<'a> {
    /// How many of its first lines are the other text's first ones.
    pub(super) same_start: usize,
    /// The lines between; `None` if there are none.
    pub(super) changed: Option<&'a str>,
    /// How many of its last lines are the other text's last ones.
    pub(super) same_end: usize,
}

impl<'a> SameLines<'a> {
    /// `text` as what differs from `other`.
    pub(super) fn of(text: &'a str, other: &str) -> SameLines<'a> {
        let (lines, others): (Vec<_>, Vec<_>) = (text.split('\n').collect(), other.split('\n').collect());
        let (between, _) = changed(&lines, &others);
        let (same_start, same_end) = (between.start, lines.len() - between.end);
        let start = lines[..same_start].iter().map(|line| line.len() + 1).sum();
        let end: usize = lines[lines.len() - same_end..].iter().map(|line| line.len() + 1).sum();
        let is_changed = same_start + same_end < lines.len();
        // The line break before the last lines is not part of them.
        let changed = is_changed.then(|| &text[start..text.len() - end]);
        SameLines { same_start, changed, same_end }
    }

    /// The text, from the one that it was compared with; `None` if that has fewer lines.
    pub(super) fn text(&self, other: &str) -> Option<String> {
        let lines: Vec<_> = other.split('\n').collect();
        let (first, last) = (lines.get(..self.same_start)?, lines.len().checked_sub(self.same_end)?);
        // A line is used once, so no text becomes longer than what its file has.
        let last = lines.get(last..).filter(|_| last >= self.same_start)?;
        let parts: Vec<_> = first.iter().copied().chain(self.changed).chain(last.iter().copied()).collect();
        Some(parts.join("\n"))
    }
}

/// What results state about the source of the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Origin {
    /// The name of the browser's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// The log that telemetry was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) telemetry_log_path: Option<String>,
    /// The address of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) app_url: Option<String>,
    /// The address that was opened for the cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) space_url: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_differs_is_kept() {
        let check = |text, other, same_start, changed, same_end| {
            let found = SameLines::of(text, other);
            assert_eq!(found, SameLines { same_start, changed, same_end }, "{text:?} {other:?}");
            assert_eq!(found.text(other).as_deref(), Some(text));
        };
        check("a\nb", "a\nb", 2, None, 0);
        check("a\nb", "a\nnew\nb", 1, None, 1);
        check("a\nold\nb", "a\nb", 1, Some("old"), 1);
        check("x\ny", "a", 0, Some("x\ny"), 0);
        check("", "a", 0, Some(""), 0);
        check("a\n", "a", 1, Some(""), 0);
        check("", "", 1, None, 0);
        check("a\na", "a", 1, Some("a"), 0);
    }

    #[test]
    fn lines_that_are_not_there_are_refused() {
        for (same_start, same_end) in [(3, 0), (0, 3), (1, 2), (usize::MAX, 1), (1, usize::MAX)] {
            assert_eq!(SameLines { same_start, changed: None, same_end }.text("a\nb"), None, "{same_start} {same_end}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_as_it_was(text in "[ab\n]{0,20}", other in "[ab\n]{0,20}") {
            let found = SameLines::of(&text, &other);
            prop_assert_eq!(found.text(&other), Some(text.clone()));
        }
    }
}
