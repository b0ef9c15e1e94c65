use std::sync::Arc;
use std::time::Instant;

use ls_types::Uri;

use crate::analysis::{Answers, Document, Workspace};
use crate::lsp::client::settings::Settings;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp::Origin;
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
