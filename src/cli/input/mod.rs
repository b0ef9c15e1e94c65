//! Which suites a command is about, what is in them, and the configuration that holds for each.

mod find;
mod source;
mod workspaces;

pub(crate) use find::find;
pub(crate) use source::{Contents, Input, ReadError};
pub(crate) use workspaces::Workspaces;

use std::path::Path;

/// The path as seen from the current folder, where it is below.
pub(crate) fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}
