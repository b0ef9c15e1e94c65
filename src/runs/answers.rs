//! The answers of a run, one after the other in one file. Equal answers are kept once. And what can be wrong with a kept run.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;
use serde_json::Value;

use crate::files::{FileError, Folder};
use crate::text::hex;
use crate::transcript::{self, Transcript};

use super::write::Redact;
use super::{AnswerRecord, RunId};

/// The name of the format of an answer.
const FORMAT: &str = "eval-ls/answer@1";

/// The file with the answers, in the folder of a run.
pub(super) const ANSWERS: &str = "answers";

/// Writes answers. Two writers must not share a file.
#[derive(Debug)]
pub(super) struct Answers {
    file: File,
    path: PathBuf,
    /// Where the answers with these hashes are: the first byte and the length.
    written: HashMap<[u8; 32], (u64, u64)>,
}

impl Answers {
    /// The answers in the run's folder, which is at `path`.
    ///
    /// # Errors
    /// If the file cannot be opened for writing.
    pub(super) fn open(run: &Folder, path: &Path) -> Result<Answers, RunError> {
        let path = path.join(ANSWERS);
        let file = run.file_to_extend(ANSWERS).map_err(RunError::system("open", &path))?;
        Ok(Answers { file, path, written: HashMap::new() })
    }

    /// Writes an answer, without the secrets that `redact` removes, unless there is an equal one.
    ///
    /// # Errors
    /// If it cannot be written. Nothing of it is left then.
    pub(super) fn add(&mut self, answer: &Transcript, redact: Option<&Redact>) -> Result<AnswerRecord, RunError> {
        let text = text(answer, redact);
        let hash = Sha256::hash(text.as_bytes());
        let (start, length) = match self.written.get(&hash) {
            Some(part) => *part,
            None => {
                let part = self.write(text.as_bytes()).map_err(RunError::system("write", &self.path))?;
                *self.written.entry(hash).or_insert(part)
            }
        };
        Ok(AnswerRecord {
            sha256: hex(&hash),
            start,
            length,
            target: answer.target.clone(),
            program: answer.program.clone(),
            recorded_at: answer.recorded_at.clone(),
            prompt: answer.prompt.clone(),
            setup_prompts: answer.setup_prompts.clone(),
            duration_ms: answer.duration_ms,
        })
    }

    fn write(&mut self, text: &[u8]) -> io::Result<(u64, u64)> {
        // A run that was killed may have left a part of an answer there.
        let start = self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(text).inspect_err(|_| {
            // On a full disk a part of the text may be there; cutting it off needs no space.
            let _ = self.file.set_len(start);
        })?;
        Ok((start, text.len() as u64))
    }

    /// Flushes the answers to disk.
    ///
    /// # Errors
    /// If that fails.
    pub(super) fn sync(&self) -> Result<(), RunError> {
        self.file.sync_data().map_err(RunError::system("write", &self.path))
    }
}

/// The text of an answer: what belongs to its case is not in it.
fn text(answer: &Transcript, redact: Option<&Redact>) -> String {
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
    answer.written(file, &has_no_secret)
}

/// The keys of a transcript that belong to one case and not to the answer.
const OF_CASE: [&str; 8] =
    ["case", "target", "program", "recorded_at", "prompt", "setup_prompts", "duration_ms", "last_record"];

/// The largest answer that is read, in bytes.
const MOST: u64 = 128 << 20;

/// Reads the answer of a case from the run's folder, which is at `path`. `memory` is the most that it may need, in bytes.
///
/// # Errors
/// If the file cannot be read, has other contents than those that were written, or the text is not an answer.
pub(super) fn read(
    folder: &Folder,
    path: &Path,
    memory: u64,
    case: &str,
    answer: &AnswerRecord,
) -> Result<Transcript, RunError> {
    let path = path.join(ANSWERS);
    let bytes = folder.read_part(ANSWERS, answer.start, answer.length.min(MOST));
    let bytes = bytes.map_err(RunError::system("read", &path))?;
    if hex(&Sha256::hash(&bytes)) != answer.sha256 {
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
        program: answer.program.clone(),
        recorded_at: answer.recorded_at.clone(),
        prompt: answer.prompt.clone(),
        setup_prompts: answer.setup_prompts.clone(),
        duration_ms: answer.duration_ms,
        ..Transcript::default()
    };
    Transcript::parse_answer(&text, of_case).map_err(|fault| RunError::invalid(&path, fault))
}

/// Why a kept run could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// What was tried: a verb such as `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file could not be written as a whole.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not the record of a run.
    #[error("`{}` is not the record of a run: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// A lower-case fragment.
        reason: String,
    },
    /// The lines of a run that ended are not those that were written.
    #[error("cannot read `{}`: its lines were changed after they were written; run the cases again", .0.display())]
    Changed(PathBuf),
    /// The runs are not those of the workspace.
    #[error("`{}` is outside of the workspace, so no run is removed there; name the folder above it with `--results`", .0.display())]
    Outside(PathBuf),
    /// The run continues in another process.
    #[error("the run {0} is still running")]
    Running(RunId),
}

impl RunError {
    /// The closure that turns an error of the system into this error.
    pub(super) fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunError {
        let path = path.to_owned();
        move |source| RunError::System { action, path, source }
    }

    /// Whether a file is over a limit.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, RunError::System { source, .. } if source.kind() == io::ErrorKind::FileTooLarge)
    }

    /// Whether a file does not exist: another process may have removed the run.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self, RunError::System { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn invalid(path: &Path, reason: impl ToString) -> RunError {
        RunError::Invalid { path: path.to_owned(), reason: reason.to_string() }
    }
}
