//! Journals of interrupted runs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::{Header, JournalError, failed_to, name};

/// The journal of an earlier run that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::runner) struct Leftover {
    /// The file that now has its results.
    pub(in crate::runner) path: PathBuf,
    /// The start of the run, if the header is readable.
    pub(in crate::runner) started_at: Option<String>,
    /// The number of cases that had finished.
    pub(in crate::runner) finished: usize,
}

/// Renames the journals of interrupted runs of `suite` in `folder` to visible names, the oldest first. Removes a journal
/// without results. An error leaves its journal unchanged.
pub(in crate::runner) fn claim_leftovers(folder: &Path, suite: &Path) -> Vec<Result<Leftover, JournalError>> {
    let journals = match journals_of(folder, suite) {
        Ok(journals) => journals,
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(failed) => return vec![Err(failed_to("read the folder", folder)(failed))],
    };
    let claimed = journals.iter().map(|(stamp, path)| claim(path, stamp).map_err(failed_to("rename", path)));
    claimed.filter_map(Result::transpose).collect()
}

/// The journals of `suite`, each with the time in its name, sorted by time.
fn journals_of(folder: &Path, suite: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(stamp) = entry.file_name().to_str().and_then(|file| name::stamp_in(file, suite)) {
            journals.push((stamp.to_owned(), entry.path()));
        }
    }
    journals.sort();
    Ok(journals)
}

/// `None` if the journal's run continues, if it has no results, or if another run has claimed it.
fn claim(path: &Path, stamp: &str) -> io::Result<Option<Leftover>> {
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    // After an error it is unknown whether the journal's run continues.
    if let Err(TryLockError::WouldBlock | TryLockError::Error(_)) = file.try_lock() {
        return Ok(None);
    }
    let (header, finished) = contents(&file)?;
    if finished == 0 {
        return remove(path).map(|()| None);
    }
    let renamed = rename_to_free(path, stamp)?;
    Ok(renamed.map(|path| Leftover { path, started_at: header.map(|header| header.started_at), finished }))
}

/// The header, and the number of whole lines after it.
fn contents(file: &File) -> io::Result<(Option<Header>, usize)> {
    let mut file = BufReader::new(file);
    let mut first = Vec::new();
    file.read_until(b'\n', &mut first)?;
    let mut finished = 0;
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            return Ok((serde_json::from_slice(&first).ok(), finished));
        }
        finished += memchr::memchr_iter(b'\n', read).count();
        let length = read.len();
        file.consume(length);
    }
}

/// Renames the file to the first free name. `None` if another run has already renamed the file.
fn rename_to_free(path: &Path, stamp: &str) -> io::Result<Option<PathBuf>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for free in name::interrupted(stamp).map(|name| folder.join(name)) {
        // Creating a file reserves the name; the rename then replaces that file atomically.
        match OpenOptions::new().write(true).create_new(true).open(&free) {
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => continue,
            made => made?,
        };
        let renamed = fs::rename(path, &free);
        if renamed.is_err() {
            remove(&free)?;
        }
        return match renamed {
            Err(failed) if failed.kind() == io::ErrorKind::NotFound => Ok(None),
            renamed => renamed.map(|()| Some(free)),
        };
    }
    unreachable!("the names are infinite")
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
