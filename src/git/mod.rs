//! What git knows about a folder: the commit and the branch, which are read from `.git`; whether files differ from the commit,
//! and files at a revision, for which git is started.
//!
//! git takes its configuration from the repository, which may be anybody's. So it is started on the repository that was found
//! and on no other, without hooks, monitors, prompts, fetches and the environment of this program. If there is no git or no
//! repository, there is no state, which is not an error.

#[cfg(feature = "program")]
mod command;
mod head;
mod root;
#[cfg(test)]
mod testing;

#[cfg(feature = "program")]
pub(crate) use command::{GitError, file_at, is_dirty};
pub(crate) use head::{Head, head};
pub(crate) use root::root;
