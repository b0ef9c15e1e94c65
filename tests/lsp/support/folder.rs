//! A folder of a workspace on disk, for the duration of a test.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

/// See the module's page.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// Creates a folder with these files: names with `/` between folders, and contents.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder { folder: tempfile::tempdir().expect("a temporary folder can be made") };
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    /// Writes a file of any bytes.
    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        let parent = path.parent().expect("a file is in a folder");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes)).expect("the file can be written");
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("the file can be removed");
    }

    /// Returns the URI of one of its files, which may be missing.
    pub(crate) fn uri(&self, name: &str) -> String {
        uri(&self.path(name))
    }

    /// Returns it as a workspace folder of a client.
    pub(crate) fn workspace_folder(&self) -> Value {
        json!({ "uri": uri(self.folder.path()), "name": "a folder" })
    }

    /// Returns the path of one of its files, which may be missing.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Only for paths without characters that a URI escapes.
fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
