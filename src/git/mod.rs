//! The commit and the branch of a folder, read from `.git`. git is never started.

mod head;
mod root;
#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "starts git")]
mod testing;

pub(crate) use head::{Head, head};
pub(crate) use root::root;
