use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files;
use crate::verdict::CaseResult;

use super::RunError;
use super::kept::MOST;

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
