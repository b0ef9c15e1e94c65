//! Folders of transcripts that several suites share, and those outside of the workspace.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::config::CONFIG_FILE;
use crate::diagnostic::quoted;
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, absolute, without_dots};

use super::Input;

/// The suite whose transcripts are in each folder.
#[derive(Default)]
pub(crate) struct SharedFolders {
    suites: HashMap<PathBuf, String>,
}

impl SharedFolders {
    /// Adds a suite. Returns a message if its transcripts are outside of the workspace, and one if an earlier suite has its
    /// transcripts in the same folder, because a case of one then has the answer of the case of the other with the same id.
    pub(crate) fn add(&mut self, input: &Input, loaded: &LoadedConfig) -> Vec<String> {
        let Input::File(path) = input else { return Vec::new() };
        let store = Store::new(&absolute(path), &loaded.config).within(&loaded.root, u64::MAX);
        let folder = without_dots(store.folder());
        let mut messages = Vec::new();
        if !store.is_inside() {
            let folder = quoted(&folder.display().to_string());
            messages.push(format!(
                "the transcripts of this suite are outside of the workspace, in {folder}, so editors neither read nor write them; set \
                 `[run] transcripts` to a folder below that of {CONFIG_FILE}"
            ));
        }
        match self.suites.get(&folder) {
            Some(other) => messages.push(format!(
                "the transcripts of this suite and of {} are in one folder; rename one of the suites, or change `[run] transcripts`",
                quoted(other)
            )),
            None => _ = self.suites.insert(folder, input.name()),
        }
        messages
    }
}
