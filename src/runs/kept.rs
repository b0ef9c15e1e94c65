//! Runs that are kept: reading them, and the lines of their cases.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Serialize};

use crate::clock::moment;
use crate::config::Keep;
use crate::diagnostic::quoted;
use crate::events::{CaseFinished, CaseRef};
use crate::files::{self, Folder};
use crate::text::{LineRange, hex};
use crate::transcript::Transcript;
use crate::verdict::{CaseResult, Status};

use super::folder::{CASES, PICTURES, RECORD, Reach};
use super::write::read_answer;
use super::{FORMAT, RunError, RunId, RunRecord, Runs};

/// A run that was kept.
#[derive(Clone, Debug)]
pub(crate) struct KeptRun {
    folder: PathBuf,
    id: RunId,
    /// Whether its folder is an entry of the folder of runs, which must not be a link. Else somebody has named the folder.
    is_listed: bool,
    record: RunRecord,
    /// The length of `run.json`, in bytes.
    length: u64,
    reach: Reach,
}

/// The largest file of a run that is read, in bytes.
pub(super) const MOST: u64 = 1 << 30;

/// The largest picture that is read, in bytes.
const MOST_OF_PICTURE: u64 = 64 << 20;

/// The first bytes of a PNG, by its specification.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    /// The run ended.
    Ended,
    /// A process continues it.
    Running,
    /// The run was stopped or killed; `run --resume` runs the rest.
    Interrupted,
}

impl KeptRun {
    /// Reads the run in a folder.
    ///
    /// # Errors
    /// If `run.json` cannot be read or is not the record of a run.
    pub(crate) fn read(folder: &Path) -> Result<KeptRun, RunError> {
        let reach = Reach::default();
        let opened = reach.reader.folder(folder).map_err(RunError::system("open", folder))?;
        let (record, length) = read_record(&opened, folder)?;
        // Its folder may have any name: artifacts of CI are downloaded into folders with other names.
        let id = RunId::new(&record.id).ok_or_else(|| {
            RunError::invalid(&folder.join(RECORD), format!("{} is not the id of a run", quoted(&record.id)))
        })?;
        Ok(KeptRun { folder: folder.to_owned(), id, is_listed: false, record, length, reach })
    }

    /// Reads the run with that id in the folder of runs at `runs`. `folder` is its folder.
    pub(super) fn listed(reach: &Reach, runs: &Path, id: RunId, folder: &Folder) -> Result<KeptRun, RunError> {
        let path = runs.join(id.as_str());
        let (record, length) = read_record(folder, &path)?;
        if id != *record.id {
            let reason = format!("its id is {}, which is not the name of its folder", quoted(&record.id));
            return Err(RunError::invalid(&path.join(RECORD), reason));
        }
        Ok(KeptRun { folder: path, id, is_listed: true, record, length, reach: reach.clone() })
    }

    /// Opens its folder.
    pub(super) fn opened(&self) -> io::Result<Folder> {
        let reader = &self.reach.reader;
        match self.folder.parent().filter(|_| self.is_listed) {
            Some(runs) => reader.folder(runs)?.enter(self.id.as_str()),
            None => reader.folder(&self.folder),
        }
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The id. It is the name of its folder, unless somebody has named a folder elsewhere.
    pub(crate) fn id(&self) -> &RunId {
        &self.id
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
        if self.is_in_use() { RunState::Running } else { RunState::Interrupted }
    }

    /// Whether a process writes it, or has written it and still reads it.
    pub(super) fn is_in_use(&self) -> bool {
        // Several processes may look at once, so the lock is shared.
        let locked = self.opened().and_then(|folder| folder.file(CASES)).map(|cases| cases.try_lock_shared());
        matches!(locked, Ok(Err(fs::TryLockError::WouldBlock)))
    }

    /// The length of `cases.jsonl` in bytes, and when it was changed.
    pub(crate) fn stamp(&self) -> Option<(u64, SystemTime)> {
        let metadata = self.opened().ok()?.metadata(CASES).ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// For how long it ran, in milliseconds. Of a part that was killed, the time until its last case ended counts.
    pub(super) fn duration_ms(&self) -> u64 {
        let record = &self.record;
        let before = record.duration_ms.unwrap_or_default();
        if record.cancelled || record.ended_at.is_some() {
            return before;
        }
        let began = moment(record.resumed_at.last().unwrap_or(&record.started_at));
        let part = began.zip(self.stamp()).and_then(|(began, (_, last))| last.duration_since(began).ok());
        before.saturating_add(part.map_or(0, |part: Duration| part.as_millis() as u64))
    }

    /// How the cases ended, in the order in which they ended; of a case that ended several times, the last. Lines that are
    /// not whole or not readable are left out.
    ///
    /// # Errors
    /// If `cases.jsonl` cannot be read, or was changed after the run had ended.
    pub(crate) fn lines(&self) -> Result<Vec<CaseLine>, RunError> {
        let mut lines: Vec<CaseLine> = Vec::new();
        let mut places = HashMap::new();
        for line in self.all_lines()?.into_iter().filter(|line| line.attempt.is_none()) {
            match places.entry((line.suite, line.index)) {
                Entry::Occupied(place) => lines[*place.get()] = line,
                Entry::Vacant(place) => {
                    place.insert(lines.len());
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    /// The attempts that ended, by the suite and the index of the case, in order.
    ///
    /// # Errors
    /// As those of [`lines`](Self::lines).
    pub(crate) fn attempts(&self) -> Result<HashMap<(usize, usize), Vec<CaseLine>>, RunError> {
        let mut attempts: HashMap<_, Vec<CaseLine>> = HashMap::new();
        for line in self.all_lines()? {
            let Some(number) = line.attempt else { continue };
            let of_case = attempts.entry((line.suite, line.index)).or_default();
            // A case that was edited has begun again.
            of_case.truncate(number - 1);
            of_case.push(line);
        }
        Ok(attempts)
    }

    fn all_lines(&self) -> Result<Vec<CaseLine>, RunError> {
        let path = self.folder.join(CASES);
        let bytes = match self.opened().and_then(|folder| folder.read(CASES, MOST)) {
            // A run that ended has lines, so somebody has removed them.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.record.lines.is_none() => Vec::new(),
            read => read.map_err(RunError::system("read", &path))?,
        };
        if self.record.lines.as_ref().is_some_and(|written| !written.is_of(&bytes)) {
            return Err(RunError::Changed(path));
        }
        let mut lines: Vec<CaseLine> = Vec::new();
        for line in whole_lines(&bytes).split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<CaseLine>(line) else { continue };
            // The suite may have been edited before the run was resumed: the place then belongs to another case.
            if !self.has_case(&line) || line.attempt == Some(0) {
                continue;
            }
            if line.status != line.result.status {
                let reason = format!("the line of the case {} has two statuses", quoted(&line.case));
                return Err(RunError::invalid(&path, reason));
            }
            lines.push(line);
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
    pub(crate) fn recorded_answer(&self, case: &str, answer: &AnswerRecord) -> Result<Transcript, RunError> {
        let folder = self.opened().map_err(RunError::system("open", &self.folder))?;
        read_answer(&folder, &self.folder, self.reach.answer, case, answer)
    }

    /// The answers to the cases of the suite at `path`, each with the id of its case: one for each attempt. The paths of suites count
    /// from `root`.
    ///
    /// # Errors
    /// If `cases.jsonl` cannot be read; for an answer, if its file cannot be read or was changed.
    pub(crate) fn answers_to<'a>(
        &'a self,
        root: &Path,
        path: &Path,
    ) -> Result<impl Iterator<Item = Result<(String, Transcript), RunError>> + use<'a>, RunError> {
        let suites = &self.record.suites;
        let here: Vec<bool> = suites.iter().map(|suite| root.join(&suite.path) == path).collect();
        let of_suite = self.lines()?.into_iter().filter(move |line| here.get(line.suite).is_some_and(|here| *here));
        let records = of_suite.flat_map(|line| {
            let records: Vec<AnswerRecord> = match &line.attempts[..] {
                [] => line.answer.into_iter().collect(),
                attempts => attempts.iter().flatten().cloned().collect(),
            };
            records.into_iter().map(move |record| (line.case.clone(), record))
        });
        Ok(records.map(|(case, record)| {
            let answer = self.recorded_answer(&case, &record)?;
            Ok((case, answer))
        }))
    }

    /// The picture of a case (PNG), if the run has it. A file that is not a PNG is none.
    ///
    /// # Errors
    /// If it has more than `most` bytes. It is not read then.
    pub(crate) fn picture(&self, line: &CaseLine, most: u64) -> Option<io::Result<Vec<u8>>> {
        let name = line.picture.as_deref()?.strip_prefix(PICTURES)?.strip_prefix('/')?;
        match self.opened().ok()?.enter(PICTURES).ok()?.read(name, most.min(MOST_OF_PICTURE)) {
            Ok(picture) => picture.starts_with(PNG).then_some(Ok(picture)),
            Err(error) => (error.kind() == io::ErrorKind::FileTooLarge).then_some(Err(error)),
        }
    }
}

/// Reads `run.json` in the folder at `path`. Returns the record, and the length of the file in bytes.
fn read_record(folder: &Folder, path: &Path) -> Result<(RunRecord, u64), RunError> {
    let path = path.join(RECORD);
    let bytes = folder.read(RECORD, MOST).map_err(RunError::system("read", &path))?;
    let record: RunRecord = serde_json::from_slice(&bytes).map_err(|error| RunError::invalid(&path, error))?;
    if record.format != FORMAT {
        let found: String = record.format.escape_debug().take(40).collect();
        return Err(RunError::invalid(&path, format!("expected the format `{FORMAT}`, found `{found}`")));
    }
    Ok((record, bytes.len() as u64))
}

/// The bytes up to the last line break.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    &bytes[..end]
}

/// The content of `cases.jsonl` when the run ended. A program that was asked, or another one, may have changed the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinesRecord {
    /// The length in bytes.
    length: u64,
    /// The SHA-256, in hexadecimal.
    sha256: String,
}

/// The lines as they are written.
#[derive(Default)]
pub(super) struct WrittenLines {
    length: u64,
    hash: Sha256,
}

impl LinesRecord {
    /// Whether these are the lines that were written.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        let mut written = WrittenLines::default();
        written.add(bytes);
        *self == written.record()
    }
}

impl WrittenLines {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hash.update(bytes);
    }

    pub(super) fn record(&self) -> LinesRecord {
        LinesRecord { length: self.length, sha256: hex(&self.hash.finalize()) }
    }
}

/// How old a leftover of a killed process must be to be removed: no process takes that long to create or remove a run.
const LEFTOVER: Duration = Duration::from_secs(60 * 60);

/// How the names of leftovers start: of a folder that becomes a run or is no longer one, and of a new `latest`.
const LEFTOVERS: [&str; 3] = [".new-", ".gone-", ".latest-"];

impl Runs {
    /// Removes the runs that are neither among the last ones that `keep` counts nor young enough, and what killed processes
    /// left behind. The last run, and runs that continue, always stay. Returns the ids of the removed runs.
    ///
    /// # Errors
    /// If a run cannot be removed. The others are removed anyway, and the first error is returned.
    pub(crate) fn collect_garbage(&self, keep: &Keep, now: SystemTime) -> Result<Vec<RunId>, RunError> {
        if !self.may_remove() {
            return Ok(Vec::new());
        }
        self.remove_leftovers(now);
        let (mut removed, mut fault) = (Vec::new(), None);
        for (place, run) in self.list().into_iter().enumerate() {
            let is_counted = keep.runs.is_none_or(|most| place < most.get()) && keep.runs.is_some();
            let is_young = keep.days.is_some_and(|days| is_younger(&run, days, now));
            let is_unlimited = keep.runs.is_none() && keep.days.is_none();
            if place == 0 || is_counted || is_young || is_unlimited || run.is_in_use() {
                continue;
            }
            match self.remove(run.id()) {
                Ok(()) => removed.push(run.id().clone()),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(removed), Err)
    }

    fn remove_leftovers(&self, now: SystemTime) {
        files::remove_drafts(self.path(), now);
        let (Ok(folder), Ok(entries)) = (self.opened(), fs::read_dir(self.path())) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let modified = entry.metadata().and_then(|data| data.modified());
            let is_old = modified.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > LEFTOVER));
            if is_old && LEFTOVERS.iter().any(|start| name.starts_with(start)) {
                // The next call tries again.
                let _ = folder.remove(&name);
            }
        }
    }
}

fn is_younger(run: &KeptRun, days: u32, now: SystemTime) -> bool {
    let started = moment(&run.record().started_at);
    let limit = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    // A run from the future is young: clocks jump.
    started.is_none_or(|started| now.duration_since(started).is_ok_and(|age| age <= limit) || started > now)
}

/// A line of `cases.jsonl`: how a case ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseLine {
    /// The index of its suite in `run.json`.
    pub(crate) suite: usize,
    /// The index among the suite's cases, from 0.
    pub(crate) index: usize,
    /// The id; empty if it has none.
    pub(crate) case: String,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// The number of the attempt, from 1, if the line is about one attempt at a case that runs several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<usize>,
    /// The duration in the run, in milliseconds.
    #[serde(default)]
    pub(crate) duration_ms: u64,
    /// The range of its id in the suite.
    pub(crate) range: LineRange,
    /// The file of its transcript, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) transcript: Option<String>,
    /// The answer, if it has one.
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

impl CaseLine {
    /// The event of the case. `suite` is the path of its suite in events, and `resumed` is whether the line is of a run that
    /// continues.
    pub(crate) fn event(&self, suite: String, resumed: bool) -> CaseFinished {
        CaseFinished {
            case: CaseRef { suite, case: self.case.clone(), index: self.index, range: self.range },
            status: self.status,
            resumed,
            duration_ms: self.duration_ms,
            transcript: self.transcript.clone(),
            not_stored: None,
            answer: None,
            result: Arc::clone(&self.result),
        }
    }
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
