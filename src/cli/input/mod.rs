//! Which suites a command is about, what is in them, and the configuration that holds for each.

mod find;
mod source;
mod walk;
mod workspaces;

pub(crate) use find::find;
pub(crate) use source::{Contents, Input, ReadError};
pub(crate) use workspaces::{Surroundings, Workspaces};
