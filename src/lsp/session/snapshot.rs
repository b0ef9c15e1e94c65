//! The identity of a file at one moment, to notice cheaply that it has changed.
//!
//! The server's state, as the status page shows it.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use ls_types::Uri;

use crate::analysis::{Answers, Document, Workspace};
use crate::config::Config;
use crate::lsp::client::settings::Settings;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp::Origin;
use crate::lsp::session::transcripts::Memory;
use crate::text::Text;

/// An open suite at one moment, with its configuration: everything that a request needs, unaffected by later changes.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Snapshot {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) version: i32,
    pub(in crate::lsp) document: Arc<Document>,
    pub(in crate::lsp) workspace: Arc<Workspace>,
    pub(in crate::lsp) answers: Arc<Answers>,
    pub(in crate::lsp) support: Arc<Support>,
    pub(in crate::lsp) settings: Arc<Settings>,
}

/// When a case started to run; `None` if it is queued.
pub(in crate::lsp) type Since = Option<Instant>;

/// The `eval-ls.toml` of a suite, as it was read.
pub(in crate::lsp) struct ConfigText {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) text: Text,
}

/// An open `eval-ls.toml` at one moment, saved or not.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct OpenConfiguration {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) version: i32,
    pub(in crate::lsp) text: Text,
    pub(in crate::lsp) support: Arc<Support>,
}

impl OpenConfiguration {
    /// It with the URI that the client uses.
    pub(in crate::lsp) fn origin(&self) -> Origin<'_> {
        Origin { uri: &self.uri, text: &self.text, support: &self.support }
    }
}

impl Snapshot {
    /// Whether nothing is written yet. A new file is not a mistake of the person who opens it.
    pub(in crate::lsp) fn is_blank(&self) -> bool {
        self.document.text().as_str().trim().is_empty()
    }

    /// It with the URI that the client uses.
    pub(in crate::lsp) fn origin(&self) -> Origin<'_> {
        Origin { uri: &self.uri, text: self.document.text(), support: &self.support }
    }
}

/// See the module's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lsp) struct Stamp {
    /// In bytes.
    pub(in crate::lsp) length: u64,
    /// When the file was written; `None` if the file system does not record it.
    pub(in crate::lsp) modified: Option<SystemTime>,
    identity: u64,
}

impl Stamp {
    /// The identity of the file with this metadata.
    pub(in crate::lsp) fn of(metadata: &Metadata) -> Self {
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) }
    }

    /// The identity of a file; `None` if it cannot be looked at.
    pub(in crate::lsp) fn of_file(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
    }
}

/// A file that is replaced as a whole is a different file afterwards.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> u64 {
    0
}

/// The state of the server at one moment.
pub(in crate::lsp) struct StatusReport {
    pub(in crate::lsp) is_trusted: bool,
    pub(in crate::lsp) folders: Vec<PathBuf>,
    pub(in crate::lsp) documents: Vec<DocumentStatus>,
    /// The memory for the answers of all suites, in bytes.
    pub(in crate::lsp) memory: u64,
    /// The number of running and queued cases.
    pub(in crate::lsp) running: usize,
}

/// The state of an open document.
pub(in crate::lsp) struct DocumentStatus {
    pub(in crate::lsp) uri: Uri,
    /// The path of its `eval-ls.toml`, if there is one, and the number of errors in it.
    pub(in crate::lsp) config_path: Option<PathBuf>,
    pub(in crate::lsp) error_count: usize,
    pub(in crate::lsp) config: Arc<Config>,
    /// The selected target.
    pub(in crate::lsp) target: String,
    /// Why it is a suite, or not.
    pub(in crate::lsp) why: String,
    pub(in crate::lsp) suite: Option<Snapshot>,
    /// The memory for its answers.
    pub(in crate::lsp) memory: Memory,
}
