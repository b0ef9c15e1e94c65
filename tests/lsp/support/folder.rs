//! A folder of a workspace, on disk, for as long as a test runs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

/// See the module's page.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// A folder with these files: their names, `/` between folders, and what is in them.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder { folder: tempfile::tempdir().expect("a temporary folder can be made") };
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    /// Writes a file that need not be text.
    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        let parent = path.parent().expect("a file is in a folder");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes)).expect("the file can be written");
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("the file can be removed");
    }

    /// The URI of one of its files, which need not be there.
    pub(crate) fn uri(&self, name: &str) -> String {
        uri(&self.path(name))
    }

    /// It as a client names it among its workspace folders.
    pub(crate) fn workspace_folder(&self) -> Value {
        json!({ "uri": uri(self.folder.path()), "name": "a folder" })
    }

    /// The path of one of its files, which need not be there.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Only for paths that mean in a URI what they do elsewhere.
fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
