//! One file of the app's log, read piece by piece.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::key::Key;
use crate::files::Reader;
use crate::transcript::Event;

/// How many bytes before the place of the next read are remembered, to notice a truncated file.
const MEMORY: usize = 64;

/// A file that is read as it grows. It may be moved away or truncated meanwhile.
#[derive(Debug)]
pub(super) struct Followed {
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
    /// The file that has this name now, read from its beginning; `None` if there is none.
    ///
    /// # Errors
    /// If it is not a file, or cannot be read.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        match Reader::default().open(path).and_then(|file| Ok((identity(&file.metadata()?), file))) {
            Ok((identity, file)) => {
                Ok(Some(Self { file, identity, offset: 0, before: Vec::new(), line: Vec::new(), is_old: false }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether both are one file, whatever its name is.
    pub(super) fn is_same_file(&self, other: &Followed) -> bool {
        self.identity == other.identity
    }

    /// Continues at the file's end. The line there may have begun before.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn skip_to_end(&mut self) -> io::Result<()> {
        let offset = self.file.metadata()?.len();
        let memory = offset.min(MEMORY as u64);
        self.before = self.bytes_at(offset - memory, memory)?;
        self.offset = offset;
        self.is_old = self.before.last().is_some_and(|last| *last != b'\n');
        Ok(())
    }

    /// Whether it ends within a line that is not ignored.
    pub(super) fn is_within_line(&self) -> bool {
        !self.line.is_empty() && !self.is_old
    }

    /// Ignores the line that has no end yet, if there is one.
    pub(super) fn ignore_line(&mut self) {
        self.is_old |= !self.line.is_empty();
    }

    /// Reads what was appended, at most `most` bytes, and returns how many there were. Lines without the `key` do not count.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn read(&mut self, most: u64, key: Option<&Key>, events: &mut Vec<Event>) -> io::Result<u64> {
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
    pub(super) fn end_line(&mut self, key: Option<&Key>, events: &mut Vec<Event>) {
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
