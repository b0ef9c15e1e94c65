use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::text::Text;

/// A suite that a command was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A file, as it was named or found.
    File(PathBuf),
    /// Standard input, and the file that it stands for, where one was named.
    Stdin(Option<PathBuf>),
}

/// What is in a suite's file.
#[derive(Debug)]
pub(crate) enum Contents {
    /// Text.
    Text(Text),
    /// Bytes that are not UTF-8.
    NotUtf8 {
        /// All of them.
        bytes: Vec<u8>,
        /// The first byte, from 0, that is part of no character.
        offset: usize,
    },
}

/// Why a suite could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The system says no.
    #[error("cannot read `{name}`: {source}")]
    Io {
        /// Which.
        name: String,
        /// Why not.
        source: io::Error,
    },
    /// More than is worth reading.
    #[error("`{name}` is larger than 1 GiB; no eval suite is")]
    TooLarge {
        /// Which.
        name: String,
    },
}

/// How large a suite may be, in bytes.
const LARGEST: u64 = 1 << 30;

impl Input {
    /// How it is called in what a command prints.
    pub(crate) fn name(&self) -> String {
        match self {
            Input::File(path) | Input::Stdin(Some(path)) => path.display().to_string(),
            Input::Stdin(None) => "<stdin>".to_owned(),
        }
    }

    /// The file that it is or stands for.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Stdin(path) => path.as_deref(),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// Where it cannot be read, or is larger than 1 GiB.
    pub(crate) fn read(&self) -> Result<Contents, ReadError> {
        let bytes = match self {
            Input::File(path) => File::open(path).and_then(read_up_to_limit),
            Input::Stdin(_) => read_up_to_limit(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|source| ReadError::Io { name: self.name(), source })?;
        if bytes.len() as u64 > LARGEST {
            return Err(ReadError::TooLarge { name: self.name() });
        }
        Ok(match String::from_utf8(bytes) {
            Ok(text) => Contents::Text(Text::from(text)),
            Err(error) => Contents::NotUtf8 { offset: error.utf8_error().valid_up_to(), bytes: error.into_bytes() },
        })
    }
}

fn read_up_to_limit(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
