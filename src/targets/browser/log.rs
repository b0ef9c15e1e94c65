//! The app's log: what is appended to it during a case. [`Log`] knows the files that have had its name, [`Followed`] reads one of them.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::sleep;

use super::steps::Key;
use crate::files::Reader;
use crate::targets::{off_reactor, plain};
use crate::transcript::Event;

/// How many bytes a log may grow by during one case. As much as a program may print.
pub(super) const MOST: u64 = 10 * 1024 * 1024;

/// How many files a log may have been moved away from during one case
const MOST_FILES: usize = 16;

/// How long to wait for the rest of a line, and how often to look.
const REST: (usize, Duration) = (10, Duration::from_millis(50));

/// Why a log gives no telemetry.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// The log does not exist.
    #[error(
        "the telemetry log `{}` does not exist; correct `telemetry_log` in eval-ls.toml, or let the app write it",
        plain::path(.0)
    )]
    Missing(PathBuf),
    /// The log cannot be read.
    #[error("the telemetry log `{log}` cannot be read: {1}", log = plain::path(.0))]
    Unreadable(PathBuf, io::Error),
    /// A result may belong to either of two calls.
    #[error(
        "a result of the tool `{}` may belong to this case or to an earlier case whose call had not returned; log a \
         `call_id` with each event, or set `telemetry_key` in eval-ls.toml", plain::plain(.0)
    )]
    Doubtful(String),
    /// The log grew too much.
    #[error("the telemetry log `{}` grew by more than 10 MiB during the case", plain::path(.0))]
    TooMuch(PathBuf),
}

/// Follows a log from its end. If the file is moved away and replaced, or truncated and written again, nothing is lost, as
/// long as [`poll`](Self::poll) is called between two such events.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    /// The file that has the log's name is the last; those before it were moved away.
    files: VecDeque<Followed>,
    events: Vec<Event>,
    bytes: u64,
    /// The key without which a line belongs to another case; `None` if every line counts.
    key: Option<Key>,
}

impl Log {
    /// Begins at the present end of the log. The log need not exist yet.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub(super) async fn follow(path: &Path) -> Result<Self, LogError> {
        let mut log = Self { path: path.to_owned(), files: VecDeque::new(), events: Vec::new(), bytes: 0, key: None };
        off_reactor(move || {
            if let Some(mut followed) = log.open()? {
                followed.skip_to_end().map_err(|source| log.unreadable(source))?;
                log.files.push_back(followed);
            }
            Ok(log)
        })
        .await
    }

    /// The log with a filter: only lines with this key count.
    pub(super) fn of_case(self, key: Option<Key>) -> Self {
        Self { key, ..self }
    }

    /// Reads what was appended since the last time.
    ///
    /// # Errors
    /// If it cannot be read, or grew too much.
    pub(super) async fn poll(mut self) -> Result<Self, LogError> {
        off_reactor(move || {
            self.read()?;
            Ok(self)
        })
        .await
    }

    /// The events so far, in order.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Continues for the next case, without the events so far.
    pub(super) fn forget(&mut self) {
        self.events.clear();
        self.bytes = 0;
        for followed in &mut self.files {
            followed.is_old |= !followed.line.is_empty();
        }
    }

    /// Reads to the end of the last line. A line that has no end yet is waited for a moment.
    ///
    /// # Errors
    /// If it cannot be read, grew too much, or never existed.
    pub(super) async fn finish(mut self) -> Result<Self, LogError> {
        for _ in 0..REST.0 {
            self = self.poll().await?;
            if !self.files.iter().any(|file| !file.line.is_empty() && !file.is_old) {
                break;
            }
            sleep(REST.1).await;
        }
        if self.files.is_empty() {
            return Err(LogError::Missing(self.path));
        }
        for followed in &mut self.files {
            followed.end_line(self.key.as_ref(), &mut self.events);
        }
        Ok(self)
    }

    fn read(&mut self) -> Result<(), LogError> {
        let current = self.open()?;
        let is_new = |current: &Followed| self.files.back().is_none_or(|last| last.identity != current.identity);
        if let Some(current) = current.filter(is_new) {
            self.files.push_back(current);
            if self.files.len() > MOST_FILES {
                self.files.pop_front();
            }
        }
        for at in 0..self.files.len() {
            let read = self.files[at].read(MOST - self.bytes.min(MOST), self.key.as_ref(), &mut self.events);
            self.bytes += read.map_err(|source| self.unreadable(source))?;
            if self.bytes >= MOST {
                return Err(LogError::TooMuch(self.path.clone()));
            }
        }
        Ok(())
    }

    /// The file that has the log's name now.
    fn open(&self) -> Result<Option<Followed>, LogError> {
        Followed::open(&self.path).map_err(|source| self.unreadable(source))
    }

    fn unreadable(&self, source: io::Error) -> LogError {
        LogError::Unreadable(self.path.clone(), source)
    }
}

/// How many bytes before the place of the next read are remembered, to notice a truncated file.
const MEMORY: usize = 64;

/// A file that is read as it grows. It may be moved away or truncated meanwhile.
#[derive(Debug)]
struct Followed {
    file: File,
    identity: Identity,
    /// Where the next read begins.
    offset: u64,
    /// The bytes before that, as they were.
    before: Vec<u8>,
    /// The beginning of a line without an end.
    line: Vec<u8>,
    /// Whether that line began before the log was followed.
    is_old: bool,
}

/// What identifies a file, whatever its name is.
type Identity = (u64, u64);

impl Followed {
    /// The file that has this name now, read from its beginning; `None` if it does not exist.
    ///
    /// # Errors
    /// If it is not a file, or cannot be read.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        match Reader::default().open(path).and_then(|file| Ok((identity(&file.metadata()?), file))) {
            Ok((identity, file)) => {
                Ok(Some(Self { file, identity, offset: 0, before: Vec::new(), line: Vec::new(), is_old: false }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Continues at the file's end. The line there may have begun before.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn skip_to_end(&mut self) -> io::Result<()> {
        let offset = self.file.metadata()?.len();
        let memory = offset.min(MEMORY as u64);
        self.before = self.bytes_at(offset - memory, memory)?;
        self.offset = offset;
        self.is_old = self.before.last().is_some_and(|last| *last != b'\n');
        Ok(())
    }

    /// Reads what was appended, at most `most` bytes, and returns how many there were. Lines without the `key` do not count.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&mut self, most: u64, key: Option<&Key>, events: &mut Vec<Event>) -> io::Result<u64> {
        if self.was_truncated()? {
            self.end_line(key, events);
            self.offset = 0;
            self.before.clear();
        }
        let read = self.bytes_at(self.offset, most)?;
        self.offset += read.len() as u64;
        self.before.extend_from_slice(&read);
        let excess = self.before.len().saturating_sub(MEMORY);
        self.before.drain(..excess);
        for piece in read.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line(key, events);
            }
        }
        Ok(read.len() as u64)
    }

    /// Takes the line that has no end yet as it is.
    fn end_line(&mut self, key: Option<&Key>, events: &mut Vec<Event>) {
        let line = std::mem::take(&mut self.line);
        if !std::mem::take(&mut self.is_old) {
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            if !line.trim().is_empty() && key.is_none_or(|key| key.is_in(line)) {
                events.push(Event::from_line(line));
            }
        }
    }

    /// Whether the file was truncated since. It may have grown again.
    fn was_truncated(&mut self) -> io::Result<bool> {
        let memory = self.before.len() as u64;
        let now = self.bytes_at(self.offset - memory, memory)?;
        Ok(now != self.before)
    }

    fn bytes_at(&mut self, offset: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(offset))?;
        (&mut self.file).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Without inode numbers, the time of creation identifies a file.
#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> Identity {
    let born = metadata.created().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    (0, born.map_or(0, |born| u64::try_from(born.as_nanos()).unwrap_or(u64::MAX)))
}
