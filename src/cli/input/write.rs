use std::path::{Path, PathBuf};

use crate::files::{self, FileError};

/// Why a suite could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("`{0}` is a link to a file outside of the folder that was named; to change that file, name it")]
    Outside(String),
}

/// Writes a changed suite. `named` are the files and folders on the command line.
///
/// # Errors
/// If it cannot be written. A file that was found in a folder is written only if it is still in one of these when links are followed.
pub(crate) fn write_back(path: &Path, named: &[PathBuf], text: &str) -> Result<(), WriteError> {
    if named.iter().any(|named| named == path || files::is_inside(path, named)) {
        return Ok(files::rewrite(path, text.as_bytes())?);
    }
    Err(WriteError::Outside(path.display().to_string()))
}
