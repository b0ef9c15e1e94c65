//! The app's log: what is appended to it during a case.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::sleep;

use super::key::Key;
use crate::targets::{off_reactor, plain};
use crate::transcript::Event;

/// How many bytes a log may grow by during one case.
const MOST: u64 = 10 * 1024 * 1024;

/// How many bytes before the place of the next read are remembered, to notice a truncated file.
const MEMORY: usize = 64;

/// How many files a log may have been moved away from during one case.
const MOST_FILES: usize = 16;

/// How long to wait for the rest of a line, and how often to look.
const REST: (usize, Duration) = (10, Duration::from_millis(50));

/// Why a log gives no telemetry.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// It does not exist.
    #[error(
        "the telemetry log `{}` does not exist; correct `telemetry_log` in eval-ls.toml, or let the app write it",
        plain::path(.0)
    )]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("the telemetry log `{}` cannot be read: {source}", plain::path(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A result may belong to either of two calls.
    #[error(
        "a result of the tool `{}` may belong to this case or to an earlier case whose call had not returned; log a \
         `call_id` with each event, or set `telemetry_key` in eval-ls.toml", plain::plain(.0)
    )]
    Doubtful(String),
    /// It grew too much.
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

impl Log {
    /// Begins at the present end of the log. The log need not exist yet.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub(super) async fn follow(path: &Path) -> Result<Self, LogError> {
        let mut log = Self { path: path.to_owned(), files: VecDeque::new(), events: Vec::new(), bytes: 0, key: None };
        off_reactor(move || {
            if let Some(mut followed) = log.open()? {
                let end = followed.file.metadata().map_err(|source| log.unreadable(source))?.len();
                followed.skip_to(end).map_err(|source| log.unreadable(source))?;
                log.files.push_back(followed);
            }
            Ok(log)
        })
        .await
    }

    /// The same, but only lines with this key count.
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
            if self.files.iter().all(|followed| followed.line.is_empty() || followed.is_old) {
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
        // Opening a pipe would wait for somebody to write to it.
        let opened = self.path.metadata().and_then(|found| match found.is_file() {
            true => File::open(&self.path),
            false => Err(io::Error::other("it is not a file")),
        });
        let opened = opened.and_then(|file| Ok((identity(&file.metadata()?), file)));
        match opened {
            Ok((identity, file)) => Ok(Some(Followed::beginning(file, identity))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.unreadable(source)),
        }
    }

    fn unreadable(&self, source: io::Error) -> LogError {
        LogError::Unreadable { path: self.path.clone(), source }
    }
}

impl Followed {
    fn beginning(file: File, identity: Identity) -> Self {
        Self { file, identity, offset: 0, before: Vec::new(), line: Vec::new(), is_old: false }
    }

    /// Continues at `offset`. The line there may have begun before.
    fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        let memory = offset.min(MEMORY as u64);
        self.before = self.bytes_at(offset - memory, memory)?;
        self.offset = offset;
        self.is_old = self.before.last().is_some_and(|last| *last != b'\n');
        Ok(())
    }

    /// Reads what was appended, at most `most` bytes, and returns how many there were.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use tempfile::TempDir;

    use super::*;

    /// What happens to a log while it is followed.
    enum Happens {
        Append(&'static str),
        /// It is moved away; the next append makes another.
        MoveAway,
        /// It is moved away and still written to, and the new one is begun.
        MoveAwayWhileWritten(&'static str, &'static str),
        Empty,
        Poll,
    }
    use Happens::*;

    async fn events(before: Option<&str>, happens: &[Happens]) -> Result<Vec<String>, String> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("app.log");
        if let Some(before) = before {
            fs::write(&path, before).unwrap();
        }
        let append = |path: &Path, text: &str| {
            let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut log = Log::follow(&path).await.unwrap();
        for (at, what) in happens.iter().enumerate() {
            let moved = folder.path().join(format!("app.log.{at}"));
            match what {
                Append(text) => append(&path, text),
                MoveAway => fs::rename(&path, moved).unwrap(),
                MoveAwayWhileWritten(old, new) => {
                    fs::rename(&path, &moved).unwrap();
                    append(&path, new);
                    append(&moved, old);
                }
                Empty => fs::File::options().write(true).truncate(true).open(&path).map(drop).unwrap(),
                Poll => log = log.poll().await.unwrap(),
            }
        }
        let path = path.display().to_string();
        let log = log.finish().await.map_err(|error| error.to_string().replace(&path, "app.log"))?;
        Ok(log.events().iter().map(|event| event.text().into_owned()).collect())
    }

    #[tokio::test]
    async fn what_is_appended_is_the_telemetry() {
        let old = "{\"old\":1}\n";
        for (name, before, happens, expected) in [
            ("nothing", Some(old), &[][..], &[][..]),
            ("lines", Some(old), &[Append("{\"a\": 1}\r\n\n{\"b\":2}\n")], &["{\"a\":1}", "{\"b\":2}"]),
            (
                "in pieces",
                Some(old),
                &[Append("{\"a\""), Poll, Append(":1}\n{"), Poll, Append("}\n")],
                &["{\"a\":1}", "{}"],
            ),
            ("no file at first", None, &[Append("{\"a\":1}\n")], &["{\"a\":1}"]),
            ("empty at first", Some(""), &[Append("{\"a\":1}\n")], &["{\"a\":1}"]),
            ("the end of an old line", Some("{\"old\""), &[Append(":1}\n{\"a\":1}\n")], &["{\"a\":1}"]),
            ("an old line without an end", Some("{\"old\""), &[Append(":1}")], &[]),
            ("no end", Some(old), &[Append("{\"a\":1}\n{\"b\":2}")], &["{\"a\":1}", "{\"b\":2}"]),
            ("half a line", Some(old), &[Append("{\"a\":1}\n{\"b\":")], &["{\"a\":1}", "{\"b\":"]),
            ("no JSON", Some(old), &[Append("tool failed\n[1]\n")], &["tool failed", "[1]"]),
            (
                "moved away",
                Some(old),
                &[Append("{\"a\":1}\n"), MoveAway, Append("{\"b\":2}\n")],
                &["{\"a\":1}", "{\"b\":2}"],
            ),
            (
                "moved away twice",
                Some(old),
                &[Append("{\"a\":1}\n"), MoveAway, Append("{\"b\":2}\n"), Poll, MoveAway, Append("{\"c\":3}\n")],
                &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"],
            ),
            (
                "moved away while it is written",
                Some(old),
                &[Append("{\"a\":1}\n"), MoveAwayWhileWritten("{\"b\":2}\n", "{\"c\":3}\n")],
                &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"],
            ),
            ("moved away and not begun", Some(old), &[Append("{\"a\":1}\n"), MoveAway], &["{\"a\":1}"]),
            (
                "emptied",
                Some(old),
                &[Append("{\"a\":1}\n"), Poll, Empty, Append("{\"b\":2}\n")],
                &["{\"a\":1}", "{\"b\":2}"],
            ),
            (
                "emptied and grown longer than it was",
                Some(old),
                &[Empty, Append("{\"new\":1}\n{\"new\":2}\n{\"new\":3}\n")],
                &["{\"new\":1}", "{\"new\":2}", "{\"new\":3}"],
            ),
            ("emptied within a line", Some("{\"old\""), &[Empty, Append("{\"a\":1}\n")], &["{\"a\":1}"]),
        ] {
            assert_eq!(
                events(before, happens).await,
                Ok(expected.iter().map(|text| (*text).to_owned()).collect()),
                "{name}"
            );
        }
    }

    #[tokio::test]
    async fn a_log_that_never_was_there_is_missing() {
        let message = "the telemetry log `app.log` does not exist; correct `telemetry_log` in eval-ls.toml, or let the app \
                       write it";
        assert_eq!(events(None, &[Poll]).await, Err(message.to_owned()));
    }

    #[tokio::test]
    async fn a_log_that_is_a_folder_cannot_be_read() {
        let folder = TempDir::new().unwrap();
        let error = Log::follow(folder.path()).await.unwrap_err().to_string();
        assert!(error.ends_with("cannot be read: it is not a file"), "{error}");
    }

    #[tokio::test]
    async fn a_log_that_grows_without_end_is_too_much() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("app.log");
        let log = Log::follow(&path).await.unwrap();
        fs::write(&path, vec![b'x'; MOST as usize + 1]).unwrap();
        assert!(matches!(log.finish().await, Err(LogError::TooMuch(_))));
    }
}
