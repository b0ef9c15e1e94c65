//! What a run has found so far, kept on disk while it goes on, so that a run that is killed loses nothing.
//!
//! A journal is a hidden file of JSON lines beside the results: a header, then a line for each finished case, on disk
//! before its `case-finished` is told. The run holds a lock on it, which the system lets go when the process ends,
//! however it ends. Once the reports are written the journal is removed. One that is there and that nobody has locked
//! was left behind: the next run of its suite gives it a name that people find. Where the file system knows no locks,
//! journals that were left behind stay as they are.

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

/// The name of the format, which stands in every header.
pub(super) const FORMAT: &str = "eval-ls/journal@1";

/// The journal of a run of one suite. Dropping it leaves the file where it is.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Whether a line could not be written: the file may end within one, and is left so.
    is_broken: bool,
}

/// What a journal says of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) suite: String,
    pub(super) target: String,
    pub(super) started_at: String,
    /// How many cases were to be run.
    pub(super) total: usize,
}

/// Why a journal could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {source}", path.display())]
pub struct JournalError {
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
    /// Begins the journal of a run of `suite` that started at that moment, in the folder of its results, which is made
    /// where it is missing.
    pub(super) fn create(
        folder: &Path,
        suite: &Path,
        header: &Header,
        at: OffsetDateTime,
    ) -> Result<Journal, JournalError> {
        fs::create_dir_all(folder).map_err(failed_to("make the folder", folder))?;
        let write = || {
            // It gets its name only when it is locked, so that nobody takes it for one that was left behind.
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
        unreachable!("candidates never end")
    }

    /// Keeps the result of the suite's case with that index. When this returns it survives a power failure. After an
    /// error nothing more is kept, and no error is said twice.
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

    /// Removes it: what it knows is kept elsewhere.
    pub(super) fn remove(self) -> Result<(), JournalError> {
        // While it is still locked, so that nobody takes it for one that was left behind.
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

/// Drafts are hidden, and have the permissions that any new file of the user has.
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
