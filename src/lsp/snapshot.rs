use std::sync::Arc;

use tower_lsp_server::ls_types::Uri;

use super::settings::Settings;
use super::support::Support;
use super::to_lsp::Origin;
use crate::analysis::{Answers, Document, Workspace};
use crate::diagnostic::Finding;

/// An open suite as it is at one moment, and what holds for it: all that a request needs, whatever happens meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) document: Arc<Document>,
    pub(super) workspace: Arc<Workspace>,
    pub(super) answers: Arc<Answers>,
    pub(super) support: Arc<Support>,
    pub(super) settings: Arc<Settings>,
}

impl Snapshot {
    /// What is wrong in it.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.document.findings(&self.workspace)
    }

    /// It as the client knows it.
    pub(super) fn origin(&self) -> Origin<'_> {
        Origin { uri: &self.uri, text: self.document.text(), support: &self.support }
    }
}
