//! Fixes that rename the suite's file, with the folder of its transcripts.

use ls_types::WorkspaceEdit;

use crate::diagnostic::Edit;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::fence;
use crate::lsp::session::snapshot::Snapshot;

/// The edits of the suite, then the rename of its file to `name` in the same folder. `None` without edits and without a
/// rename: the client cannot rename files, or a file with that name exists.
pub(super) fn with_rename(snapshot: &Snapshot, edits: &[Edit], name: &str) -> Option<WorkspaceEdit> {
    let document = &snapshot.document;
    let mut changes = Changes::new(&snapshot.support);
    changes.edit(snapshot.uri.clone(), Some(snapshot.version), document.text(), edits);
    let to = document.path().map(|path| (path, path.with_file_name(name)));
    let renamed = to.filter(|(_, to)| snapshot.support.renames_files && !to.exists());
    let is_renamed = renamed.as_ref().and_then(|(path, to)| {
        changes.rename(snapshot.uri.clone(), uris::from_path(to)?);
        let config = snapshot.answers.config();
        let (from, to) = (fence::store(path, config), fence::store(to, config));
        if from.is_inside() && to.is_inside() && from.folder().is_dir() && !to.folder().exists() {
            changes.rename(uris::from_path(from.folder())?, uris::from_path(to.folder())?);
        }
        Some(())
    });
    (is_renamed.is_some() || !edits.is_empty()).then(|| changes.finish())
}
