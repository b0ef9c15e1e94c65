//! Suites that are renamed or moved in the client: their transcripts move along (`workspace/willRenameFiles`).

use std::path::PathBuf;

use ls_types::WorkspaceEdit;

use crate::diagnostic::quoted;
use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::transcript::Store;

/// The transcripts of a suite that is renamed.
#[derive(Debug)]
pub(in crate::lsp) struct Moved {
    /// The folder of its transcripts.
    from: PathBuf,
    /// The folder in which they are looked for after the rename.
    to: PathBuf,
}

impl Moved {
    /// Returns the transcripts that have to move; `None` if there are none, or if others have their place.
    pub(in crate::lsp) fn between(from: &Store, to: &Store) -> Option<Self> {
        let is_inside = from.is_inside() && to.is_inside();
        let (from, to) = (from.folder().to_owned(), to.folder().to_owned());
        (is_inside && from != to && from.is_dir() && !to.exists()).then_some(Self { from, to })
    }

    /// Returns a message for a client that cannot rename the folder itself.
    pub(in crate::lsp) fn message(&self) -> String {
        let [from, to] = [&self.from, &self.to].map(|path| quoted(&path.display().to_string()));
        format!("the transcripts are still in {from}; rename the folder to {to}")
    }
}

/// Returns the edit that renames the folders; `None` if there are none.
pub(in crate::lsp) fn edit(moved: &[Moved], support: &Support) -> Option<WorkspaceEdit> {
    let mut changes = Changes::new(support);
    for Moved { from, to } in moved {
        changes.rename(uris::from_path(from)?, uris::from_path(to)?);
    }
    (!moved.is_empty() && support.renames_files).then(|| changes.finish())
}
