use crate::syntax::{Kind, Node, parse};
use crate::text::{Encoding, Span, Text};

use super::limits::within_limits;
use super::model::FORMATS;
use super::read_pages::pages;
use super::{Event, FORMAT, LastRecord, Transcript};

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
            Ok(Transcript { pages: pages(root, &response)?, response, telemetry, ..case })
        };
        with_value(text, read).map_err(|fault| fault.in_text(text))
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
        .ok_or_else(|| Fault::new(root.span(), format!("expected a JSON object, found {}", name(root))))
}

fn limited(root: Node<'_>) -> Result<Node<'_>, Fault> {
    within_limits(root).map_err(|(span, excess)| Fault::new(span, format!("the answer {excess}")))?;
    Ok(root)
}

pub(super) struct Fault {
    span: Span,
    message: String,
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
        recorded_at: optional(root, "recorded_at", string)?,
        prompt: optional(root, "prompt", string)?,
        setup_prompts: optional(root, "setup_prompts", strings)?,
        duration_ms: optional(root, "duration_ms", milliseconds)?,
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

pub(super) fn optional<T>(root: Node<'_>, key: &str, read: Read<T>) -> Result<Option<T>, Fault> {
    let Some(value) = root.get(key).filter(|value| value.kind() != Kind::Null) else { return Ok(None) };
    let read = read(value);
    read.map(Some)
        .map_err(|expected| Fault::new(value.span(), format!("expected {expected} for `{key}`, found {}", name(value))))
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

fn events(node: Node<'_>) -> Result<Vec<Event>, &'static str> {
    let list = (node.kind() == Kind::Array).then(|| node.elements().map(Event::from_node));
    list.map(Iterator::collect).ok_or("a list of events")
}

pub(super) fn name(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::Object => "an object",
        Kind::Array => "a list",
        Kind::String => "a string",
        Kind::Number => "a number",
        Kind::True | Kind::False => "a boolean",
        Kind::Null => "null",
        Kind::Member | Kind::Invalid => "something else",
    }
}
