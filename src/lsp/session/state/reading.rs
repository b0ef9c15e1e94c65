//! The state of open documents and of the answers of their cases, for requests and for the thread that sends diagnostics.

use std::sync::Arc;
use std::time::SystemTime;

use ls_types::Uri;

use crate::analysis::{Answers, Document};
use crate::config::Config;
use crate::lsp::convert::uris;
use crate::lsp::session::open_document::OpenDocument;
use crate::lsp::session::snapshot::{OpenConfiguration, Snapshot};
use crate::lsp::session::transcripts::{Files, Ran, ToRead};
use crate::text::Text;
use crate::transcript::Transcript;

use super::{Current, PAUSE, State, Subject};

impl State {
    /// Returns the next diagnostics to send, with their subject; `None` if there are none.
    pub(crate) fn next_outdated(&mut self) -> Option<(Subject, Current)> {
        let subject = self.outdated.pop_front()?;
        let current = match &subject {
            Subject::Document(uri) => self.current(uri),
            Subject::Configuration(path) => self.configuration(path),
        };
        Some((subject, current))
    }

    /// Returns the current state of an open document.
    pub(crate) fn current(&self, uri: &Uri) -> Current {
        match self.documents.get(&self.known_uri(uri)) {
            Some(document) if document.is_suite() => match self.snapshot(uri) {
                Some(snapshot) => Current::Suite(snapshot),
                None => Current::Unreadable(document.version()),
            },
            _ => Current::Nothing,
        }
    }

    /// Returns the current state of an open suite.
    pub(crate) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
        let uri = &self.known_uri(uri);
        let document = self.documents.get(uri)?;
        Some(Snapshot {
            uri: uri.clone(),
            version: document.version(),
            document: Arc::clone(document.document()?),
            workspace: Arc::clone(document.configuration().workspace()),
            settings: Arc::clone(&self.settings),
            answers: self.transcripts.answers(uri),
            support: Arc::clone(&self.support),
        })
    }

    /// Returns the current state of an open `eval-ls.toml`.
    pub(crate) fn open_configuration(&self, uri: &Uri) -> Option<OpenConfiguration> {
        let uri = self.known_uri(uri);
        let document = self.documents.get(&uri)?;
        document.configuration_path()?;
        let (version, text) = (document.version(), document.text().clone());
        Some(OpenConfiguration { uri, version, text, support: Arc::clone(&self.support) })
    }

    /// The text of an open document.
    pub(crate) fn text(&self, uri: &Uri) -> Option<Text> {
        Some(self.documents.get(&self.known_uri(uri))?.text().clone())
    }

    /// Returns the current state of all open suites.
    pub(crate) fn open_suites(&self) -> Vec<Snapshot> {
        self.documents
            .iter()
            .filter(|(_, document)| document.is_suite())
            .filter_map(|(uri, _)| self.snapshot(uri))
            .collect()
    }

    /// Returns the URI that the client uses for the open document that `uri` means, because a file can have several
    /// URIs. Returns `uri` itself if the document is not open.
    pub(crate) fn known_uri(&self, uri: &Uri) -> Uri {
        if self.documents.contains_key(uri) {
            return uri.clone();
        }
        let known = uris::to_path(uri).and_then(|path| self.uris.get(&path));
        known.unwrap_or(uri).clone()
    }
}

impl State {
    /// Stores an answer of a live run in memory until a later one is on disk. The verdict on the case follows, and the
    /// client is notified.
    pub(crate) fn keep_answer(&mut self, uri: &Uri, id: &str, transcript: Arc<Transcript>) {
        self.transcripts.keep(uri, id, transcript);
        self.outdate_suite(uri);
    }

    /// Stores the reason why a run of `target` got no answer for a case. An answer of an earlier run stays beside it; returns whether
    /// there is one.
    pub(crate) fn keep_failure(&mut self, uri: &Uri, id: &str, reason: &str, target: &str) -> bool {
        let has_answer = self.transcripts.keep_failure(uri, id, reason, target);
        self.outdate_suite(uri);
        has_answer
    }

    /// Notes that a run judged the transcript of a case, which counts again.
    pub(crate) fn keep_replayed(&mut self, uri: &Uri, id: &str) {
        self.transcripts.keep_replayed(uri, id);
        self.outdate_suite(uri);
    }

    /// Returns what the runs of this session say about a suite.
    pub(crate) fn ran(&self, uri: &Uri) -> Ran {
        self.transcripts.ran(uri)
    }

    /// Whether the answers of an open suite are known: those on disk were read.
    pub(crate) fn are_answers_known(&self, uri: &Uri) -> bool {
        self.transcripts.are_read(uri)
    }

    /// Returns the next suite whose transcripts must be read.
    pub(crate) fn next_to_read(&mut self) -> Option<ToRead> {
        self.transcripts.next_to_read()
    }

    /// An open suite.
    pub(crate) fn document(&self, uri: &Uri) -> Option<Arc<Document>> {
        self.documents.get(uri)?.document().map(Arc::clone)
    }

    /// Returns an open suite, and its answers with these files; `None` if they would be the same.
    pub(crate) fn with_files(&self, uri: &Uri, files: &Files) -> Option<(Arc<Document>, Arc<Answers>)> {
        let document = self.documents.get(uri)?.document()?;
        Some((Arc::clone(document), self.transcripts.with_files(uri, files)?))
    }

    /// Stores the files of a suite that were read under `config`.
    pub(crate) fn take_files(&mut self, uri: &Uri, config: &Arc<Config>, files: Files) {
        let is_current = Arc::ptr_eq(self.transcripts.answers(uri).config(), config);
        let document = self.documents.get(uri).and_then(OpenDocument::document).filter(|_| is_current);
        let Some(document) = document.map(Arc::clone) else { return };
        let ids = document.suite().cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str()));
        if self.transcripts.take_files(uri, files, ids) {
            self.outdate_suite(uri);
        }
    }

    /// Returns whether [`State::take_answered`] has suites.
    pub(crate) fn has_new_answers(&self) -> bool {
        self.transcripts.has_changed()
    }

    /// Returns the suites whose answers have changed since the last call.
    pub(crate) fn take_answered(&mut self) -> Vec<Uri> {
        let changed = self.transcripts.take_changed();
        self.news.verdicts.extend(changed.iter().cloned());
        self.news.lenses |= !changed.is_empty();
        changed
    }

    /// Returns whether the wording of an answer's age differs between `then` and `now`, and no one is typing.
    pub(crate) fn has_aged(&self, then: SystemTime, now: SystemTime) -> bool {
        let is_typing = self.last_edit.is_some_and(|last| last.elapsed() < PAUSE);
        let suites = self.documents.iter().filter(|(_, document)| document.is_suite());
        let mut answers = suites.map(|(uri, _)| self.transcripts.answers(uri));
        !is_typing && answers.any(|answers| answers.iter().any(|answer| answer.has_aged(then, now)))
    }
}
