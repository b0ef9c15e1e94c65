//! Reads of files with a limit, and atomic writes: after a crash of the program or the machine, a file has its old contents or its new contents, never a
//! part of them.

mod atomic;
mod read;

pub(crate) use atomic::{
    FileError, create, create_folder, create_private, exists, lock, remove_drafts, replace, replace_private, rewrite,
    sync_folder,
};
pub(crate) use read::read;
