use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::checks::{Evidence, EvidencePlace};
use crate::config::ResponseFrom;
use crate::syntax::{Node, parse, raw_span};
use crate::text::{Span, Text};
use crate::transcript::Transcript;
use crate::wording::age;

/// The answer of one case.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The transcript, or the reason why its file cannot be used.
    pub(crate) transcript: Result<Transcript, String>,
    /// The time of the answer, if it is known.
    pub(crate) moment: Option<SystemTime>,
    /// Its file; `None` for an answer that is only in memory or in a kept run.
    pub(crate) file: Option<AnswerFile>,
    /// The last run, if it got no answer. The case is then an `ERROR`, whatever an earlier answer says.
    pub(crate) failure: Option<RunFailure>,
}

/// Why a run got no answer for a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunFailure {
    /// The target that did not answer.
    pub(crate) target: String,
    /// A lower-case fragment, perhaps with the end of standard error on further lines.
    pub(crate) reason: String,
}

impl RunFailure {
    /// A failure of `target`.
    pub(crate) fn new(reason: &str, target: &str) -> RunFailure {
        RunFailure { target: target.to_owned(), reason: reason.to_owned() }
    }
}

/// The file of a transcript.
#[derive(Clone, Debug)]
pub(crate) struct AnswerFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text; empty if it is not text.
    pub(crate) text: Text,
    places: OnceLock<Places>,
}

/// Where the parts of a transcript's file are.
#[derive(Clone, Debug, Default)]
struct Places {
    /// The judged text, with quotes.
    response: Option<Span>,
    events: Vec<Span>,
}

impl Answer {
    /// Creates an answer that is only in memory. Its time is `at` unless the transcript states another.
    pub fn live(transcript: Transcript, moment: SystemTime) -> Answer {
        Answer { moment: transcript.recorded().or(Some(moment)), transcript: Ok(transcript), file: None, failure: None }
    }

    /// Creates the place of an answer that no run has got; `failure` is why the last one has not.
    pub(crate) fn missing(failure: &RunFailure, moment: SystemTime) -> Answer {
        let transcript = Err(failure.reason.clone());
        Answer { transcript, moment: Some(moment), file: None, failure: Some(failure.clone()) }
    }

    /// Creates an answer that cannot be used; `reason` is a lower-case fragment.
    pub(crate) fn unreadable(reason: String, moment: SystemTime) -> Answer {
        Answer { transcript: Err(reason), moment: Some(moment), file: None, failure: None }
    }

    /// The same answer after a later run without one.
    #[must_use]
    pub(crate) fn followed_by(&self, failure: RunFailure) -> Answer {
        Answer { failure: Some(failure), ..self.clone() }
    }

    /// Whether it is that answer after that failure.
    pub(crate) fn is_followed_by(&self, answer: &Answer, failure: &RunFailure) -> bool {
        let path = |answer: &Answer| answer.file.as_ref().map(|file| file.path.clone());
        self.failure.as_ref() == Some(failure)
            && (self.moment, path(self)) == (answer.moment, path(answer))
            && self.transcript == answer.transcript
    }

    /// Whether it is the place of an answer that no run has got, for that reason.
    pub(crate) fn is_missing(&self, failure: &RunFailure) -> bool {
        self.failure.as_ref() == Some(failure) && self.transcript.as_ref() == Err(&failure.reason)
    }

    /// The target that answered, if it is known.
    pub(crate) fn target(&self) -> Option<&str> {
        self.transcript.as_ref().ok()?.target.as_deref()
    }

    /// Creates an answer from a file; an `Err` has the reason why it cannot be read. The time of the file is not that of the
    /// answer: a clone or a copy has a new one.
    pub(crate) fn kept(path: PathBuf, loaded: Result<(Transcript, String), String>) -> Answer {
        let (transcript, text) = match loaded {
            Ok((transcript, text)) => (Ok(transcript), Text::from(text)),
            Err(reason) => (Err(reason), Text::default()),
        };
        let recorded = transcript.as_ref().ok().and_then(Transcript::recorded);
        let file = AnswerFile { path, text, places: OnceLock::new() };
        Answer { moment: recorded, transcript, file: Some(file), failure: None }
    }

    /// Returns whether the wording of its age differs between `then` and `now`.
    pub(crate) fn has_aged(&self, then: SystemTime, now: SystemTime) -> bool {
        self.moment.is_some_and(|moment| age(moment, then) != age(moment, now))
    }

    fn places<'f>(&self, file: &'f AnswerFile) -> &'f Places {
        file.places.get_or_init(|| Places::of(file.text.as_str(), self.transcript.as_ref().ok()))
    }

    /// Returns the place of a piece of evidence in the file, in bytes of its text; `None` if there is no file.
    pub(crate) fn place(&self, evidence: &Evidence) -> Option<Span> {
        let file = self.file.as_ref()?;
        let places = self.places(file);
        match evidence.place {
            EvidencePlace::Telemetry { event } => places.events.get(event.checked_sub(1)?).copied(),
            EvidencePlace::Page { .. } => None,
            EvidencePlace::Response(_) => {
                let literal = places.response?;
                let decoded = evidence.span_in(&self.transcript.as_ref().ok()?.response)?;
                Some(raw_span(file.text.slice(literal), decoded).shifted_by(literal.start))
            }
        }
    }
}

impl Places {
    fn of(text: &str, transcript: Option<&Transcript>) -> Places {
        // A byte order mark is not part of the JSON.
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mark = text.len() - json.len();
        let parsed = parse(json);
        let Some(root) = parsed.tree.root(json) else { return Places::default() };
        let place = |node: Node<'_>| node.span().shifted_by(mark);
        Places {
            response: response_of(root, transcript).map(place),
            events: root.get("telemetry").into_iter().flat_map(Node::elements).map(place).collect(),
        }
    }
}

/// Returns the judged text. A form of the page that is not stored separately is in `response`, because a file stores
/// each text once.
fn response_of<'t>(root: Node<'t>, transcript: Option<&Transcript>) -> Option<Node<'t>> {
    let other_form = transcript.and_then(|transcript| transcript.pages.as_ref()).and_then(|pages| {
        let page = root.get(if pages.of_part { "part" } else { "page" })?;
        if pages.form == ResponseFrom::Reply { page.get("reply") } else { page.get("after")?.get(pages.form.word()) }
    });
    other_form.or_else(|| root.get("response"))
}
