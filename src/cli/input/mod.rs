//! The suites that a command uses, their content, and the configuration that applies to each.

mod find;
mod foreign;
mod shared;
mod source;
mod suite;
mod workspaces;
mod write;

pub(crate) use find::{find, no_suites};
pub(crate) use foreign::syntax_of;
pub(crate) use shared::SharedFolders;
pub(crate) use source::{Contents, Input, ReadError};
pub(crate) use suite::{Warning, WithErrors, read_suite, show};
pub(crate) use workspaces::Workspaces;
pub(crate) use write::{WriteError, write_back};

use std::path::Path;

/// Returns the path relative to the current folder if it is below it.
pub(crate) fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}
