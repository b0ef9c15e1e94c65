//! Fixes that rename the suite's file, with what is stored beside it.

use std::sync::Arc;

use ls_types::WorkspaceEdit;

use crate::diagnostic::Edit;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;

use super::moved_files::{Renamed, follow};

/// The edits of the suite, then the rename of its file to `name` in the same folder. `None` without edits and without a
/// rename: the client cannot rename files, or a file with that name exists.
pub(crate) fn with_rename(
    snapshot: &Snapshot,
    edits: &[Edit],
    name: &str,
    config_file: Option<&ConfigFile>,
) -> Option<WorkspaceEdit> {
    let (document, support) = (&snapshot.document, &snapshot.support);
    let mut changes = Changes::new(support);
    changes.edit(snapshot.uri.clone(), Some(snapshot.version), document.text(), edits);
    let to = document.path().map(|path| (path, path.with_file_name(name)));
    if let Some((path, to)) = to.filter(|(_, to)| support.renames_files && !to.exists()) {
        changes.rename(snapshot.uri.clone(), uris::from_path(&to)?);
        let suite = [path, &to].map(|path| (Arc::clone(snapshot.answers.config()), path.to_owned()));
        let config_file = config_file.cloned();
        follow(&Renamed { from: path.to_owned(), to, suites: vec![suite], config_file }, support, &mut changes);
    }
    (!changes.is_empty()).then(|| changes.finish())
}
