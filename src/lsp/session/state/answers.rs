//! What the cases of open suites were answered.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use tower_lsp_server::ls_types::Uri;

use super::{PAUSE, State};
use crate::analysis::{Answer, Answers, Document};
use crate::config::Config;
use crate::lsp::session::open_document::OpenDocument;
use crate::lsp::session::transcripts::{Files, ToRead};
use crate::transcript::Transcript;

impl State {
    /// Keeps the answer that a live run gave to a case of a suite in memory, until a later one is on disk. The verdict on
    /// the case follows, and whoever shows it is told.
    pub(in crate::lsp) fn keep_answer(&mut self, uri: &Uri, id: &str, transcript: Arc<Transcript>) {
        self.transcripts.keep(uri, id, transcript);
        self.outdate_suite(uri);
    }

    /// Keeps the reason why a live run got no answer for a case, where there is none of an earlier run.
    pub(in crate::lsp) fn keep_failure(&mut self, uri: &Uri, id: &str, reason: String) {
        self.transcripts.keep_failure(uri, id, reason);
        self.outdate_suite(uri);
    }

    /// The answers in memory of a suite that is not open, by the cases' ids.
    pub(in crate::lsp) fn live_answers(&self, uri: &Uri) -> HashMap<String, Arc<Answer>> {
        self.transcripts.live(uri)
    }

    /// Whose transcripts are to be looked at next.
    pub(in crate::lsp) fn next_to_read(&mut self) -> Option<ToRead> {
        self.transcripts.next_to_read()
    }

    /// An open suite, and the answers that it will have with these files; `None` where they would be the same.
    pub(in crate::lsp) fn with_files(&self, uri: &Uri, files: &Files) -> Option<(Arc<Document>, Arc<Answers>)> {
        let document = self.documents.get(uri)?.document()?;
        Some((Arc::clone(document), self.transcripts.with_files(uri, files)?))
    }

    /// Takes in the files of a suite that were read under `config`.
    pub(in crate::lsp) fn take_files(&mut self, uri: &Uri, config: &Arc<Config>, files: Files) {
        let is_current = Arc::ptr_eq(self.transcripts.answers(uri).config(), config);
        let document = self.documents.get(uri).and_then(OpenDocument::document).filter(|_| is_current);
        let Some(document) = document.map(Arc::clone) else { return };
        let ids = document.suite().cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str()));
        if self.transcripts.take_files(uri, files, ids) {
            self.outdate_suite(uri);
        }
    }

    /// Whether [`State::take_answered`] has something to give.
    pub(in crate::lsp) fn has_new_answers(&self) -> bool {
        self.transcripts.has_changed()
    }

    /// The suites whose answers have changed since this was last asked.
    pub(in crate::lsp) fn take_answered(&mut self) -> Vec<Uri> {
        let changed = self.transcripts.take_changed();
        self.news.verdicts.extend(changed.iter().cloned());
        self.news.lenses |= !changed.is_empty();
        changed
    }

    /// Whether the answers of open suites are older in other words `now` than `then`, and nobody is typing.
    pub(in crate::lsp) fn has_aged(&self, then: SystemTime, now: SystemTime) -> bool {
        let is_typing = self.last_edit.is_some_and(|last| last.elapsed() < PAUSE);
        let suites = self.documents.iter().filter(|(_, document)| document.is_suite());
        let mut answers = suites.map(|(uri, _)| self.transcripts.answers(uri));
        !is_typing && answers.any(|answers| answers.iter().any(|answer| answer.has_aged(then, now)))
    }
}
