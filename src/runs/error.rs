use std::io;
use std::path::{Path, PathBuf};

use crate::files::FileError;

use super::RunId;

/// Why a kept run could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// What was tried: a verb such as `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file could not be written as a whole.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not the record of a run.
    #[error("`{}` is not the record of a run: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// A lower-case fragment.
        reason: String,
    },
    /// The file is not a baseline.
    #[error("`{}` is not a baseline: {reason}", path.display())]
    NoBaseline {
        /// The file.
        path: PathBuf,
        /// A lower-case fragment.
        reason: String,
    },
    /// The lines of a run that ended are not those that were written.
    #[error("cannot read `{}`: its lines were changed after they were written; run the cases again", .0.display())]
    Changed(PathBuf),
    /// The runs are not those of the workspace.
    #[error("`{}` is outside of the workspace, so no run is removed there; name the folder above it with `--results`", .0.display())]
    Outside(PathBuf),
    /// The run continues in another process.
    #[error("the run {0} is still running")]
    Running(RunId),
}

impl RunError {
    /// The closure that turns an error of the system into this error.
    pub(super) fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunError {
        let path = path.to_owned();
        move |source| RunError::System { action, path, source }
    }

    /// Whether a file is over a limit.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, RunError::System { source, .. } if source.kind() == io::ErrorKind::FileTooLarge)
    }

    /// Whether a file does not exist: another process may have removed the run.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self, RunError::System { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn invalid(path: &Path, reason: impl ToString) -> RunError {
        RunError::Invalid { path: path.to_owned(), reason: reason.to_string() }
    }
}
