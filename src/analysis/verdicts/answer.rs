use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::checks::{Evidence, EvidencePlace};
use crate::config::ResponseFrom;
use crate::syntax::{Node, parse, raw_span};
use crate::text::{LineColumn, Span, Text};
use crate::transcript::Transcript;
use crate::wording::age;

/// What was answered for one case.
#[derive(Debug)]
pub struct Answer {
    /// The transcript; else why the file that should hold it holds none.
    pub transcript: Result<Transcript, String>,
    /// When it was answered, where that is known.
    pub moment: Option<SystemTime>,
    /// The file that keeps it; `None` of an answer that is in memory alone.
    pub file: Option<AnswerFile>,
}

/// The file that keeps a transcript.
#[derive(Debug)]
pub struct AnswerFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it; empty where that is no text.
    pub text: Text,
    places: OnceLock<Places>,
}

/// Where things are in a transcript's file.
#[derive(Debug, Default)]
struct Places {
    /// The text that is judged, quotes included.
    response: Option<Span>,
    events: Vec<Span>,
}

impl Answer {
    /// An answer that is in memory alone, given at that moment unless it says another.
    pub fn live(transcript: Transcript, moment: SystemTime) -> Answer {
        Answer { moment: transcript.recorded().or(Some(moment)), transcript: Ok(transcript), file: None }
    }

    /// An answer that is kept in a file, which was last written at `modified`; `Err` says why it cannot be read.
    pub fn kept(path: PathBuf, loaded: Result<(Transcript, String), String>, modified: Option<SystemTime>) -> Answer {
        let (transcript, text) = match loaded {
            Ok((transcript, text)) => (Ok(transcript), Text::from(text)),
            Err(reason) => (Err(reason), Text::default()),
        };
        let recorded = transcript.as_ref().ok().and_then(Transcript::recorded);
        let file = AnswerFile { path, text, places: OnceLock::new() };
        Answer { moment: recorded.or(modified), transcript, file: Some(file) }
    }

    /// Whether its age is told in other words `now` than it was `then`.
    pub fn has_aged(&self, then: SystemTime, now: SystemTime) -> bool {
        self.moment.is_some_and(|moment| age(moment, then) != age(moment, now))
    }

    /// Where a piece of evidence stands in the file, in bytes of its text; `None` where there is no file.
    pub fn place(&self, evidence: &Evidence) -> Option<Span> {
        let file = self.file.as_ref()?;
        let places = file.places.get_or_init(|| Places::of(file.text.as_str(), self.transcript.as_ref().ok()));
        match evidence.place {
            EvidencePlace::Telemetry { event } => places.events.get(event.checked_sub(1)?).copied(),
            EvidencePlace::Response(LineColumn { line, column }) => {
                let literal = places.response?;
                let response = &self.transcript.as_ref().ok()?.response;
                let decoded = in_response(response, line, column, &evidence.text)?;
                Some(raw_span(file.text.slice(literal), decoded).from_origin(literal.start))
            }
        }
    }
}

impl Places {
    fn of(text: &str, transcript: Option<&Transcript>) -> Places {
        // The text's mark, if it has one, is no part of the JSON.
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mark = text.len() - json.len();
        let parsed = parse(json);
        let Some(root) = parsed.tree.root(json) else { return Places::default() };
        let place = |node: Node<'_>| node.span().from_origin(mark);
        Places {
            response: response_of(root, transcript).map(place),
            events: root.get("telemetry").into_iter().flat_map(Node::elements).map(place).collect(),
        }
    }
}

/// The text that is judged. A form that is not beside the others is in `response`: a file has each once.
fn response_of<'t>(root: Node<'t>, transcript: Option<&Transcript>) -> Option<Node<'t>> {
    let other_form = transcript.and_then(|transcript| transcript.pages.as_ref()).and_then(|pages| {
        let page = root.get(if pages.of_part { "part" } else { "page" })?;
        if pages.form == ResponseFrom::Reply { page.get("reply") } else { page.get("after")?.get(pages.form.word()) }
    });
    other_form.or_else(|| root.get("response"))
}

/// The bytes of a response that are shown as `text`, which may be cut, from a line and column on.
fn in_response(response: &str, line: usize, column: usize, text: &str) -> Option<Span> {
    let lines_before = line.checked_sub(2);
    let line_start = match lines_before {
        Some(before) => memchr::memchr_iter(b'\n', response.as_bytes()).nth(before)? + 1,
        None => 0,
    };
    let rest = response.get(line_start..)?;
    let (start, _) = rest.char_indices().nth(column.checked_sub(1)?).unwrap_or((rest.len(), ' '));
    let start = line_start + start;
    let here = &response[start..];
    let shown = if here.starts_with(text) { text } else { text.strip_suffix('…').unwrap_or(text) };
    let length = if here.starts_with(shown) { shown.len() } else { 0 };
    Some(Span::new(start, start + length))
}
