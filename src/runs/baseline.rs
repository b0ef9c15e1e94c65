use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::filed::{Filed, file_name};
use crate::files::{self, Reader};
use crate::verdict::Status;

use super::{CaseHashes, RunError};

/// The name of the format of a baseline.
pub(crate) const BASELINE_FORMAT: &str = "eval-ls/baseline@1";

/// The most entries of a folder that are looked at: more than anybody has, and read at once.
const MOST_ENTRIES: usize = 20_000;

/// The largest file that is read, in bytes.
const MOST: u64 = 64 << 20;

/// What a suite and a target are measured by: how the cases did in one run or in several. The file is under version control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    /// [`BASELINE_FORMAT`].
    pub(crate) format: String,
    /// The suite's file name.
    pub(crate) suite: String,
    /// The target's name.
    pub(crate) target: String,
    /// The runs, in order.
    pub(crate) runs: Vec<BaselineRun>,
    /// The cases, in the order of the suite.
    pub(crate) cases: Vec<BaselineCase>,
}

/// A run of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BaselineRun {
    /// Its id.
    pub(crate) id: String,
    /// Its start.
    pub(crate) started_at: String,
    /// The git commit, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
}

/// A case of a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BaselineCase {
    /// Its id.
    pub(crate) id: String,
    /// The hashes of what decides its verdict, apart from the answer.
    #[serde(flatten)]
    pub(crate) hashes: CaseHashes,
    /// The judged attempts, the best first.
    pub(crate) attempts: Vec<BaselineAttempt>,
}

/// A judged attempt of a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BaselineAttempt {
    /// The status of its verdict.
    pub(crate) status: Status,
    /// The ids of the checks that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) failed: Vec<String>,
}

impl Baseline {
    /// The file of the baseline of a suite and a target.
    pub(crate) fn path(suite: &Path, target: &str) -> PathBuf {
        Filed::Baseline.path(suite, target)
    }

    /// The baselines for a target in the folder of suites whose suite is not there any more.
    pub(crate) fn without_suite(folder: &Path, target: &str) -> Vec<PathBuf> {
        let named = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.take(MOST_ENTRIES).map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let suites: HashSet<_> = named(folder).iter().filter_map(|path| Some(path.file_stem()?.to_owned())).collect();
        let end = format!(".{}", file_name(target));
        let is_left = |path: &PathBuf| {
            let name = path.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_suffix(&end));
            name.is_some_and(|suite| !suites.contains(OsStr::new(suite)))
        };
        let mut left: Vec<_> =
            named(&Filed::Baseline.shelf(&folder.join("suite"))).into_iter().filter(is_left).collect();
        left.sort();
        left
    }

    /// Reads a baseline; `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a baseline.
    pub(crate) fn read(path: &Path) -> Result<Option<Baseline>, RunError> {
        Baseline::read_by(&Reader::default(), path)
    }

    /// The same with a reader of files.
    ///
    /// # Errors
    /// As those of [`read`](Self::read).
    pub(crate) fn read_by(reader: &Reader, path: &Path) -> Result<Option<Baseline>, RunError> {
        let bytes = match reader.read(path, MOST) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(RunError::system("read", path))?,
        };
        let invalid = |reason: String| RunError::NoBaseline { path: path.to_owned(), reason };
        let baseline: Baseline = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
        if baseline.format != BASELINE_FORMAT {
            let found: String = baseline.format.escape_debug().take(40).collect();
            return Err(invalid(format!("expected the format `{BASELINE_FORMAT}`, found `{found}`")));
        }
        Ok(Some(baseline))
    }

    /// Moves what is known of the case `old`, whose hashes are `then`, to the case `new`, whose hashes are `now`. Returns the text of the
    /// file; `None` if it does not have the case.
    pub(crate) fn renamed(mut self, old: &str, new: &str, then: &CaseHashes, now: &CaseHashes) -> Option<String> {
        let case = self.cases.iter_mut().find(|case| case.id == old)?;
        new.clone_into(&mut case.id);
        // A case that was edited before stays edited.
        if case.hashes == *then {
            case.hashes = now.clone();
        }
        Some(self.text())
    }

    /// The text of the file. Equal baselines have equal bytes.
    fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("baselines have only keys that are strings");
        text.push('\n');
        text
    }

    /// Writes the baseline. Equal baselines have equal bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<(), RunError> {
        Ok(files::replace(path, self.text().as_bytes())?)
    }
}
