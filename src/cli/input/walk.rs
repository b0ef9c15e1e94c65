use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::{DirEntry, WalkBuilder};

use crate::config::Taken;

use super::Workspaces;
use super::workspaces::{Surroundings, absolute};

/// The suites in a folder and those below, sorted by path; and beside them what could not be looked into.
///
/// `[files]` of the configuration that is nearest to a file says whether it is one; nothing else does, no `.gitignore` and
/// no leading dot. Links to folders are not followed.
pub(super) fn suites_in(folder: &Path, workspaces: &Arc<Workspaces>) -> (Vec<PathBuf>, Vec<ignore::Error>) {
    let rules =
        Arc::new(Rules { named: folder.to_owned(), root: absolute(folder), workspaces: Arc::clone(workspaces) });
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).follow_links(false).sort_by_file_name(Ord::cmp);
    let entered = Arc::clone(&rules);
    walk.filter_entry(move |entry| entered.enters(entry));

    let (mut suites, mut faults) = (Vec::new(), Vec::new());
    for entry in walk.build() {
        match entry {
            Ok(entry) if rules.takes(&entry) => suites.push(tidy(entry.into_path())),
            Ok(_) => {}
            Err(fault) => faults.push(fault),
        }
    }
    (suites, faults)
}

struct Rules {
    /// The folder that is walked, as it was named.
    named: PathBuf,
    /// The same, from the root of the file system.
    root: PathBuf,
    workspaces: Arc<Workspaces>,
}

impl Rules {
    /// Whether a folder may hold suites.
    fn enters(&self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let path = self.absolute(entry);
        match &*self.workspaces.of_folder(path.parent().unwrap_or(&path)) {
            Ok(surroundings) => {
                let files = &surroundings.workspace.config.files;
                relative(&path, self.base(surroundings)).is_none_or(|path| !files.excludes_folder(&path))
            }
            Err(_) => false,
        }
    }

    /// Whether a file is a suite.
    fn takes(&self, entry: &DirEntry) -> bool {
        let is_file = match entry.file_type() {
            Some(kind) if kind.is_symlink() => entry.path().is_file(),
            Some(kind) => kind.is_file(),
            None => false,
        };
        if !is_file {
            return false;
        }
        let path = self.absolute(entry);
        let loaded = self.workspaces.of_folder(path.parent().unwrap_or(&path));
        let Ok(surroundings) = &*loaded else { return false };
        let files = &surroundings.workspace.config.files;
        let taken = |base: &Path| relative(&path, base).map(|path| files.takes(&path) == Taken::Yes);
        let base = self.base(surroundings);
        // Without a configuration nothing says where the workspace starts: `evals/` is one that holds suites also for
        // who stands in it, or names it.
        let outer = base.parent().filter(|_| surroundings.workspace.config_path.is_none());
        match relative(&path, base).map(|path| files.takes(&path) == Taken::NotIncluded) {
            Some(true) => outer.and_then(taken).unwrap_or(false),
            _ => taken(base).unwrap_or(false),
        }
    }

    /// The folder from which the paths of `[files]` count.
    fn base<'a>(&'a self, surroundings: &'a Surroundings) -> &'a Path {
        match surroundings.workspace.config_path {
            Some(_) => &surroundings.workspace.root,
            None => &self.root,
        }
    }

    fn absolute(&self, entry: &DirEntry) -> PathBuf {
        match entry.path().strip_prefix(&self.named) {
            Ok(below) => self.root.join(below),
            Err(_) => absolute(entry.path()),
        }
    }
}

/// `path` from `base`, its parts parted by `/`.
fn relative(path: &Path, base: &Path) -> Option<String> {
    let parts = path.strip_prefix(base).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// The path without the `./` that stands before all that is found in the current folder.
fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
