//! Reading what a transcript has beside its response: the page before and after, in every form.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::config::ResponseFrom;
use crate::diagnostic::quoted;
use crate::syntax::{Kind, Node, most_nodes, parse};
use crate::text::{Encoding, Span, Text, visible_start};
use crate::transcript::model::{FORMATS, Forms, Pages, SameLines};
use crate::transcript::{Event, FORMAT, LastRecord, Part, Transcript, Usage};

/// Why a text is not a transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct InvalidTranscript {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in code points.
    pub(crate) column: usize,
    /// A lower-case fragment that states the expected value.
    pub(crate) message: String,
}

impl Transcript {
    /// Reads a transcript's file. Unknown keys are ignored, `null` counts as absent, and half a surrogate pair in a
    /// string, which no text can hold, becomes U+FFFD.
    ///
    /// # Errors
    /// If the text is not JSON, is in another format, lacks `case` or `response`, or has a value of the wrong type.
    pub fn parse(text: &str) -> Result<Transcript, InvalidTranscript> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        with_value(text, |root| limited(root).and_then(transcript)).map_err(|fault| fault.in_text(text))
    }

    /// Reads the stored answer of a case as tolerantly, and with the same limits. `case` has what is stored elsewhere.
    ///
    /// # Errors
    /// If the text is not JSON, lacks `response`, exceeds a limit, or has a value of the wrong type.
    pub(crate) fn parse_answer(text: &str, case: Transcript) -> Result<Transcript, InvalidTranscript> {
        let read = |root: Node<'_>| {
            let root = limited(object(root)?)?;
            let response = required(root, "response", string)?;
            let telemetry = optional(root, "telemetry", events)?.unwrap_or_default();
            let (pages, usage, extra) = (pages(root, &response)?, usage(root)?, extra(root)?);
            Ok(Transcript { pages, response, usage, extra, telemetry, ..case })
        };
        with_value(text, read).map_err(|fault| fault.in_text(text))
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let texts = [&self.target, &self.recorded_at, &self.prompt].into_iter().flatten();
        let texts = texts.chain(self.setup_prompts.iter().flatten()).chain([&self.case, &self.response]);
        let pages = self.pages.iter().flat_map(|pages| of_pages(pages));
        let texts: usize = texts.chain(pages).map(String::len).sum();
        let extra = self.extra.iter().map(|(key, value)| of_member(key, value)).sum::<u64>();
        OF_VALUE + texts as u64 + extra + self.telemetry.iter().map(of_event).sum::<u64>()
    }
}

/// Reads a line of a log as tolerantly as a transcript. Of equal keys the last one counts. `None` if it is not a JSON object.
pub(super) fn logged(text: &str) -> Option<Event> {
    with_value(text, |root| object(root).map(Event::from_node)).ok()
}

fn object(root: Node<'_>) -> Result<Node<'_>, Fault> {
    let is_object = root.kind() == Kind::Object;
    is_object
        .then_some(root)
        .ok_or_else(|| Fault::new(root.span(), format!("expected a JSON object, found {}", root.kind().described())))
}

fn limited(root: Node<'_>) -> Result<Node<'_>, Fault> {
    within_limits(root).map_err(|(span, excess)| Fault::new(span, format!("the answer {excess}")))?;
    Ok(root)
}

pub(crate) struct Fault {
    span: Span,
    /// A lower-case fragment that states the expected value.
    pub(crate) message: String,
}

impl Fault {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Fault {
        Fault { span, message: message.into() }
    }

    fn in_text(self, text: &str) -> InvalidTranscript {
        let place = Text::new(text).position(self.span.start, Encoding::Utf32);
        InvalidTranscript { line: place.line + 1, column: place.column + 1, message: self.message }
    }
}

fn with_value<T>(text: &str, read: impl FnOnce(Node<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
    if u32::try_from(text.len()).is_err() {
        return Err(Fault::new(Span::empty(0), "this is larger than 4 GiB"));
    }
    let parsed = parse(text);
    let error = parsed.errors.iter().filter(|error| !error.kind.is_of_value());
    if let Some(error) = error.min_by_key(|error| error.span.start) {
        return Err(Fault::new(error.span, error.kind.to_string()));
    }
    let root = parsed.tree.root(text).ok_or_else(|| Fault::new(Span::empty(0), "expected a JSON document"))?;
    read(root)
}

fn transcript(root: Node<'_>) -> Result<Transcript, Fault> {
    format(object(root)?)?;
    let response = required(root, "response", string)?;
    Ok(Transcript {
        case: required(root, "case", string)?,
        target: optional(root, "target", string)?,
        program: optional(root, "program", string)?,
        recorded_at: optional(root, "recorded_at", string)?,
        prompt: optional(root, "prompt", string)?,
        setup_prompts: optional(root, "setup_prompts", strings)?,
        duration_ms: optional(root, "duration_ms", milliseconds)?,
        usage: usage(root)?,
        extra: extra(root)?,
        pages: pages(root, &response)?,
        response,
        telemetry: optional(root, "telemetry", events)?.unwrap_or_default(),
        last_record: optional(root, "last_record", last_record)?,
    })
}

fn last_record(node: Node<'_>) -> Result<Box<LastRecord>, &'static str> {
    let text = |key: &str| node.get(key).and_then(|node| node.as_str()).map(Into::into);
    let read = || Some(LastRecord { at: text("at")?, target: text("target")?, status: text("status")? });
    read().map(Box::new).ok_or("an object with the texts `at`, `target` and `status`")
}

fn format(root: Node<'_>) -> Result<(), Fault> {
    let found = required(root, "format", string)?;
    if FORMATS.contains(&found.as_str()) {
        return Ok(());
    }
    let span = root.get("format").map_or(root.span(), Node::span);
    let shown: String = found.escape_debug().take(40).collect();
    Err(Fault::new(span, format!("expected the format `{FORMAT}`, found `{shown}`")))
}

pub(super) type Read<T> = fn(Node<'_>) -> Result<T, &'static str>;

pub(super) fn required<T>(root: Node<'_>, key: &str, read: Read<T>) -> Result<T, Fault> {
    optional(root, key, read)?.ok_or_else(|| {
        let start = root.span().start;
        Fault::new(Span::new(start, start + 1), format!("expected the key `{key}`"))
    })
}

/// The longest number in a message, in code points.
const FOUND: usize = 40;

pub(super) fn optional<T>(root: Node<'_>, key: &str, read: Read<T>) -> Result<Option<T>, Fault> {
    let Some(value) = root.get(key).filter(|value| value.kind() != Kind::Null) else { return Ok(None) };
    let read = read(value);
    read.map(Some).map_err(|expected| {
        let found = match value.kind() {
            Kind::Number => visible_start(value.text(), FOUND),
            kind => kind.described().to_owned(),
        };
        Fault::new(value.span(), format!("expected {expected} for `{key}`, found {found}"))
    })
}

pub(super) fn string(node: Node<'_>) -> Result<String, &'static str> {
    node.as_str().map(Into::into).ok_or("a string")
}

fn strings(node: Node<'_>) -> Result<Vec<String>, &'static str> {
    let list = (node.kind() == Kind::Array).then(|| node.elements().map(string).collect());
    list.and_then(Result::ok).ok_or("a list of strings")
}

fn milliseconds(node: Node<'_>) -> Result<u64, &'static str> {
    // The cast saturates.
    node.as_f64().filter(|number| *number >= 0.0).map(|number| number.round() as u64).ok_or("a number of milliseconds")
}

/// The usage that an answer states.
///
/// # Errors
/// If it is not an object, or one of its known keys is not a number of at least 0. Other keys are ignored.
pub(crate) fn usage(root: Node<'_>) -> Result<Option<Usage>, Fault> {
    let Some(usage) = page_object(root, "usage")? else { return Ok(None) };
    let (input_tokens, output_tokens) =
        (optional(usage, "input_tokens", tokens)?, optional(usage, "output_tokens", tokens)?);
    Ok(Some(Usage { input_tokens, output_tokens, cost: optional(usage, "cost", cost)? }))
}

fn tokens(node: Node<'_>) -> Result<u64, &'static str> {
    // Above, a number of JSON is rounded.
    let count = lines(node).ok().map(|count| count as u64).filter(|count| *count <= 1 << 53);
    count.ok_or("a whole number from 0 to 2^53")
}

fn cost(node: Node<'_>) -> Result<f64, &'static str> {
    // The sum of many must be finite.
    node.as_f64().filter(|cost| (0.0..1e15).contains(cost)).ok_or("a number from 0 to 1e15")
}

fn extra(root: Node<'_>) -> Result<Map<String, Value>, Fault> {
    match page_object(root, "extra")?.map(Node::to_value) {
        Some(Value::Object(extra)) => Ok(extra),
        _ => Ok(Map::new()),
    }
}

fn events(node: Node<'_>) -> Result<Vec<Event>, &'static str> {
    let list = (node.kind() == Kind::Array).then(|| node.elements().map(Event::from_node));
    list.map(Iterator::collect).ok_or("a list of events")
}

/// The pages of a transcript with that response; `None` if its target has no page.
pub(super) fn pages(root: Node<'_>, response: &str) -> Result<Option<Box<Pages>>, Fault> {
    let (Some(from), Some(page)) = (page_object(root, "response_from")?, page_object(root, "page")?) else {
        return Ok(None);
    };
    let word = required(from, "form", string)?;
    let known = ResponseFrom::WORDS.into_iter().find(|(known, _)| *known == word);
    let (_, form) = known.ok_or_else(|| {
        let words = ResponseFrom::WORDS.map(|(word, _)| format!("`{word}`")).join(", ");
        fault(from, "form", format!("expected one of {words} for `form`"))
    })?;
    let part = match page_object(root, "part")? {
        Some(part) => Some(Part {
            selector: required(part, "selector", string)?,
            after: after(part)?,
            reply: optional(part, "reply", string)?,
        }),
        None => None,
    };
    let selector = optional(from, "selector", string)?;
    if selector.is_some() && selector.as_ref() != part.as_ref().map(|part| &part.selector) {
        return Err(fault(from, "selector", "expected the `selector` of `part`".to_owned()));
    }
    let mut pages = Pages {
        form,
        of_part: selector.is_some(),
        before: Forms::default(),
        after: after(page)?,
        reply: optional(page, "reply", string)?,
        part,
    };
    *pages.place_mut() = Some(response.to_owned());
    if let Some(forms) = page_object(page, "before")? {
        let after = pages.after.all();
        let before = pages.before.all_mut().into_iter().zip(after).zip(Forms::WORDS);
        for ((before, after), key) in before {
            *before = same_lines(forms, key, after.as_deref().unwrap_or_default())?;
        }
    }
    Ok(Some(Box::new(pages)))
}

fn after(page: Node<'_>) -> Result<Forms, Fault> {
    let Some(after) = page_object(page, "after")? else { return Ok(Forms::default()) };
    let form = |key| optional(after, key, string);
    Ok(Forms { snapshot: form("snapshot")?, text: form("text")? })
}

/// A page before: a text, or what of it differs from the page after.
fn same_lines(forms: Node<'_>, key: &str, after: &str) -> Result<Option<String>, Fault> {
    let Some(node) = forms.get(key).filter(|node| node.kind() == Kind::Object) else {
        return optional(forms, key, string);
    };
    let changed = optional(node, "changed", string)?;
    let same_start = optional(node, "same_start", lines)?.unwrap_or_default();
    let same_end = optional(node, "same_end", lines)?.unwrap_or_default();
    let text = SameLines { same_start, changed: changed.as_deref(), same_end }.text(after);
    let too_many = || Fault::new(node.span(), format!("`{key}` is more than the number of lines of the page after"));
    text.ok_or_else(too_many).map(Some)
}

fn lines(node: Node<'_>) -> Result<usize, &'static str> {
    // Numbers above 2^53 saturate or are rounded; no page has so many lines.
    let count = node.as_f64().filter(|count| *count >= 0.0 && count.fract() == 0.0);
    count.map(|count| count as usize).ok_or("a number of lines")
}

fn page_object<'t>(node: Node<'t>, key: &str) -> Result<Option<Node<'t>>, Fault> {
    match node.get(key).filter(|value| value.kind() != Kind::Null) {
        Some(value) if value.kind() != Kind::Object => {
            let message = format!("expected an object for `{key}`, found {}", value.kind().described());
            Err(Fault::new(value.span(), message))
        }
        value => Ok(value),
    }
}

fn fault(node: Node<'_>, key: &str, message: String) -> Fault {
    Fault::new(node.get(key).map_or(node.span(), Node::span), message)
}

/// The most events of an answer. A chatty agent logs some thousands.
const MOST_EVENTS: usize = 100_000;

/// The most values of an answer, those within others included. Five for each event, and a value takes about 100 bytes: 50 MB.
const MOST_VALUES: usize = 500_000;

/// Why an answer that is JSON is not read: a fragment without its subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Excess {
    /// The answer has too many values.
    #[error("has more than {MOST_VALUES} values; send fewer, for example less telemetry")]
    Values,
    /// The answer has too many events.
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

fn of_pages(pages: &Pages) -> impl Iterator<Item = &String> {
    fn forms(forms: &Forms) -> impl Iterator<Item = &String> {
        [&forms.snapshot, &forms.text].into_iter().flatten()
    }
    let part = pages.part.iter().flat_map(|part| forms(&part.after).chain(&part.reply));
    forms(&pages.before).chain(forms(&pages.after)).chain(&pages.reply).chain(part)
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
