//! The answers of a run: a file for each distinct answer, named after the hash of its contents.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::files;
use crate::transcript::{self, Transcript};

use super::record::hex;
use super::write::Redact;
use super::{AnswerRecord, RunError};

/// The name of the format of an answer's file.
const FORMAT: &str = "eval-ls/answer@1";

/// The folder of the answers, in the folder of a run.
pub(super) const FOLDER: &str = "answers";

/// Writes answers. Two writers must not share a folder.
#[derive(Debug)]
pub(super) struct Answers {
    folder: PathBuf,
    written: HashSet<String>,
    /// Whether each file is flushed to disk.
    durable: bool,
}

impl Answers {
    /// The answers in the run's folder `run`, which has the folder for them.
    pub(super) fn new(run: &Path, durable: bool) -> Answers {
        Answers { folder: run.join(FOLDER), written: HashSet::new(), durable }
    }

    /// Writes an answer unless there is an equal one. The file is complete when it gets its name.
    pub(super) fn add(&mut self, answer: &Transcript, redact: Option<&Redact>) -> Result<AnswerRecord, RunError> {
        let Value::Object(mut file) = answer.to_value() else { unreachable!("a transcript is an object") };
        for key in OF_CASE {
            file.shift_remove(key);
        }
        file.insert("format".to_owned(), FORMAT.into());
        let mut file = Value::Object(file);
        if let Some(redact) = redact {
            redact(&mut file);
        }
        let mut text = serde_json::to_vec_pretty(&file).expect("JSON values serialize");
        text.push(b'\n');
        let sha256 = hex(&Sha256::digest(&text));
        if !self.written.contains(&sha256) {
            self.write(&sha256, &text)?;
            self.written.insert(sha256.clone());
        }
        Ok(AnswerRecord {
            sha256,
            target: answer.target.clone(),
            recorded_at: answer.recorded_at.clone(),
            prompt: answer.prompt.clone(),
            setup_prompts: answer.setup_prompts.clone(),
            duration_ms: answer.duration_ms,
        })
    }

    fn write(&self, sha256: &str, text: &[u8]) -> Result<(), RunError> {
        let path = path(&self.folder, sha256);
        // The run is locked, so nobody else writes to this name.
        let draft = self.folder.join(".part");
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(text)?;
            if self.durable {
                file.sync_all()?;
            }
            fs::rename(&draft, &path)?;
            if self.durable { files::sync_folder(&path).map_err(io::Error::other) } else { Ok(()) }
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&draft);
            RunError::system("write", &path)(error)
        })
    }
}

/// The keys of a transcript that belong to one case and not to the answer.
const OF_CASE: [&str; 6] = ["case", "target", "recorded_at", "prompt", "setup_prompts", "duration_ms"];

/// The file of the answer with that hash.
pub(super) fn path(folder: &Path, sha256: &str) -> PathBuf {
    folder.join(format!("{sha256}.json"))
}

/// Reads the answer of a case from the run's folder `run`.
///
/// # Errors
/// If the file cannot be read, has other contents than those that were written, or is not an answer.
pub(super) fn read(run: &Path, case: &str, answer: &AnswerRecord) -> Result<Transcript, RunError> {
    // The name comes from a file and must not lead out of the folder.
    let path = path(&run.join(FOLDER), &transcript::file_name(&answer.sha256).replace(".json", ""));
    let bytes = fs::read(&path).map_err(RunError::system("read", &path))?;
    if hex(&Sha256::digest(&bytes)) != answer.sha256 {
        return Err(RunError::invalid(&path, "its contents were changed"));
    }
    let file: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|error| RunError::invalid(&path, error))?;
    let mut whole = Map::new();
    whole.insert("format".to_owned(), transcript::FORMAT.into());
    let of_case = [
        ("case", json!(case)),
        ("target", json!(answer.target)),
        ("recorded_at", json!(answer.recorded_at)),
        ("prompt", json!(answer.prompt)),
        ("setup_prompts", json!(answer.setup_prompts)),
        ("duration_ms", json!(answer.duration_ms)),
    ];
    whole.extend(of_case.into_iter().map(|(key, value)| (key.to_owned(), value)));
    whole.extend(file.into_iter().filter(|(key, _)| key != "format"));
    Transcript::parse(&Value::Object(whole).to_string()).map_err(|fault| RunError::invalid(&path, fault))
}
