//! Reads of files with a limit, and atomic writes: after a crash of the program or the machine, a file has its old contents or
//! its new contents, never a part of them.

mod atomic;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod attributes;
mod folder;
mod owner;
mod read;

pub(crate) use atomic::lock;
pub(crate) use atomic::{
    Access, Draft, FileError, create, create_folder, create_with, exists, remove_drafts, replace, replace_all,
    replace_private, replace_with, rewrite, sync_folder,
};
pub(crate) use folder::Folder;
pub(crate) use folder::{below, is_inside, real, resolved, without_dots};
pub(crate) use owner::{foreign, stranger};
pub(crate) use read::{Reader, read};
pub(crate) use read::{is_stream, stream};
