//! What a request sees of the session: an open suite at one moment, and the state as the status page shows it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use ls_types::{Position, Range, Uri, WorkspaceEdit};

use crate::analysis::{Answers, Document, Workspace};
use crate::config::Config;
use crate::diagnostic::Edit;
use crate::lsp::client::settings::Settings;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp::Origin;
use crate::lsp::convert::workspace_edit::workspace_edit;
use crate::lsp::session::transcripts::Memory;
use crate::text::{Span, Text};

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

/// The `eval-ls.toml` of a suite, as it was read.
pub(crate) struct ConfigText {
    pub(crate) uri: Uri,
    pub(crate) text: Text,
}

/// An open `eval-ls.toml` at one moment, saved or not.
#[derive(Clone, Debug)]
pub(crate) struct OpenConfiguration {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Text,
    pub(crate) support: Arc<Support>,
}

impl OpenConfiguration {
    /// Its text in the client's terms.
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin { uri: &self.uri, text: &self.text, support: &self.support }
    }
}

impl Snapshot {
    /// Whether nothing is written yet. A new file is not a mistake of the person who opens it.
    pub(crate) fn is_blank(&self) -> bool {
        self.document.text().as_str().trim().is_empty()
    }

    /// Its text in the client's terms.
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

    /// These edits of its text, which apply only to this version.
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
    /// The path of its `eval-ls.toml`, if there is one, and the number of errors in it.
    pub(crate) config_path: Option<PathBuf>,
    pub(crate) error_count: usize,
    pub(crate) config: Arc<Config>,
    /// The selected target.
    pub(crate) target: String,
    /// Why it is a suite, or not.
    pub(crate) why: String,
    pub(crate) suite: Option<Snapshot>,
    /// The memory for its answers.
    pub(crate) memory: Memory,
}
