use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::challenge::Sample;
use crate::checks::{Evidence, EvidencePlace};
use crate::config::{Config, ResponseFrom};
use crate::filed::Stray;
use crate::syntax::{Node, parse, raw_span};
use crate::text::{Span, Text};
use crate::transcript::{Transcript, file_name};

/// Answers that a case must pass or must fail, by the id of the case.
pub(crate) type Samples = HashMap<String, Arc<[Sample]>>;

/// The last answers of a suite's cases, and the workspace's hints and sources. With the suite, this is all that a
/// verdict needs.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    config: Arc<Config>,
    /// By the file's name.
    kept: Arc<HashMap<String, Arc<Answer>>>,
    /// By the case's id.
    live: HashMap<String, Arc<Answer>>,
    /// What is known beside them.
    pub(crate) around: Around,
}

/// What is known around a suite beside the last answers of its cases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// The samples of the cases.
    pub(crate) samples: Arc<Samples>,
    /// What is stored for cases and suites that do not exist.
    pub(crate) strays: Arc<[Stray]>,
    /// Whether a case has ended in a kept run.
    pub(crate) has_run: bool,
}

impl Around {
    /// Whether both are identical.
    pub(crate) fn is_same(&self, other: &Around) -> bool {
        let Around { samples, strays, has_run } = self;
        Arc::ptr_eq(samples, &other.samples) && Arc::ptr_eq(strays, &other.strays) && *has_run == other.has_run
    }
}

impl Answers {
    /// Creates the answers from those in files, by the names of the files, and those of runs, by the ids of the cases. If a case has
    /// both, that of a run counts.
    pub fn new(
        config: Arc<Config>,
        kept: Arc<HashMap<String, Arc<Answer>>>,
        live: HashMap<String, Arc<Answer>>,
    ) -> Answers {
        Answers { config, kept, live, around: Around::default() }
    }

    /// Returns the hints and sources of the workspace.
    pub(crate) fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// Returns the answer that counts for the case with that id.
    pub(crate) fn of(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live(id).or_else(|| self.kept(id))
    }

    /// Returns the answer in memory.
    pub(crate) fn live(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live.get(id)
    }

    /// Whether the answer in memory is also the one in the file, apart from when it was given.
    pub(crate) fn is_stored(&self, id: &str) -> bool {
        let (Some(live), Some(kept)) = (self.live(id), self.kept(id)) else { return false };
        matches!((&live.transcript, &kept.transcript), (Ok(live), Ok(kept)) if live.has_same_content(kept))
    }

    /// Returns the answer in a file.
    pub(crate) fn kept(&self, id: &str) -> Option<&Arc<Answer>> {
        if self.kept.is_empty() {
            return None;
        }
        let is_of_case = |answer: &&Arc<Answer>| answer.transcript.as_ref().map_or(true, |kept| kept.case == id);
        self.kept.get(&file_name(id)).filter(is_of_case)
    }

    /// Returns the same answers without those in memory.
    #[must_use]
    pub(crate) fn only_kept(&self) -> Answers {
        Answers { live: HashMap::new(), ..self.clone() }
    }

    /// Returns all answers in arbitrary order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Answer>> {
        self.live.values().chain(self.kept.values())
    }
}

/// The answer of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The transcript, or the reason why its file cannot be used.
    pub(crate) transcript: Result<Transcript, String>,
    /// The time of the answer, if it is known.
    pub(crate) moment: Option<SystemTime>,
    /// The file; `None` for an answer that is only in memory or in a kept run.
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
    /// The text; empty if it is not text.
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

impl PartialEq for AnswerFile {
    fn eq(&self, other: &AnswerFile) -> bool {
        (&self.path, &self.text) == (&other.path, &other.text)
    }
}

impl Answer {
    /// Creates an answer that is only in memory. Its time is `at` unless the transcript states another.
    pub fn live(transcript: Transcript, moment: SystemTime) -> Answer {
        Answer { moment: transcript.recorded().or(Some(moment)), transcript: Ok(transcript), file: None, failure: None }
    }

    /// Creates the answer before a run that got none at `moment`; without one, an unreadable answer with the reason of the failure.
    pub(crate) fn failed(before: Option<&Answer>, failure: RunFailure, moment: SystemTime) -> Answer {
        let none = || Answer::unreadable(failure.reason.clone(), moment);
        Answer { failure: Some(failure.clone()), ..before.cloned().unwrap_or_else(none) }
    }

    /// Whether both are the same answer with the same note.
    pub(crate) fn is_same(one: &Arc<Answer>, other: &Arc<Answer>) -> bool {
        Arc::ptr_eq(one, other) || one == other
    }

    /// Creates an answer that cannot be used; `reason` is a lower-case fragment.
    pub(crate) fn unreadable(reason: String, moment: SystemTime) -> Answer {
        Answer { transcript: Err(reason), moment: Some(moment), file: None, failure: None }
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
