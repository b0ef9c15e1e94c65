//! Edits, creations and renamings of files as one workspace edit.

use std::collections::HashMap;

use ls_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, RenameFile, RenameFileOptions, ResourceOp, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::diagnostic::Edit;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp::{Origin, range};
use crate::text::{Encoding, Text};

/// The parts of a workspace edit, in order.
#[derive(Debug)]
pub(crate) struct Changes<'a> {
    support: &'a Support,
    texts: Vec<(Uri, Vec<TextEdit>)>,
    operations: Vec<DocumentChangeOperation>,
    /// Whether files are created or renamed.
    has_file_operations: bool,
}

impl<'a> Changes<'a> {
    /// Creates an empty edit.
    pub(crate) fn new(support: &'a Support) -> Self {
        Changes { support, texts: Vec::new(), operations: Vec::new(), has_file_operations: false }
    }

    /// Edits a text; `version` is that of an open document, otherwise the text is that on disk.
    pub(crate) fn edit(&mut self, uri: Uri, version: Option<i32>, text: &Text, edits: &[Edit]) {
        if !edits.is_empty() {
            self.add(uri, version, edits.iter().map(|edit| text_edit(edit, text, self.support.encoding)).collect());
        }
    }

    fn add(&mut self, uri: Uri, version: Option<i32>, edits: Vec<TextEdit>) {
        self.operations.push(DocumentChangeOperation::Edit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version },
            edits: edits.iter().cloned().map(OneOf::Left).collect(),
        }));
        self.texts.push((uri, edits));
    }

    /// Creates an empty file if it does not exist; only for a client that supports it.
    pub(crate) fn create(&mut self, uri: Uri) {
        let options = CreateFileOptions { ignore_if_exists: Some(true), overwrite: None };
        self.operate(ResourceOp::Create(CreateFile { uri, options: Some(options), annotation_id: None }));
    }

    /// Renames a file; only for a client that supports it.
    pub(crate) fn rename(&mut self, old_uri: Uri, new_uri: Uri) {
        let options = RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        self.operate(ResourceOp::Rename(RenameFile { old_uri, new_uri, options: Some(options), annotation_id: None }));
    }

    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Returns the workspace edit in the form that the client supports.
    pub(crate) fn finish(self) -> WorkspaceEdit {
        if !self.support.versioned_edits && !self.has_file_operations {
            return WorkspaceEdit::new(self.texts.into_iter().collect::<HashMap<_, _>>());
        }
        let changes = if self.has_file_operations {
            DocumentChanges::Operations(self.operations)
        } else {
            let edits = self.operations.into_iter().filter_map(|operation| match operation {
                DocumentChangeOperation::Edit(edit) => Some(edit),
                DocumentChangeOperation::Op(_) => None,
            });
            DocumentChanges::Edits(edits.collect())
        };
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    }

    fn operate(&mut self, operation: ResourceOp) {
        self.has_file_operations = true;
        self.operations.push(DocumentChangeOperation::Op(operation));
    }
}

/// Edits of one document that apply only to the given version.
pub(crate) fn workspace_edit<'e>(
    edits: impl IntoIterator<Item = &'e Edit>,
    version: i32,
    origin: &Origin<'_>,
) -> WorkspaceEdit {
    let edits = edits.into_iter().map(|edit| text_edit(edit, origin.text, origin.support.encoding));
    let mut changes = Changes::new(origin.support);
    changes.add(origin.uri.clone(), Some(version), edits.collect());
    changes.finish()
}

/// An edit of a text.
pub(crate) fn text_edit(edit: &Edit, text: &Text, encoding: Encoding) -> TextEdit {
    TextEdit { range: range(text, edit.span, encoding), new_text: edit.text.clone() }
}
