use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::repository::STDIN;
use crate::files::{self, FileError};
use crate::text::Text;
use crate::workspace::{absolute, boundary_of, read_bounded};

/// A suite that a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A file, by the name that was given or found.
    File(PathBuf),
    /// Standard input, and the file name that was given for it.
    Stdin(Option<PathBuf>),
}

/// The content of a suite's file.
#[derive(Debug)]
pub(crate) enum Contents {
    /// Text.
    Text(Text),
    /// Bytes that are not UTF-8.
    NotUtf8 {
        /// All of them.
        bytes: Vec<u8>,
        /// The first byte, from 0, that is not part of a character.
        offset: usize,
    },
}

/// Why a suite could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{name}`: {source}")]
pub(crate) struct ReadError {
    name: String,
    source: io::Error,
}

impl Input {
    /// Returns the name that a command prints.
    pub(crate) fn name(&self) -> String {
        match self {
            Input::File(path) | Input::Stdin(Some(path)) => path.display().to_string(),
            Input::Stdin(None) => STDIN.to_owned(),
        }
    }

    /// Returns the path of the file, or the one that was given for standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Stdin(path) => path.as_deref(),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than 64 MiB.
    pub(crate) fn read(&self) -> Result<Contents, ReadError> {
        let bytes = match self {
            // A person may name a pipe, for instance that of a shell's process substitution.
            Input::File(path) => File::open(path).and_then(read_bounded),
            Input::Stdin(_) => read_bounded(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|source| ReadError { name: self.name(), source })?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => Contents::Text(Text::from(text)),
            Err(error) => Contents::NotUtf8 { offset: error.utf8_error().valid_up_to(), bytes: error.into_bytes() },
        })
    }
}

/// Why a suite could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("`{0}` is a link that leads out; to change that file, name it")]
    Outside(String),
}

/// Writes a changed suite. `named` are the files and folders on the command line.
///
/// # Errors
/// If it cannot be written, or a link leads out: of the folder that was named, or, if the file itself was named, of its repository or
/// workspace. A program may name files that no person has typed.
pub(crate) fn write_back(path: &Path, named: &[PathBuf], text: &str) -> Result<(), WriteError> {
    let stays = |path: &Path| {
        let folder = absolute(path).parent().map(boundary_of);
        !path.is_symlink() || folder.is_some_and(|folder| files::is_inside(path, &folder))
    };
    if named.iter().any(|named| if named == path { stays(path) } else { files::is_inside(path, named) }) {
        return Ok(files::rewrite(path, text.as_bytes())?);
    }
    Err(WriteError::Outside(path.display().to_string()))
}
