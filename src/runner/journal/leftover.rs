//! Journals that runs left behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::{Header, JournalError, failed_to, name};

/// What an earlier run of a suite left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::runner) struct Leftover {
    /// The file that now has its results.
    pub(in crate::runner) path: PathBuf,
    /// When the run started, where it says so.
    pub(in crate::runner) started_at: Option<String>,
    /// How many of its cases had finished.
    pub(in crate::runner) finished: usize,
}

/// Gives the journals that earlier runs of `suite` left behind in `folder` names that people find; the oldest is the
/// first. One that has no result is removed. What cannot be kept so is an error, and stays as it is.
pub(in crate::runner) fn claim_leftovers(folder: &Path, suite: &Path) -> Vec<Result<Leftover, JournalError>> {
    let journals = match journals_of(folder, suite) {
        Ok(journals) => journals,
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(failed) => return vec![Err(failed_to("read the folder", folder)(failed))],
    };
    let claimed = journals.iter().map(|(stamp, path)| claim(path, stamp).map_err(failed_to("keep", path)));
    claimed.filter_map(Result::transpose).collect()
}

/// Each with the moment in its name, in the order of those.
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

/// `None` where there is nothing to keep: its run goes on, or it has no result, or another run has claimed it.
fn claim(path: &Path, stamp: &str) -> io::Result<Option<Leftover>> {
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    // An error, too, says that nobody can tell whether its run goes on.
    if let Err(TryLockError::WouldBlock | TryLockError::Error(_)) = file.try_lock() {
        return Ok(None);
    }
    let (header, finished) = contents(&file)?;
    if finished == 0 {
        return remove(path).map(|()| None);
    }
    let kept = rename_to_free(path, stamp)?;
    Ok(kept.map(|path| Leftover { path, started_at: header.map(|header| header.started_at), finished }))
}

/// The header, and how many whole lines follow it.
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

/// Gives the file the first name that is free. `None` where another run was faster and the file is gone.
fn rename_to_free(path: &Path, stamp: &str) -> io::Result<Option<PathBuf>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for free in name::interrupted(stamp).map(|name| folder.join(name)) {
        // Making a file takes the name; renaming then replaces it in one step.
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
    unreachable!("names never end")
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(failed) if failed.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
