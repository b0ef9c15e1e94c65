use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::files;
use crate::text::LineRange;
use crate::verdict::{CaseResult, Status};

use super::RunError;
use super::kept::MOST;

/// A line of `cases.jsonl`: how a case ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseLine {
    /// The index of its suite in `run.json`.
    pub(crate) suite: usize,
    /// Its index among the suite's cases, from 0.
    pub(crate) index: usize,
    /// Its id; empty if it has none.
    pub(crate) case: String,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Whether it has not ended, because the run was cancelled: `--resume` runs it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cancelled: bool,
    /// The number of the attempt, from 1, if the line is about one attempt at a case that runs several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<usize>,
    /// Its duration in the run, in milliseconds.
    #[serde(default)]
    pub(crate) duration_ms: u64,
    /// The range of its id in the suite.
    pub(crate) range: LineRange,
    /// The file of its transcript, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) transcript: Option<String>,
    /// Its answer, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerRecord>,
    /// The answer of each attempt if the case ran several times; `null` for an attempt without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attempts: Vec<Option<AnswerRecord>>,
    /// The picture of the app, relative to the run's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) picture: Option<String>,
    /// The result.
    pub(crate) result: Arc<CaseResult>,
}

/// An answer: where it is in the file of the answers, and what belongs to this case alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnswerRecord {
    /// The SHA-256 of its text, in hexadecimal.
    pub(crate) sha256: String,
    /// The first byte of its text in the file.
    pub(crate) start: u64,
    /// The length of its text in bytes.
    pub(crate) length: u64,
    /// The name of the target that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// The hash of the files of the program that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    /// The time of the recording: a date and time of RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recorded_at: Option<String>,
    /// The prompt that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prompt: Option<String>,
    /// The prompts that were sent before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) setup_prompts: Option<Vec<String>>,
    /// How long the answer took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration_ms: Option<u64>,
}

/// A result file: `minimum-eval-results-<time>.json`, also one of the shell runner, which has fewer keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct ResultFile {
    /// The file.
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// The time of the run: a date and time of RFC 3339.
    #[serde(default)]
    pub(crate) generated_at: String,
    /// The suite's path, as it was given.
    pub(crate) eval_file: String,
    /// The cases, in the suite's order.
    pub(crate) cases: Vec<CaseResult>,
}

impl ResultFile {
    /// Reads a result file. Unknown keys are ignored, and keys that later versions added may be missing.
    ///
    /// # Errors
    /// If the file cannot be read or is not a result.
    pub(crate) fn read(path: &Path) -> Result<ResultFile, RunError> {
        let bytes = files::read(path, MOST).map_err(RunError::system("read", path))?;
        let file: ResultFile = serde_json::from_slice(&bytes).map_err(|error| RunError::invalid(path, error))?;
        Ok(ResultFile { path: path.to_owned(), ..file })
    }

    /// The result files in a folder, the last one first by its name. Other files, and links, are left out.
    pub(crate) fn list(folder: &Path) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let is_result = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("minimum-eval-results-") && name.ends_with(".json")
        };
        let entries = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(is_result).collect();
        files.sort();
        files.reverse();
        files
    }
}
