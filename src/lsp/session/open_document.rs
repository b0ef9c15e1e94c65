//! An open document of a client, and what a request sees of the session: an open suite at one moment, and the state as the status page shows it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use ls_types::{Position, Range, TextDocumentContentChangeEvent, TextDocumentItem, Uri, WorkspaceEdit};

use crate::analysis::{Answers, Document, Workspace};
use crate::config::CONFIG_FILE;
use crate::diagnostic::Edit;
use crate::lsp::client::settings::{Settings, Support, log};
use crate::lsp::convert::to_lsp::{self, Origin, workspace_edit};
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::transcripts::Memory;
use crate::text::{Encoding, Span, Text};
use crate::workspace::Membership;

/// The language id that makes any document a suite.
const LANGUAGE_ID: &str = "eval-suite";

/// If there are more changes than this at once, the suite is parsed only once, after the last one.
const FEW_CHANGES: usize = 8;

/// An open document.
#[derive(Debug)]
pub(crate) struct OpenDocument {
    /// The number of its last change, or of its opening.
    pub(crate) version: i32,
    path: Option<PathBuf>,
    /// Whether its language id makes it a suite.
    is_declared: bool,
    /// Whether its path makes it a suite; `None` if it is not a file.
    by_path: Option<Membership>,
    /// Whether its path and its text make it a suite, when it was last decided; see [`OpenDocument::decide`].
    membership: Option<Membership>,
    /// Whether it is a suite, by its language id or by its membership.
    is_suite: bool,
    pub(crate) configuration: Arc<Configuration>,
    content: Content,
    /// A hash of the ids of its cases, and whether it is valid JSON.
    ids: (u64, bool),
}

/// The text of a document, and the parsed suite.
#[derive(Debug)]
enum Content {
    /// A suite.
    Suite(Arc<Document>),
    /// Not a suite, or one on which this program failed. The failure may not occur again after the next edit.
    Text(Text),
}

impl OpenDocument {
    /// Opens a document. It is not parsed before [`OpenDocument::configure`].
    pub(crate) fn new(item: TextDocumentItem) -> Self {
        OpenDocument {
            version: item.version,
            path: uris::to_path(&item.uri),
            is_declared: item.language_id == LANGUAGE_ID,
            is_suite: item.language_id == LANGUAGE_ID,
            by_path: None,
            membership: None,
            configuration: Arc::default(),
            content: Content::Text(Text::from(item.text)),
            ids: Default::default(),
        }
    }

    /// The document's file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether it is a suite, by the last configuration.
    pub(crate) fn is_suite(&self) -> bool {
        self.is_suite
    }

    /// The document's file, if it is an `eval-ls.toml`.
    pub(crate) fn configuration_path(&self) -> Option<&Path> {
        self.path().filter(|path| path.ends_with(CONFIG_FILE) && !self.is_suite)
    }

    /// Why it is or is not a suite: a sentence for people, with names in backticks.
    pub(crate) fn why(&self) -> String {
        if self.is_declared {
            return format!("A suite: its language is `{LANGUAGE_ID}`");
        }
        match &self.membership {
            Some(membership) => membership.to_string(),
            None => format!("Not a suite: it is not a file, and its language is not `{LANGUAGE_ID}`"),
        }
    }

    /// The parsed suite; `None` if it is not a suite, or this program failed on it.
    pub(crate) fn document(&self) -> Option<&Arc<Document>> {
        match &self.content {
            Content::Suite(document) => Some(document),
            Content::Text(_) => None,
        }
    }

    /// The document's text.
    pub(crate) fn text(&self) -> &Text {
        match &self.content {
            Content::Suite(document) => document.text(),
            Content::Text(text) => text,
        }
    }

    /// Sets its configuration, and whether its path makes it a suite. Returns whether this changes the document's
    /// state.
    pub(crate) fn configure(&mut self, configuration: Arc<Configuration>, membership: Option<Membership>) -> bool {
        let was_suite = self.is_suite;
        let is_new = !Arc::ptr_eq(&self.configuration, &configuration);
        self.configuration = configuration;
        if self.by_path != membership || matches!(self.content, Content::Text(_)) {
            self.by_path = membership;
            self.decide();
        }
        was_suite != self.is_suite || (is_new && self.is_suite)
    }

    /// Decides whether it is a suite, by its text if its path does not decide.
    fn decide(&mut self) {
        self.membership = self.by_path.clone().map(|membership| match &self.content {
            Content::Suite(document) => membership.decided_by(|| document.recognized()),
            Content::Text(text) => membership.decided(text.as_str()),
        });
        self.is_suite = self.is_declared || self.membership == Some(Membership::Suite);
        match &self.content {
            Content::Text(_) if self.is_suite => self.read(),
            Content::Suite(document) if !self.is_suite => self.content = Content::Text(document.text().clone()),
            _ => {}
        }
    }

    /// Applies the changes that lead to `version`. A change with an invalid range is ignored. Returns whether the cases may have other ids.
    pub(crate) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> bool {
        self.version = version;
        let mut changes = changes.into_iter();
        self.alter(|document| change_document(document, &mut changes, encoding));
        if let Content::Text(text) = &mut self.content {
            for change in changes {
                if let Some(span) = span(text, &change, encoding) {
                    text.replace(span, &change.text);
                }
            }
        }
        self.decide();
        let ids = self.document().map(|document| (document.hash_of_ids(), document.is_well_formed()));
        let ids = ids.unwrap_or_default();
        std::mem::replace(&mut self.ids, ids) != ids
    }

    /// Changes the suite, if it is one. If this fails, the text so far stays.
    fn alter(&mut self, alter: impl FnOnce(&mut Document)) {
        let Content::Suite(document) = &mut self.content else { return };
        if catch_unwind(AssertUnwindSafe(|| alter(Arc::make_mut(document)))).is_err() {
            self.content = Content::Text(document.text().clone());
        }
    }

    fn read(&mut self) {
        let Content::Text(text) = &self.content else { return };
        let read = || Document::new(text.clone(), self.path.clone());
        if let Ok(document) = catch_unwind(AssertUnwindSafe(read)) {
            self.content = Content::Suite(Arc::new(document));
        }
    }
}

/// Applies changes to a suite. The text changes first, so it is right even if the rest fails.
fn change_document(
    document: &mut Document,
    changes: &mut impl ExactSizeIterator<Item = TextDocumentContentChangeEvent>,
    encoding: Encoding,
) {
    if changes.len() <= FEW_CHANGES {
        for change in changes {
            if let Some(span) = span(document.text(), &change, encoding) {
                document.edit(span, &change.text);
            }
        }
        return;
    }
    let mut text = document.text().clone();
    for change in changes {
        if let Some(span) = span(&text, &change, encoding) {
            text.replace(span, &change.text);
        }
    }
    document.set_text(text);
}

/// The bytes that a change replaces.
fn span(text: &Text, change: &TextDocumentContentChangeEvent, encoding: Encoding) -> Option<Span> {
    let Some(range) = change.range else { return Some(Span::new(0, text.len())) };
    to_lsp::span(text, range, encoding)
        .inspect_err(|error| log(&format!("ignored an invalid change of a document: {error}")))
        .ok()
}

/// An open suite at one moment, with its configuration: everything that a request needs, unaffected by later changes.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) document: Arc<Document>,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) answers: Arc<Answers>,
    pub(crate) support: Arc<Support>,
    pub(crate) settings: Arc<Settings>,
}

/// When a case started to run; `None` if it is queued.
pub(crate) type Since = Option<Instant>;

impl Snapshot {
    /// The text in the client's terms.
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin { uri: &self.uri, text: self.document.text(), support: &self.support }
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        self.origin().range(span)
    }

    /// The bytes of a range; `None` if it is reversed.
    pub(crate) fn span(&self, range: Range) -> Option<Span> {
        self.origin().span(range)
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, at: Position) -> usize {
        self.origin().offset(at)
    }

    /// Edits of the text, which apply only to this version.
    pub(crate) fn edit<'e>(&self, edits: impl IntoIterator<Item = &'e Edit>) -> WorkspaceEdit {
        workspace_edit(edits, self.version, &self.origin())
    }
}

/// The state of the server at one moment.
pub(crate) struct StatusReport {
    pub(crate) is_trusted: bool,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) documents: Vec<DocumentStatus>,
    /// The memory for the answers of all suites, in bytes.
    pub(crate) memory: u64,
    /// The number of running and queued cases.
    pub(crate) running: usize,
}

/// The state of an open document.
pub(crate) struct DocumentStatus {
    pub(crate) uri: Uri,
    pub(crate) configuration: Arc<Configuration>,
    /// The selected target.
    pub(crate) target: String,
    /// Why it is a suite, or not.
    pub(crate) why: String,
    pub(crate) suite: Option<Snapshot>,
    /// The memory for its answers.
    pub(crate) memory: Memory,
}

#[cfg(test)]
mod tests;
