use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::{Console, Status};
use crate::config::CONFIG_FILE;

use super::walk::suites_in;
use super::workspaces::absolute;
use super::{Input, Workspaces};

/// What a command is about.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The suites, each once, in the order in which they were named.
    pub(crate) inputs: Vec<Input>,
    /// What kept others from being found: lower-case fragments.
    pub(crate) faults: Vec<String>,
    /// The folders that were named and hold no suite.
    pub(crate) empty: Vec<PathBuf>,
}

impl Found {
    /// Whether there is nothing, and nothing that was hidden from view.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.faults.is_empty()
    }

    /// Tells the person what was not found. The answer is what that alone makes of the exit status.
    pub(crate) fn complain(&self, console: &mut Console) -> Status {
        for fault in &self.faults {
            console.complain(fault);
        }
        for folder in &self.empty {
            let folder = folder.display();
            console.complain(format_args!(
                "there is no suite in `{folder}`; `[files]` in {CONFIG_FILE} says which files are"
            ));
        }
        if self.faults.is_empty() && self.empty.is_empty() { Status::Passed } else { Status::Unusable }
    }
}

/// The suites that the paths of a command line mean: every file named, in a folder those that `[files]` takes, and for `-`
/// standard input, which stands for the file `stdin_filename`. The configurations that hold for them are loaded.
pub(crate) fn find(paths: &[PathBuf], stdin_filename: Option<&Path>, workspaces: &Arc<Workspaces>) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for path in paths {
        if path == OsStr::new("-") {
            let input = Input::Stdin(stdin_filename.map(Path::to_owned));
            workspaces.of_file(stdin_filename.unwrap_or(Path::new("-")));
            if !found.inputs.contains(&input) {
                found.inputs.push(input);
            }
        } else if path.is_dir() {
            workspaces.of_folder(&absolute(path));
            let (suites, faults) = suites_in(path, workspaces);
            if suites.is_empty() && faults.is_empty() {
                found.empty.push(path.clone());
            }
            found.faults.extend(faults.iter().map(|fault| format!("cannot look into a folder: {fault}")));
            found.inputs.extend(suites.into_iter().filter(|path| seen.insert(absolute(path))).map(Input::File));
        } else {
            workspaces.of_file(path);
            // The configuration itself is checked whenever it holds for what is named.
            let is_config = path.file_name() == Some(OsStr::new(CONFIG_FILE)) && path.is_file();
            if !is_config && seen.insert(absolute(path)) {
                found.inputs.push(Input::File(path.clone()));
            }
        }
    }
    found
}
