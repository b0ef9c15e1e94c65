//! A journal has the results of a run on disk while the run continues, so that a killed run loses nothing.
//!
//! A journal is a hidden file of JSON lines beside the results: a header, then a line for each finished case. The line is
//! on disk before the case's `case-finished` event is emitted. The run holds a lock on the file; the system releases the
//! lock when the process ends. After the reports are written, the journal is removed. An unlocked journal is a leftover of
//! an interrupted run: the next run of its suite renames it to a visible name. On a file system without locks, leftovers
//! keep their names.

mod leftover;
mod name;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::Builder;
use time::OffsetDateTime;

pub(super) use leftover::{Leftover, claim_leftovers};

use crate::verdict::CaseResult;

/// The name of the format, in every header.
pub(super) const FORMAT: &str = "eval-ls/journal@1";

/// The journal of a run of one suite. Dropping it does not remove the file.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Whether writing a line failed. The file may then end with half a line, so nothing more is written.
    is_broken: bool,
}

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) suite: String,
    pub(super) target: String,
    pub(super) started_at: String,
    /// The number of cases to run.
    pub(super) total: usize,
}

/// An error while reading, writing or removing a journal.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {source}", path.display())]
pub(crate) struct JournalError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

#[derive(Serialize)]
struct Line<'a> {
    index: usize,
    result: &'a CaseResult,
}

impl Journal {
    /// Creates the journal of a run of `suite` that started at `at`. Creates `folder`, the folder of the results, if it does
    /// not exist.
    pub(super) fn create(
        folder: &Path,
        suite: &Path,
        header: &Header,
        at: OffsetDateTime,
    ) -> Result<Journal, JournalError> {
        fs::create_dir_all(folder).map_err(failed_to("make the folder", folder))?;
        let write = || {
            // The file is locked before it gets its name: another run must not take it for a leftover.
            let mut draft = draft().tempfile_in(folder)?;
            let _ = draft.as_file().try_lock();
            draft.write_all(&line(header)?)?;
            Ok(draft)
        };
        let mut draft = write().map_err(failed_to("write a journal in", folder))?;
        for path in name::candidates(suite, at).map(|name| folder.join(name)) {
            match draft.persist_noclobber(&path) {
                Ok(file) => return Ok(Journal { file, path, is_broken: false }),
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => draft = taken.file,
                Err(failed) => return Err(failed_to("write", &path)(failed.error)),
            }
        }
        unreachable!("the candidates are infinite")
    }

    /// Writes the result of the suite's case with that index, and flushes it to disk. After the first error, does nothing
    /// and returns `Ok`.
    pub(super) fn add(&mut self, index: usize, result: &CaseResult) -> Result<(), JournalError> {
        if self.is_broken {
            return Ok(());
        }
        let mut write = || {
            self.file.write_all(&line(&Line { index, result })?)?;
            self.file.sync_data()
        };
        let written = write();
        self.is_broken = written.is_err();
        written.map_err(failed_to("write", &self.path))
    }

    /// Removes the file.
    pub(super) fn remove(self) -> Result<(), JournalError> {
        // The file is still locked: another run must not take it for a leftover.
        fs::remove_file(&self.path).map_err(failed_to("remove", &self.path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// A hidden temporary file with the permissions of any new file of the user.
fn draft() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".eval-ls-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

fn failed_to(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError { action, path, source }
}
