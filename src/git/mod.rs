//! What git knows about a folder: the state of its repository, and files at a revision.
//!
//! git runs without the hooks, the file-system monitor and the prompts that a repository can configure. If there is no git
//! or no repository, there is no state, which is not an error.

mod command;
mod root;

pub(crate) use command::{GitError, State, file_at, state};
pub(crate) use root::root;
