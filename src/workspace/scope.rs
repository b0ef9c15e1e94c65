use std::path::{Path, PathBuf};

use crate::config::CONFIG_FILE;
use crate::git;

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
