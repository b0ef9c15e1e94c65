//! The commit and the branch of a folder, read from `.git`. git is never started.

mod head;

pub(crate) use head::{Head, head, root};
