use std::collections::VecDeque;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::membership::is_entered;
use super::{FileRules, Membership, membership};
use crate::files::Reader;

/// The suites below a folder, and what could not be read.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Absolute paths; those in nearer folders come first, and then by name.
    pub(crate) suites: Vec<PathBuf>,
    /// Files that may be suites by their names, and are not by their content.
    pub(crate) others: Vec<PathBuf>,
    /// Links to files that the reader may not read, which have the names of suites.
    pub(crate) linked_out: Vec<PathBuf>,
    /// Folders and files that could not be read, and why.
    pub(crate) faults: Vec<(PathBuf, io::Error)>,
}

/// A search for suites. It does not follow links to folders; `.gitignore` and leading dots do not matter.
pub(crate) struct Search<'a> {
    /// The folders that are opened in an editor or named on a command line; see [`membership()`].
    pub(crate) opened: &'a [PathBuf],
    /// The rules that apply in a folder.
    pub(crate) rules_in: &'a mut dyn FnMut(&Path) -> FileRules,
    /// Whether to enter a folder at all, beside what the rules say.
    pub(crate) enters: &'a dyn Fn(&Path) -> bool,
    /// Which files are read. Links to others are not followed.
    pub(crate) reader: &'a Reader,
    /// The number of entries of folders after which the search ends.
    pub(crate) max_entries: usize,
}

impl Search<'_> {
    /// The suites in `folder`, which is absolute, and in the folders below it.
    pub(crate) fn below(&mut self, folder: &Path) -> Found {
        let mut found = Found::default();
        let mut folders = VecDeque::from([folder.to_owned()]);
        while let Some(folder) = folders.pop_front() {
            let entries = match self.entries(&folder) {
                Ok(entries) => entries,
                Err(source) => {
                    found.faults.push((folder, source));
                    continue;
                }
            };
            for entry in entries {
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                if kind.is_dir() {
                    if (self.enters)(&path) && is_entered(&path, self.opened, self.rules_in) {
                        folders.push_back(path);
                    }
                    continue;
                }
                let membership = membership(&path, self.opened, self.rules_in);
                if !membership.may_be_suite() {
                    continue;
                }
                match path.metadata() {
                    Ok(metadata) if metadata.is_dir() => {}
                    Ok(metadata) if !metadata.is_file() => {
                        found.faults.push((path, io::Error::other("it is not a file")));
                    }
                    Ok(_) if kind.is_symlink() && !self.reader.admits(&path) => found.linked_out.push(path),
                    Ok(_) if membership.on_disk(&path) == Membership::Suite => found.suites.push(path),
                    Ok(_) => found.others.push(path),
                    Err(source) => found.faults.push((path, source)),
                }
            }
        }
        found
    }

    /// The entries of a folder by name, as many as are left to look at.
    fn entries(&mut self, folder: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = fs::read_dir(folder)?.take(self.max_entries).collect::<io::Result<Vec<_>>>()?;
        self.max_entries -= entries.len();
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    }
}
