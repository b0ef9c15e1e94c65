//! The state of open documents, for requests and for the thread that sends diagnostics.

use std::sync::Arc;

use ls_types::Uri;

use super::{Current, State, Subject};
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::{OpenConfiguration, Snapshot};
use crate::text::Text;

impl State {
    /// Returns the next diagnostics to send, with their subject; `None` if there are none.
    pub(in crate::lsp) fn next_outdated(&mut self) -> Option<(Subject, Current)> {
        let subject = self.outdated.pop_front()?;
        let current = match &subject {
            Subject::Document(uri) => self.current(uri),
            Subject::Configuration(path) => self.configuration(path),
        };
        Some((subject, current))
    }

    /// Returns the current state of an open document.
    pub(in crate::lsp) fn current(&self, uri: &Uri) -> Current {
        match self.documents.get(&self.known_uri(uri)) {
            Some(document) if document.is_suite() => match self.snapshot(uri) {
                Some(snapshot) => Current::Suite(snapshot),
                None => Current::Unreadable(document.version()),
            },
            _ => Current::Nothing,
        }
    }

    /// Returns the current state of an open suite.
    pub(in crate::lsp) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
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
    pub(in crate::lsp) fn open_configuration(&self, uri: &Uri) -> Option<OpenConfiguration> {
        let uri = self.known_uri(uri);
        let document = self.documents.get(&uri)?;
        document.configuration_path()?;
        let (version, text) = (document.version(), document.text().clone());
        Some(OpenConfiguration { uri, version, text, support: Arc::clone(&self.support) })
    }

    /// The text of an open document.
    pub(in crate::lsp) fn text(&self, uri: &Uri) -> Option<Text> {
        Some(self.documents.get(&self.known_uri(uri))?.text().clone())
    }

    /// Returns the current state of all open suites.
    pub(in crate::lsp) fn open_suites(&self) -> Vec<Snapshot> {
        self.documents
            .iter()
            .filter(|(_, document)| document.is_suite())
            .filter_map(|(uri, _)| self.snapshot(uri))
            .collect()
    }

    /// Returns the URI that the client uses for the open document that `uri` means, because a file can have several
    /// URIs. Returns `uri` itself if the document is not open.
    pub(in crate::lsp) fn known_uri(&self, uri: &Uri) -> Uri {
        if self.documents.contains_key(uri) {
            return uri.clone();
        }
        let known = uris::to_path(uri).and_then(|path| self.uris.get(&path));
        known.unwrap_or(uri).clone()
    }
}
