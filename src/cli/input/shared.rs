//! Suites whose transcripts are in one folder.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::transcript::Store;
use crate::workspace::absolute;

use super::Input;

/// The suite whose transcripts are in each folder.
#[derive(Default)]
pub(crate) struct SharedFolders {
    suites: HashMap<PathBuf, String>,
}

impl SharedFolders {
    /// Adds a suite. Returns a message if an earlier suite has its transcripts in the same folder, because a case of one then
    /// has the answer of the case of the other with the same id.
    pub(crate) fn add(&mut self, input: &Input, config: &Config) -> Option<String> {
        let Input::File(path) = input else { return None };
        let folder = plain(Store::new(&absolute(path), config).folder());
        let Some(other) = self.suites.get(&folder) else {
            self.suites.insert(folder, input.name());
            return None;
        };
        Some(format!(
            "the transcripts of this suite and of {} are in one folder; rename one of the suites, or change `[run] transcripts`",
            quoted(other)
        ))
    }
}

/// The path without `..`. The folder need not exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}
