use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::filed::{Filed, file_name};
use crate::files::{self, FileError, Reader};

use super::{InvalidTranscript, LastRecord, NotKept, Transcript, Wanted};

/// Why a transcript could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file exists and cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not text.
    #[error("{}: not UTF-8, from byte {offset} on", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The offset of the first invalid byte.
        offset: usize,
    },
    /// The file's text is not a transcript.
    #[error("{}: {fault}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The problem and its place.
        fault: InvalidTranscript,
    },
    /// The file's name is that of another case than the one that the transcript names.
    #[error(
        "{} is the transcript of the case {}; accept an answer of this case (`eval-ls record`), or change `case` in the file",
        path.display(),
        quoted(case)
    )]
    OtherCase {
        /// The file.
        path: PathBuf,
        /// The case that the transcript names.
        case: String,
    },
    /// The transcript does not have the response in the form that the configuration wants.
    #[error("{}: {fault}", path.display())]
    NotKept {
        /// The file.
        path: PathBuf,
        /// What it does not have.
        fault: NotKept,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// The file would be written outside of the workspace.
    #[error(
        "{} is outside of the workspace, so no answer is accepted there; set `[run] transcripts` to a folder below that of \
         eval-ls.toml",
        .0.display()
    )]
    Outside(PathBuf),
}

/// The largest transcript that is read, in bytes. Targets may answer with 10 MiB, which grow when they are written as JSON.
const MAX_BYTES: u64 = 128 << 20;

/// The transcripts of one suite, with their responses in the forms that the configuration wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
    wanted: Wanted,
    /// Whether only the user may read what is written.
    is_private: bool,
    reader: Reader,
}

impl Store {
    /// The transcripts of the suite at `suite_path`, in the folder that the configuration names.
    pub fn new(suite_path: &Path, config: &Config) -> Store {
        Store {
            folder: Filed::Transcript(&config.run.transcripts).folder(suite_path),
            wanted: Wanted::by(config),
            is_private: false,
            reader: Reader::default(),
        }
    }

    /// The store with limits: transcripts are read and written only below `root` when links are followed, and those
    /// larger than `most` bytes are not read.
    #[must_use]
    pub(crate) fn within(self, root: &Path, most: u64) -> Store {
        Store { reader: Reader::within(root, most), ..self }
    }

    /// Whether this may read and write the file at `path`.
    pub(crate) fn admits(&self, path: &Path) -> bool {
        self.reader.admits(path)
    }

    /// Whether the folder is one in which this reads and writes.
    pub(crate) fn is_inside(&self) -> bool {
        self.reader.admits(&self.folder)
    }

    /// The store, private if `is_private`: transcripts written from now on are files that only the user may read.
    #[must_use]
    pub(crate) fn private(self, is_private: bool) -> Store {
        Store { is_private, ..self }
    }

    /// The folder that holds them; it need not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The forms in which responses are read.
    pub(crate) fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The file of the transcript of the case with that id.
    pub fn path(&self, id: &str) -> PathBuf {
        self.folder.join(file_name(id))
    }

    /// The transcript of a case; `None` if there is none.
    ///
    /// # Errors
    /// As those of `load`.
    pub fn read(&self, id: &str) -> Result<Option<Transcript>, TranscriptError> {
        match self.load(&self.path(id)) {
            Ok((transcript, _)) => Ok(Some(transcript).filter(|kept| kept.case == id)),
            Err(TranscriptError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The transcript in a file, and the file's text.
    ///
    /// # Errors
    /// If the file cannot be read, is not a transcript, is one of another case, or does not have the response in the form that
    /// is wanted.
    pub(crate) fn load(&self, path: &Path) -> Result<(Transcript, String), TranscriptError> {
        self.parsed(path, self.text(path)?)
    }

    /// The text of a transcript's file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not text.
    pub(crate) fn text(&self, path: &Path) -> Result<String, TranscriptError> {
        let bytes = self.bytes(path).map_err(|source| TranscriptError::Read { path: path.to_owned(), source })?;
        String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            TranscriptError::NotUtf8 { path: path.to_owned(), offset }
        })
    }

    /// The contents of a transcript's file. Neither the file nor its folder may be a link: a link may show any file.
    fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.refuse_link()?;
        let name = path.file_name().and_then(OsStr::to_str).ok_or(io::ErrorKind::NotFound)?;
        self.reader.folder(path.parent().unwrap_or(Path::new("")))?.read(name, MAX_BYTES)
    }

    /// Refuses a folder that is a link: transcripts have the names of cases, which may be those of any other file.
    fn refuse_link(&self) -> io::Result<()> {
        let is_link = self.folder.is_symlink() || self.folder.parent().is_some_and(Path::is_symlink);
        if is_link {
            let reason = "its folder is a link, and links to transcripts are not followed";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        Ok(())
    }

    /// The transcript with this text, and the text.
    ///
    /// # Errors
    /// If it is not a transcript, is one of another case, or does not have the response in the form that is wanted.
    pub(crate) fn parsed(&self, path: &Path, text: String) -> Result<(Transcript, String), TranscriptError> {
        let invalid = |fault| TranscriptError::Invalid { path: path.to_owned(), fault };
        let transcript = Transcript::parse(&text).map_err(invalid)?;
        if !is_file_of(path, &transcript.case) {
            return Err(TranscriptError::OtherCase { path: path.to_owned(), case: transcript.case });
        }
        let not_kept = |fault| TranscriptError::NotKept { path: path.to_owned(), fault };
        let transcript = transcript.viewed(&self.wanted).map_err(not_kept)?;
        Ok((transcript, text))
    }

    /// Whether the case's file is what [`Store::write`] writes for this transcript.
    pub(crate) fn holds(&self, transcript: &Transcript) -> bool {
        self.bytes(&self.path(&transcript.case)).is_ok_and(|kept| kept == transcript.to_json().as_bytes())
    }

    /// Writes into the transcript of a case that its last recording was not taken. The rest of the file stays as it is.
    ///
    /// # Errors
    /// If there is no readable transcript, or it cannot be written. It is then unchanged.
    pub(crate) fn mark(&self, id: &str, last: &LastRecord) -> Result<(), TranscriptError> {
        let path = self.path(id);
        let text = last.written_into(&self.text(&path)?);
        self.replace(&path, &text)
    }

    /// Stores a transcript and replaces the one that the case may have. Returns the path of its file.
    ///
    /// # Errors
    /// If the file or its folder cannot be written, or is outside of the workspace. The earlier transcript is then unchanged.
    pub(crate) fn write(&self, transcript: &Transcript) -> Result<PathBuf, TranscriptError> {
        let path = self.path(&transcript.case);
        self.replace(&path, &transcript.to_json())?;
        Ok(path)
    }

    /// Stores transcripts, as [`Store::write`] does with one. They are not private.
    ///
    /// # Errors
    /// Those of [`Store::write`]. Some of the other transcripts are then stored.
    pub(crate) fn write_all(&self, transcripts: &[&Transcript]) -> Result<(), TranscriptError> {
        if !self.reader.admits(&self.folder) {
            return Err(TranscriptError::Outside(self.folder.clone()));
        }
        self.refuse_link().map_err(|source| FileError::Write { path: self.folder.clone(), source })?;
        let texts = transcripts.par_iter().map(|transcript| (self.path(&transcript.case), transcript.to_json()));
        Ok(files::replace_all(texts)?)
    }

    /// Writes the text of a transcript's file.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub(crate) fn replace(&self, path: &Path, text: &str) -> Result<(), TranscriptError> {
        if !self.reader.admits(path) {
            return Err(TranscriptError::Outside(path.to_owned()));
        }
        self.refuse_link().map_err(|source| FileError::Write { path: path.to_owned(), source })?;
        let write = if self.is_private { files::replace_private } else { files::replace };
        Ok(write(path, text.as_bytes())?)
    }
}

/// Whether the file at `path` is the one for the case `id`. A file system that ignores upper and lower case has one file for ids
/// that differ only in them.
fn is_file_of(path: &Path, id: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.to_lowercase() == file_name(id).to_lowercase()
}
