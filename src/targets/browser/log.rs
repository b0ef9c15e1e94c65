//! The app's log: what is appended to it during a case.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::sleep;

use super::followed::Followed;
use super::key::Key;
use crate::targets::{off_reactor, plain};
use crate::transcript::Event;

/// How many bytes a log may grow by during one case. As much as a program may print.
const MOST: u64 = 10 * 1024 * 1024;

/// How many files a log may have been moved away from during one case
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
            followed.ignore_line();
        }
    }

    /// Reads to the end of the last line. A line that has no end yet is waited for a moment.
    ///
    /// # Errors
    /// If it cannot be read, grew too much, or never existed.
    pub(super) async fn finish(mut self) -> Result<Self, LogError> {
        for _ in 0..REST.0 {
            self = self.poll().await?;
            if !self.files.iter().any(Followed::is_within_line) {
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
        let is_new = |current: &Followed| self.files.back().is_none_or(|last| !last.is_same_file(current));
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
        LogError::Unreadable { path: self.path.clone(), source }
    }
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
        assert!(error.ends_with("cannot be read: not a regular file"), "{error}");
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
