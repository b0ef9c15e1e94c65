//! Writing a run while it happens. Its answers are one after the other in one file; equal answers are kept once. And what can be wrong with a kept run.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hmac_sha256::Hash as Sha256;
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::clock;
use crate::events::{CaseFinished, RunFinished};
use crate::files::{self, Access, FileError, Folder};
use crate::text::hex;
use crate::transcript::{self, Transcript};

use super::folder::{CASES, PICTURES, RECORD};
use super::kept::{MOST, WrittenLines, whole_lines};
use super::{AnswerRecord, CaseLine, RunId, RunRecord, Runs, SuiteRecord, TargetRecord};

/// Removes secrets from a value before it is written.
pub(crate) type Redact = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// A run that is being written. The process holds a lock on `cases.jsonl`, which the system releases when the process ends:
/// a run without an end and without a lock was interrupted. Dropping this leaves the run interrupted.
pub(crate) struct OpenRun {
    folder: PathBuf,
    record: RunRecord,
    cases: File,
    answers: Answers,
    redact: Option<Redact>,
    durable: bool,
    /// The number of whole lines in `cases.jsonl`.
    len: usize,
    /// What this process has written to `cases.jsonl`, and found there when it continued the run.
    written: WrittenLines,
    /// Whether an error has ended the writing.
    broken: bool,
}

/// A case that ended, or an attempt at it, and what it left behind.
#[derive(Debug)]
pub(crate) struct EndedCase {
    /// The index of its suite in the record.
    pub(crate) suite: usize,
    /// The case.
    pub(crate) case: Box<CaseFinished>,
    /// The number of the attempt, from 1, if it is one.
    pub(crate) attempt: Option<usize>,
    /// The answer.
    pub(crate) answer: Option<Transcript>,
    /// The answer of each attempt, if the case ran several times.
    pub(crate) attempts: Vec<Option<Transcript>>,
    /// A picture of the app after the case (PNG).
    pub(crate) picture: Option<Vec<u8>>,
}

impl OpenRun {
    /// Creates the folder of a run in `runs` and makes it the latest. If there are secrets to remove, only the user may enter it.
    /// The record gets its id. With `durable` each case is flushed to disk.
    ///
    /// # Errors
    /// If the folder or a file in it cannot be written. Nothing is left of it then.
    pub(crate) fn create(
        runs: &Runs,
        mut record: RunRecord,
        redact: Option<Redact>,
        durable: bool,
    ) -> Result<OpenRun, RunError> {
        runs.prepare()?;
        let started = OffsetDateTime::parse(&record.started_at, &Rfc3339).unwrap_or_else(|_| clock::now());
        // Readers see the folder only when it is complete.
        let draft = tempfile::Builder::new().prefix(".new-").tempdir_in(runs.path());
        let draft = draft.map_err(RunError::system("create a folder in", runs.path()))?;
        #[cfg(unix)]
        if redact.is_some() {
            use std::os::unix::fs::PermissionsExt as _;
            let private = fs::set_permissions(draft.path(), fs::Permissions::from_mode(0o700));
            private.map_err(RunError::system("write", draft.path()))?;
        }
        let pictures = draft.path().join(PICTURES);
        fs::create_dir(&pictures).map_err(RunError::system("create", &pictures))?;
        let answers = draft.path().join(ANSWERS);
        File::create_new(&answers).map_err(RunError::system("create", &answers))?;
        let path = draft.path().join(CASES);
        let cases = OpenOptions::new().read(true).append(true).create_new(true).open(&path);
        let cases = cases.map_err(RunError::system("create", &path))?;
        // On a file system without locks, a run that continues looks interrupted.
        let _ = cases.try_lock();
        let seed = draft.path().to_string_lossy().into_owned();
        let mut id = RunId::at(started, &seed, None);
        let folder = loop {
            id.as_str().clone_into(&mut record.id);
            files::replace_with(&draft.path().join(RECORD), Access::Shared, |file| {
                record.write(redact.as_ref(), file)
            })?;
            let folder = runs.path().join(id.as_str());
            if !folder.exists() {
                fs::rename(draft.path(), &folder).map_err(RunError::system("create", &folder))?;
                break folder;
            }
            id = RunId::at(started, &seed, Some(&id));
        };
        // The folder has its name now, so there is nothing to remove.
        let _ = draft.keep();
        files::sync_folder(&folder)?;
        runs.set_latest(&id)?;
        let opened = runs.opened()?.enter(id.as_str()).map_err(RunError::system("open", &folder))?;
        let answers = Answers::open(&opened, &folder)?;
        let written = WrittenLines::default();
        Ok(OpenRun { folder, record, cases, answers, redact, durable, len: 0, written, broken: false })
    }

    /// Opens an interrupted run again. Half a line at the end of `cases.jsonl` is removed. Returns the lines of the cases
    /// that had ended.
    ///
    /// # Errors
    /// If the run continues in another process, or its files cannot be read or written. If one of them is a link or has several
    /// names, nothing is written.
    pub(crate) fn resume(
        runs: &Runs,
        id: &RunId,
        redact: Option<Redact>,
        durable: bool,
    ) -> Result<(OpenRun, Vec<CaseLine>), RunError> {
        let kept = runs.open(id)?;
        let (folder, path) = (kept.folder().to_owned(), kept.folder().join(CASES));
        let opened = kept.opened().map_err(RunError::system("open", &folder))?;
        let answers = Answers::open(&opened, &folder)?;
        let pictures = folder.join(PICTURES);
        opened.enter(PICTURES).map_err(RunError::system("open", &pictures))?;
        let cases = opened.file_to_extend(CASES).map_err(RunError::system("open", &path))?;
        if let Err(fs::TryLockError::WouldBlock) = cases.try_lock() {
            return Err(RunError::Running(id.clone()));
        }
        let bytes = opened.read(CASES, MOST).map_err(RunError::system("read", &path))?;
        let lines = kept.lines()?;
        let whole = whole_lines(&bytes);
        cases.set_len(whole.len() as u64).map_err(RunError::system("write", &path))?;
        let mut written = WrittenLines::default();
        written.add(whole);
        let duration_ms = kept.duration_ms();
        let mut record = kept.into_record();
        record.resumed_at.push(clock::rfc3339(clock::now()));
        (record.ended_at, record.duration_ms, record.summary, record.not_run) = (None, Some(duration_ms), None, None);
        (record.cancelled, record.lines) = (false, None);
        let len = lines.len();
        let open = OpenRun { folder, record, cases, answers, redact, durable, len, written, broken: false };
        open.write_record()?;
        runs.set_latest(id)?;
        Ok((open, lines))
    }

    /// The run's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The record as it is now.
    pub(crate) fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The number of cases in the folder.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether an earlier error ended the writing. The run then stays interrupted.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Writes how a case ended: its answers and its picture, and then its line. After the first error, does nothing and
    /// returns `Ok`: the folder then has the first of all cases.
    ///
    /// # Errors
    /// If something cannot be written.
    pub(crate) fn add(&mut self, ended: &EndedCase) -> Result<(), RunError> {
        if self.broken {
            return Ok(());
        }
        let added = self.line(ended).and_then(|line| self.write_line(&line));
        match added {
            Ok(()) => self.len += usize::from(ended.attempt.is_none()),
            Err(_) => self.broken = true,
        }
        added
    }

    /// The line of a case, after its answers and its picture are written.
    fn line(&mut self, ended: &EndedCase) -> Result<Vec<u8>, RunError> {
        let EndedCase { suite, case, attempt, answer, attempts, picture } = ended;
        let mut add = |answer: &Transcript| self.answers.add(answer, self.redact.as_ref());
        let answer = answer.as_ref().map(&mut add).transpose()?;
        let attempts = attempts.iter().map(|attempt| attempt.as_ref().map(&mut add).transpose());
        let attempts = attempts.collect::<Result<_, _>>()?;
        if self.durable {
            self.answers.sync()?;
        }
        let picture = picture.as_ref().map(|picture| self.write_picture(*suite, case, picture)).transpose()?;
        let line = CaseLine {
            suite: *suite,
            index: case.case.index,
            case: case.case.case.clone(),
            status: case.status,
            attempt: *attempt,
            duration_ms: case.duration_ms,
            range: case.case.range,
            transcript: case.transcript.clone(),
            answer,
            attempts,
            picture,
            result: Arc::clone(&case.result),
        };
        const KEYS: &str = "lines have only keys that are strings";
        let mut written = match &self.redact {
            None => serde_json::to_vec(&line).expect(KEYS),
            Some(redact) => {
                let mut value = serde_json::to_value(&line).expect(KEYS);
                redact(&mut value);
                serde_json::to_vec(&value).expect(KEYS)
            }
        };
        written.push(b'\n');
        Ok(written)
    }

    fn write_line(&mut self, line: &[u8]) -> Result<(), RunError> {
        let path = self.folder.join(CASES);
        let before = self.cases.seek(SeekFrom::End(0)).map_err(RunError::system("write", &path))?;
        let written =
            self.cases.write_all(line).and_then(|()| if self.durable { self.cases.sync_data() } else { Ok(()) });
        if let Err(error) = written {
            // On a full disk a part of the line may be there. Cutting it off needs no space.
            let _ = self.cases.set_len(before);
            return Err(RunError::system("write", &path)(error));
        }
        self.written.add(line);
        Ok(())
    }

    fn write_picture(&self, suite: usize, case: &CaseFinished, picture: &[u8]) -> Result<String, RunError> {
        let name = transcript::file_name(&format!("{suite}-{}", case.case.case)).replace(".json", ".png");
        let name = format!("{PICTURES}/{name}");
        files::replace(&self.folder.join(&name), picture)?;
        Ok(name)
    }

    /// Replaces the suites of the record, which may have been edited before the run continues.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(crate) fn go_on(&mut self, suites: Vec<SuiteRecord>) -> Result<(), RunError> {
        self.record.suites = suites;
        self.write_record()
    }

    /// Notes that its program has changed, if it is another one than that of `target`.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(crate) fn note_program(&mut self, target: &TargetRecord) -> Result<(), RunError> {
        self.record.target.mixed |= self.record.target.has_other_files(target);
        self.write_record()
    }

    /// Adds the names of the result files of the run; a run that was resumed has those of each part.
    pub(crate) fn add_results(&mut self, names: impl Iterator<Item = String>) {
        self.record.results.extend(names);
    }

    /// Writes the end of the run, and keeps its lock: other processes do not remove it until this is dropped. A run that could
    /// not be written to its end stays interrupted.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(crate) fn finish(&mut self, finished: &RunFinished) -> Result<(), RunError> {
        if self.broken {
            return Ok(());
        }
        self.cases.sync_all().map_err(RunError::system("write", &self.folder.join(CASES)))?;
        // Somebody may have removed the folder. Writing the record would create it again, without the cases.
        for path in [CASES, ANSWERS].map(|name| self.folder.join(name)) {
            fs::metadata(&path).map_err(RunError::system("finish the run without the file", &path))?;
        }
        self.record.duration_ms = Some(finished.duration_ms);
        self.record.cancelled = finished.cancelled;
        self.record.not_run = Some(finished.not_run);
        self.record.summary = Some(finished.summary.clone());
        self.record.lines = Some(self.written.record());
        // A cancelled run can be resumed, so it has no end.
        if !finished.cancelled {
            self.record.ended_at = Some(clock::rfc3339(clock::now()));
        }
        self.write_record()
    }

    fn write_record(&self) -> Result<(), RunError> {
        let path = self.folder.join(RECORD);
        Ok(files::replace_with(&path, Access::Shared, |file| self.record.write(self.redact.as_ref(), file))?)
    }
}

impl fmt::Debug for OpenRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenRun").field("folder", &self.folder).finish_non_exhaustive()
    }
}

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
const MOST_OF_ANSWER: u64 = 128 << 20;

/// Reads the answer of a case from the run's folder, which is at `path`. `memory` is the most that it may need, in bytes.
///
/// # Errors
/// If the file cannot be read, has other contents than those that were written, or the text is not an answer.
pub(super) fn read_answer(
    folder: &Folder,
    path: &Path,
    memory: u64,
    case: &str,
    answer: &AnswerRecord,
) -> Result<Transcript, RunError> {
    let path = path.join(ANSWERS);
    let bytes = folder.read_part(ANSWERS, answer.start, answer.length.min(MOST_OF_ANSWER));
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
