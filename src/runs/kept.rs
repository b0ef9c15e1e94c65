use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::transcript::Transcript;

use super::folder::{CASES, PICTURES, RECORD, Reach};
use super::{CaseLine, FORMAT, RunError, RunRecord, answers};

/// A run that was kept.
#[derive(Clone, Debug)]
pub(crate) struct KeptRun {
    folder: PathBuf,
    record: RunRecord,
    /// The length of `run.json`, in bytes.
    length: u64,
    reach: Reach,
}

/// The largest file of a run that is read, in bytes.
pub(super) const MOST: u64 = 1 << 30;

/// The largest picture that is read, in bytes.
const MOST_OF_PICTURE: u64 = 64 << 20;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    /// It ended.
    Ended,
    /// A process continues it.
    Running,
    /// It was stopped or killed; `run --resume` runs the rest.
    Interrupted,
}

impl KeptRun {
    /// Reads the run in a folder.
    ///
    /// # Errors
    /// If `run.json` cannot be read or is not the record of a run.
    pub(crate) fn read(folder: &Path) -> Result<KeptRun, RunError> {
        KeptRun::read_by(&Reach::default(), folder)
    }

    /// The same with limits.
    pub(super) fn read_by(reach: &Reach, folder: &Path) -> Result<KeptRun, RunError> {
        let path = folder.join(RECORD);
        let bytes = reach.reader.read(&path, MOST).map_err(RunError::system("read", &path))?;
        let record: RunRecord = serde_json::from_slice(&bytes).map_err(|error| RunError::invalid(&path, error))?;
        if record.format != FORMAT {
            let found: String = record.format.escape_debug().take(40).collect();
            return Err(RunError::invalid(&path, format!("expected the format `{FORMAT}`, found `{found}`")));
        }
        Ok(KeptRun { folder: folder.to_owned(), record, length: bytes.len() as u64, reach: reach.clone() })
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its id, which is the name of its folder.
    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// What ran.
    pub(crate) fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The length of its `run.json`, in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn into_record(self) -> RunRecord {
        self.record
    }

    /// How far it is.
    pub(crate) fn state(&self) -> RunState {
        if self.record.ended_at.is_some() {
            return RunState::Ended;
        }
        match self.reach.reader.open(&self.folder.join(CASES)).map(|cases| cases.try_lock()) {
            Ok(Err(fs::TryLockError::WouldBlock)) => RunState::Running,
            _ => RunState::Interrupted,
        }
    }

    /// How the cases ended, in the order in which they ended; of a case that ended several times, the last. Lines that are
    /// not whole or not readable are left out.
    ///
    /// # Errors
    /// If `cases.jsonl` cannot be read.
    pub(crate) fn lines(&self) -> Result<Vec<CaseLine>, RunError> {
        let path = self.folder.join(CASES);
        let bytes = match self.reach.reader.read(&path, MOST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(RunError::system("read", &path))?,
        };
        let mut lines: Vec<CaseLine> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for line in whole_lines(&bytes).split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<CaseLine>(line) else { continue };
            // The suite may have been edited before the run was resumed: the place then belongs to another case.
            if !self.has_case(&line) {
                continue;
            }
            match places.entry((line.suite, line.index)) {
                std::collections::hash_map::Entry::Occupied(place) => lines[*place.get()] = line,
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(lines.len());
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    fn has_case(&self, line: &CaseLine) -> bool {
        let Some(suite) = self.record.suites.get(line.suite) else { return false };
        let place = suite.cases.binary_search_by_key(&line.index, |case| case.index);
        place.is_ok_and(|place| suite.cases[place].id == line.case)
    }

    /// The answer of a case; `None` if it gave none.
    ///
    /// # Errors
    /// If the answer's file cannot be read or was changed.
    pub(crate) fn answer(&self, line: &CaseLine) -> Result<Option<Transcript>, RunError> {
        line.answer.as_ref().map(|answer| self.recorded_answer(&line.case, answer)).transpose()
    }

    /// The answer with this record, which the case `case` gave in this run.
    ///
    /// # Errors
    /// If the answer's file cannot be read or was changed.
    pub(crate) fn recorded_answer(&self, case: &str, answer: &super::AnswerRecord) -> Result<Transcript, RunError> {
        answers::read(&self.reach, &self.folder, case, answer)
    }

    /// The picture of a case (PNG), if the run has it.
    pub(crate) fn picture(&self, line: &CaseLine) -> Option<Vec<u8>> {
        // The name comes from a file and must not lead out of the folder.
        let name = Path::new(line.picture.as_deref()?).file_name()?;
        self.reach.reader.read(&self.folder.join(PICTURES).join(name), MOST_OF_PICTURE).ok()
    }

    /// The hashes of the case with that index of the suite with that index, as they were at the run.
    pub(crate) fn hashes(&self, suite: usize, index: usize) -> Option<&super::CaseHashes> {
        let cases = &self.record.suites.get(suite)?.cases;
        let place = cases.binary_search_by_key(&index, |case| case.index).ok()?;
        Some(&cases[place].hashes)
    }
}

/// The bytes up to the last line break.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    &bytes[..end]
}
