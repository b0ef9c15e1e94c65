//! The folders of a workspace as the editor uses them. A workspace may come from anybody, so files outside of it are neither read
//! nor written, even if a link leads there.

use std::path::Path;

use crate::config::Config;
use crate::runs::Runs;
use crate::transcript::Store;
use crate::workspace::Scope;

use super::transcripts::{MAX_ANSWER_MEMORY, MAX_BYTES};

/// The transcripts of the suite at `path`.
pub(crate) fn store(path: &Path, config: &Config) -> Store {
    Store::new(path, config).within(Scope::of_file(path).folder(), MAX_BYTES)
}

/// The kept runs of the workspace at `root`, see [`root_of`](crate::workspace::root_of).
pub(crate) fn runs(root: &Path, config: &Config) -> Runs {
    Runs::of_workspace(root, config).within(root, MAX_BYTES, MAX_ANSWER_MEMORY)
}
