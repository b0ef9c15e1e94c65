//! A workspace: the folder tree under one `eval-ls.toml`. Which configuration applies to a file, and which tools the
//! files of the workspace show.

mod load;
pub mod tools;

pub use load::{LoadError, Workspace, find_config};
