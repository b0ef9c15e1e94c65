//! The suites that a command uses, their content, and the configuration that applies to each.

mod find;
mod source;
mod suite;
mod workspaces;

use std::path::Path;

pub(crate) use find::{find, no_suites, syntax_of};
pub(crate) use source::{Contents, Input, ReadError, WriteError, write_back};
pub(crate) use suite::{SharedFolders, Warning, WithErrors, read_suite, show};
pub(crate) use workspaces::Workspaces;

/// Returns the path relative to the current folder if it is below it.
pub(crate) fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}
