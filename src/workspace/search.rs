use std::collections::VecDeque;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use crate::config::CONFIG_FILE;
use crate::files::Reader;
use crate::git;

use super::membership::is_entered;
use super::{FileRules, Membership, membership};

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

/// The files that belong with a suite: other suites, the transcripts of all of them, and the targets' telemetry logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Those in the folder of an `eval-ls.toml` and below it, except below another `eval-ls.toml`.
    Configured(PathBuf),
    /// Those in the suite's folder, to which no `eval-ls.toml` applies.
    Unconfigured(PathBuf),
}

/// The folder out of which no link in `folder`, which is absolute, is followed: the root of the git repository, else that of the
/// workspace.
pub(crate) fn boundary_of(folder: &Path) -> PathBuf {
    git::root(folder).unwrap_or_else(|| Scope::of_folder(folder).folder().to_owned())
}

impl Scope {
    /// The scope of the files in `folder`, which is absolute. In a git repository, an `eval-ls.toml` above its root does not apply:
    /// it may be the work of anybody who can write there.
    pub(crate) fn of_folder(folder: &Path) -> Scope {
        // A folder, a pipe and a link that leads nowhere count: the file cannot be read, which is reported.
        let is_configured = |folder: &&Path| folder.join(CONFIG_FILE).symlink_metadata().is_ok();
        let repository = git::root(folder);
        let is_inside = |folder: &&Path| repository.as_ref().is_none_or(|root| folder.starts_with(root));
        match folder.ancestors().take_while(is_inside).find(is_configured) {
            Some(root) => Scope::Configured(root.to_owned()),
            None => Scope::Unconfigured(folder.to_owned()),
        }
    }

    /// The scope of a suite at an absolute path.
    pub(crate) fn of_file(path: &Path) -> Scope {
        Scope::of_folder(path.parent().unwrap_or(path))
    }

    /// The folder in which it starts.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Scope::Configured(folder) | Scope::Unconfigured(folder) => folder,
        }
    }

    /// The folder of `eval-ls.toml`, if there is one.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Scope::Configured(root) => Some(root),
            Scope::Unconfigured(_) => None,
        }
    }

    /// The `eval-ls.toml`, if there is one.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        self.root().map(|root| root.join(CONFIG_FILE))
    }
}
