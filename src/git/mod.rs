//! The commit and the branch of a folder, read from `.git`. git is never started.

mod head;
#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "starts git")]
mod testing;

pub(crate) use head::root;
pub(crate) use head::{Head, head};
