//! The `eval-ls.toml` of a suite, as a text to edit.

use std::path::{Path, PathBuf};

use ls_types::{Uri, WorkspaceEdit};

use crate::config::CONFIG_FILE;
use crate::diagnostic::Edit;
use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::configurations::Configuration;
use crate::text::Text;
use crate::workspace::{Scope, innermost};

/// See the module's page.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct ConfigFile {
    uri: Uri,
    text: Text,
    /// The version of the text if it is open; otherwise the text is that on disk.
    version: Option<i32>,
    /// Whether the file exists; otherwise it must be created.
    exists: bool,
}

impl ConfigFile {
    /// Returns the file of a configuration on disk. If there is none, returns a new one for its suites: in the
    /// innermost of the `folders` that contains them, otherwise in their folder. `None` if the file cannot be read.
    pub(in crate::lsp) fn of(configuration: &Configuration, folders: &[PathBuf]) -> Option<Self> {
        let (folder, exists) = match configuration.scope()? {
            Scope::Configured(root) => (root, true),
            Scope::Unconfigured(folder) => (innermost(folder, folders).unwrap_or(folder), false),
        };
        let is_unreadable = exists && configuration.text().is_empty() && configuration.errors().next().is_some();
        let uri = uris::from_path(&folder.join(CONFIG_FILE)).filter(|_| !is_unreadable)?;
        Some(ConfigFile { uri, text: Text::new(configuration.text()), version: None, exists })
    }

    /// Returns the file with its text in the editor.
    pub(in crate::lsp) fn opened(self, uri: Uri, text: &Text, version: i32) -> Self {
        ConfigFile { uri, text: text.clone(), version: Some(version), exists: true }
    }

    pub(in crate::lsp) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The version of the text if it is open.
    pub(in crate::lsp) fn version(&self) -> Option<i32> {
        self.version
    }

    pub(in crate::lsp) fn text(&self) -> &Text {
        &self.text
    }

    /// Returns the edits as a workspace edit; `None` if the file does not exist and the client cannot create it.
    pub(in crate::lsp) fn workspace_edit(&self, edits: &[Edit], support: &Support) -> Option<WorkspaceEdit> {
        if !self.exists && !support.creates_files {
            return None;
        }
        let mut changes = Changes::new(support);
        if !self.exists {
            changes.create(self.uri.clone());
        }
        changes.edit(self.uri.clone(), self.version, &self.text, edits);
        Some(changes.finish())
    }

    /// The path of a file below its folder, with `/` between the parts.
    pub(in crate::lsp) fn relative(&self, path: &Path) -> Option<String> {
        let parts = path.strip_prefix(self.path()?.parent()?).ok()?.components();
        Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    }

    /// Its path.
    pub(in crate::lsp) fn path(&self) -> Option<PathBuf> {
        uris::to_path(&self.uri)
    }
}
