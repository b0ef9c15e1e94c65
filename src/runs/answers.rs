//! The answers of a run. Equal answers are kept once. An answer of a live target is a file, named after the hash of its
//! contents. The answers of a replay are in one file: creating a file for each would take longer than judging.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::files::{self, Folder};
use crate::transcript::{self, Transcript};

use super::record::hex;
use super::write::Redact;
use super::{AnswerPart, AnswerRecord, RunError};

/// The file that becomes the next answer, in the folder of the answers.
const DRAFT: &str = ".part";

/// The name of the format of an answer's file.
const FORMAT: &str = "eval-ls/answer@1";

/// The folder of the answers, in the folder of a run.
pub(super) const FOLDER: &str = "answers";

/// The file with the answers of a replay, in the folder of the answers.
const REPLAYED: &str = "replayed";

/// Writes answers. Two writers must not share a folder.
#[derive(Debug)]
pub(super) struct Answers {
    folder: Folder,
    path: PathBuf,
    /// The hashes of the answers that are there, and where those are that are not a file.
    written: HashMap<[u8; 32], Option<AnswerPart>>,
    /// Whether each answer is a file that is flushed to disk.
    durable: bool,
    /// The file with all answers, if they are not files and there is one.
    replayed: Option<File>,
    /// The answers that are next in this file.
    waiting: Vec<u8>,
    /// Where they will be.
    end: u64,
}

/// An answer as it is written.
#[derive(Debug)]
pub(super) struct PackedAnswer {
    text: Vec<u8>,
    hash: [u8; 32],
    /// Without its place.
    record: AnswerRecord,
}

impl PackedAnswer {
    /// Packs an answer. `redact` removes secrets from its text.
    pub(super) fn new(answer: &Transcript, redact: Option<&Redact>) -> PackedAnswer {
        let mut file = answer.to_object();
        for key in OF_CASE {
            file.shift_remove(key);
        }
        file.insert("format".to_owned(), FORMAT.into());
        let redacted = |mut value: Value| {
            redact.iter().for_each(|redact| redact(&mut value));
            value
        };
        let Value::Object(file) = redacted(Value::Object(file)) else { unreachable!("a redacted object is one") };
        let has_no_secret = |text: &str| redact.is_none() || redacted(text.into()) == text;
        let text = answer.written(file, &has_no_secret).into_bytes();
        let hash: [u8; 32] = Sha256::digest(&text).into();
        let record = AnswerRecord {
            sha256: hex(&hash),
            part: None,
            target: answer.target.clone(),
            recorded_at: answer.recorded_at.clone(),
            prompt: answer.prompt.clone(),
            setup_prompts: answer.setup_prompts.clone(),
            duration_ms: answer.duration_ms,
        };
        PackedAnswer { text, hash, record }
    }
}

impl Answers {
    /// The answers in `folder`, which is the folder for them, at `path`.
    pub(super) fn new(folder: Folder, path: PathBuf, durable: bool) -> Answers {
        Answers { folder, path, written: HashMap::new(), durable, replayed: None, waiting: Vec::new(), end: 0 }
    }

    /// Takes an answer, and writes it unless there is an equal one. A file is complete when it gets its name. A part of a
    /// file is complete after the next [`flush`](Self::flush).
    pub(super) fn add(&mut self, answer: PackedAnswer) -> Result<AnswerRecord, RunError> {
        let PackedAnswer { text, hash, record } = answer;
        let part = match self.written.get(&hash) {
            Some(part) => *part,
            None => {
                let part = match self.durable {
                    true => self.write(&record.sha256, &text).map(|()| None)?,
                    false => Some(self.append(&text)?),
                };
                self.written.insert(hash, part);
                part
            }
        };
        Ok(AnswerRecord { part, ..record })
    }

    fn write(&self, sha256: &str, text: &[u8]) -> Result<(), RunError> {
        let name = file_name(sha256);
        let path = self.path.join(&name);
        let write = || {
            let mut file = self.folder.create(DRAFT)?;
            file.write_all(text)?;
            file.sync_all()?;
            self.folder.rename(DRAFT, &name)?;
            files::sync_folder(&path).map_err(io::Error::other)
        };
        // The run is locked, so nobody else writes to this name. A killed process may have left it.
        let written = write().or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => self.folder.remove(DRAFT).and_then(|()| write()),
            _ => Err(error),
        });
        written.map_err(|error| {
            let _ = self.folder.remove(DRAFT);
            RunError::system("write", &path)(error)
        })
    }

    /// Adds a text to those that wait for the file with all answers.
    fn append(&mut self, text: &[u8]) -> Result<AnswerPart, RunError> {
        if self.waiting.is_empty() {
            let path = self.path.join(REPLAYED);
            let mut open = || {
                let file = match &mut self.replayed {
                    Some(file) => file,
                    none => none.insert(match self.folder.create(REPLAYED) {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                            self.folder.file_to_extend(REPLAYED)?
                        }
                        created => created?,
                    }),
                };
                // A run that was killed may have left a part of an answer there.
                file.seek(SeekFrom::End(0))
            };
            self.end = open().map_err(RunError::system("write", &path))?;
        }
        let start = self.end + self.waiting.len() as u64;
        self.waiting.extend_from_slice(text);
        Ok(AnswerPart { start, length: text.len() as u64 })
    }

    /// Writes the answers that wait for the file with all answers.
    pub(super) fn flush(&mut self) -> Result<(), RunError> {
        let Some(file) = self.replayed.as_mut().filter(|_| !self.waiting.is_empty()) else { return Ok(()) };
        let written = file.write_all(&self.waiting);
        self.waiting.clear();
        written.map_err(|error| {
            // On a full disk a part of the text may be there; cutting it off needs no space.
            let _ = file.set_len(self.end);
            RunError::system("write", &self.path.join(REPLAYED))(error)
        })
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// If somebody has removed the answers.
    pub(super) fn finish(&self) -> Result<(), RunError> {
        let path = self.path.join(REPLAYED);
        let Some(_) = &self.replayed else { return Ok(()) };
        self.folder.metadata(REPLAYED).map(drop).map_err(RunError::system("finish the run without the file", &path))
    }
}

/// The keys of a transcript that belong to one case and not to the answer.
const OF_CASE: [&str; 6] = ["case", "target", "recorded_at", "prompt", "setup_prompts", "duration_ms"];

/// The name of the file of the answer with that hash.
fn file_name(sha256: &str) -> String {
    format!("{sha256}.json")
}

/// The largest answer that is read, in bytes.
const MOST: u64 = 128 << 20;

/// A file, or a part of one.
fn contents(folder: &Folder, name: &str, part: Option<AnswerPart>) -> io::Result<Vec<u8>> {
    match part {
        None => folder.read(name, MOST),
        Some(AnswerPart { start, length }) => folder.read_part(name, start, length.min(MOST)),
    }
}

/// Reads the answer of a case from the folder of the answers, which is at `path`. `memory` is the most that it may need, in
/// bytes.
///
/// # Errors
/// If the file cannot be read, has other contents than those that were written, or is not an answer.
pub(super) fn read(
    folder: &Folder,
    path: &Path,
    memory: u64,
    case: &str,
    answer: &AnswerRecord,
) -> Result<Transcript, RunError> {
    let name = if answer.part.is_some() { REPLAYED.to_owned() } else { file_name(&answer.sha256) };
    let path = path.join(&name);
    let bytes = contents(folder, &name, answer.part).map_err(RunError::system("read", &path))?;
    if hex(&Sha256::digest(&bytes)) != answer.sha256 {
        return Err(RunError::invalid(&path, "its contents were changed"));
    }
    let text = String::from_utf8(bytes).map_err(|error| RunError::invalid(&path, error))?;
    if transcript::memory_of(&text) > memory {
        let source = io::Error::new(io::ErrorKind::FileTooLarge, "it needs too much memory");
        return Err(RunError::system("read", &path)(source));
    }
    let of_case = Transcript {
        case: case.to_owned(),
        target: answer.target.clone(),
        recorded_at: answer.recorded_at.clone(),
        prompt: answer.prompt.clone(),
        setup_prompts: answer.setup_prompts.clone(),
        duration_ms: answer.duration_ms,
        ..Transcript::default()
    };
    Transcript::parse_answer(&text, of_case).map_err(|fault| RunError::invalid(&path, fault))
}
