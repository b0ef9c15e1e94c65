//! The identity of a file at one moment, to notice cheaply that it has changed.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::SystemTime;

/// See the module's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lsp) struct Stamp {
    /// In bytes.
    pub(in crate::lsp) length: u64,
    /// When the file was written; `None` if the file system does not record it.
    pub(in crate::lsp) modified: Option<SystemTime>,
    identity: u64,
}

impl Stamp {
    /// The identity of the file with this metadata.
    pub(in crate::lsp) fn of(metadata: &Metadata) -> Self {
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) }
    }

    /// The identity of a file; `None` if it cannot be looked at.
    pub(in crate::lsp) fn of_file(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
    }
}

/// A file that is replaced as a whole is a different file afterwards.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> u64 {
    0
}
