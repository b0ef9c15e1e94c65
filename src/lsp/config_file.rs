//! The `eval-ls.toml` of a suite, as a text to edit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tower_lsp_server::ls_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::configurations::Configuration;
use super::support::Support;
use super::{to_lsp, uris};
use crate::config::CONFIG_FILE;
use crate::diagnostic::Edit;
use crate::seen::Place;
use crate::text::Text;

/// See the module's page.
#[derive(Debug)]
pub(super) struct ConfigFile {
    uri: Uri,
    text: Text,
    /// Where it is open, the version of the text; else the text is that on disk.
    version: Option<i32>,
    /// Whether there is one; else it is to be made.
    exists: bool,
}

impl ConfigFile {
    /// The file of a configuration, on disk; or the one that would hold for its suites, in the innermost of the `folders`
    /// that they are in, else in their own. `None` where it is there and cannot be read.
    pub(super) fn of(configuration: &Configuration, folders: &[PathBuf]) -> Option<Self> {
        let (folder, exists) = match configuration.place()? {
            Place::Workspace(root) => (root.as_path(), true),
            Place::Folder(folder) => (innermost(folders, folder).unwrap_or(folder), false),
        };
        let is_unreadable = exists && configuration.text().is_empty() && !configuration.findings().is_empty();
        let uri = uris::from_path(&folder.join(CONFIG_FILE)).filter(|_| !is_unreadable)?;
        Some(ConfigFile { uri, text: Text::new(configuration.text()), version: None, exists })
    }

    /// The same as it is open in the editor.
    pub(super) fn opened(self, uri: Uri, text: &Text, version: i32) -> Self {
        ConfigFile { uri, text: text.clone(), version: Some(version), exists: true }
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(super) fn text(&self) -> &Text {
        &self.text
    }

    /// The edits as an edit of the workspace; `None` where the client cannot make the file that is to be edited.
    pub(super) fn workspace_edit(&self, edits: &[Edit], support: &Support) -> Option<WorkspaceEdit> {
        let edits: Vec<TextEdit> =
            edits.iter().map(|edit| to_lsp::text_edit(edit, &self.text, support.encoding)).collect();
        let uri = self.uri.clone();
        if !support.versioned_edits {
            return self.exists.then(|| WorkspaceEdit::new(HashMap::from([(uri, edits)])));
        }
        let edit = TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: self.version },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        };
        let changes = if self.exists {
            DocumentChanges::Edits(vec![edit])
        } else if support.creates_files {
            let options = CreateFileOptions { ignore_if_exists: Some(true), overwrite: None };
            let create = CreateFile { uri, options: Some(options), annotation_id: None };
            let create = DocumentChangeOperation::Op(ResourceOp::Create(create));
            DocumentChanges::Operations(vec![create, DocumentChangeOperation::Edit(edit)])
        } else {
            return None;
        };
        Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
    }
}

fn innermost<'a>(folders: &'a [PathBuf], path: &Path) -> Option<&'a Path> {
    let around = folders.iter().filter(|folder| path.starts_with(folder));
    around.max_by_key(|folder| folder.as_os_str().len()).map(PathBuf::as_path)
}
