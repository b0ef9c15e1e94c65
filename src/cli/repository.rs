//! Paths as a site shows them that reads annotations and SARIF: they count from the root of the repository.

use std::path::{Path, PathBuf};

use crate::files::below;
use crate::git;
use crate::report::findings::Checked;
use crate::workspace::absolute;

/// The repository that a command runs in.
pub(super) struct Repository {
    root: Option<PathBuf>,
}

impl Repository {
    /// The repository at `GITHUB_WORKSPACE`, else that of git around the current folder.
    pub(super) fn current() -> Repository {
        let given = std::env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from);
        Repository { root: given.or_else(|| git::root(&absolute(Path::new(".")))) }
    }

    /// The path from the root, with `/`; as it is if it is not below the root.
    pub(super) fn path_of(&self, path: &str) -> String {
        let absolute = absolute(Path::new(path));
        let below = self.root.as_ref().and_then(|root| {
            // One of the two may go through a link.
            let behind_links = || below(&absolute.canonicalize().ok()?, &root.canonicalize().ok()?);
            below(&absolute, root).or_else(behind_links)
        });
        below.unwrap_or_else(|| path.to_owned())
    }

    /// Names the files by their paths from the root. Standard input keeps its name.
    pub(super) fn rename(&self, files: &mut [Checked]) {
        for file in files.iter_mut().filter(|file| file.name != STDIN) {
            file.name = self.path_of(&file.name);
        }
    }
}

/// The name of standard input without a file name.
pub(super) const STDIN: &str = "<stdin>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("apps/chat/a.evals.json");
        std::fs::create_dir_all(suite.parent().unwrap()).unwrap();
        std::fs::write(&suite, "{}").unwrap();
        let path = |path: &Path, root: Option<&Path>| {
            let repository = Repository { root: root.map(Path::to_owned) };
            repository.path_of(path.to_str().unwrap())
        };
        assert_eq!(path(&suite, Some(folder.path())), "apps/chat/a.evals.json");
        assert_eq!(path(Path::new("a.json"), Some(folder.path())), "a.json");
        assert_eq!(path(Path::new("a.json"), None), "a.json");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path().join("apps"), &link).unwrap();
            assert_eq!(path(&link.join("chat/a.evals.json"), Some(&folder.path().join("apps"))), "chat/a.evals.json");
        }
    }
}
