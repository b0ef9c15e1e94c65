//! The answers of the cases of open suites: the transcripts on disk, the answers of kept runs, and the answers of this
//! session's live runs, which are also in memory. Beside them, the baselines of the suites.
//!
//! A separate thread reads the files, and judges their changes before they are announced. It reads them when a suite is
//! opened or configured, when a file is saved, and when the client reports changed files. If nothing has changed, it
//! reads only the folder.

mod accepted;
mod budget;
mod files;
mod from_runs;
mod reader;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tower_lsp_server::ls_types::Uri;

pub(in crate::lsp) use accepted::Accepted;
pub(in crate::lsp) use budget::{Allowance, MAX_MEMORY, Memory};
pub(in crate::lsp) use files::Files;
pub(in crate::lsp) use from_runs::FromRuns;
pub(in crate::lsp) use reader::{read_closed, start};

use self::budget::MAX_ANSWER_MEMORY;
use crate::analysis::{Answer, Answers, RunFailure};
use crate::config::Config;
use crate::transcript::{Transcript, Wanted};

/// The largest transcript that the editor reads, in bytes. No ordinary response is that long.
pub(in crate::lsp) const MAX_BYTES: u64 = 16 << 20;

/// See the module's page.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Transcripts {
    suites: HashMap<Uri, OfSuite>,
    /// The suites whose files must be read, the longest waiting first, each once.
    to_read: VecDeque<Uri>,
    /// The suites that were edited and have files of no case, each once. They are read if one of the files is that of a case now.
    edited: HashSet<Uri>,
    /// The suites whose answers have changed since the last call.
    changed: Vec<Uri>,
}

#[derive(Debug, Default)]
struct OfSuite {
    /// Its file; `None` for a suite that is not open, or has no file.
    path: Option<PathBuf>,
    files: Files,
    /// Whether the files were read under its configuration.
    is_read: bool,
    live: HashMap<String, Live>,
    answers: Arc<Answers>,
}

/// Why an answer of a live run is not in memory.
const TOO_LARGE: &str = "the answer is too large for the editor to keep; `eval-ls rescore` judges it";

/// An answer in memory.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Live {
    answer: Arc<Answer>,
    since: SystemTime,
    /// The transcript as it was recorded; `None` if the target gave no answer.
    recorded: Option<Arc<Transcript>>,
}

/// The files of a suite that must be read.
#[derive(Debug)]
pub(in crate::lsp) struct ToRead {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) path: PathBuf,
    pub(in crate::lsp) config: Arc<Config>,
    /// The known files.
    pub(in crate::lsp) known: Files,
    /// The memory for them.
    pub(in crate::lsp) allowance: Allowance,
    /// Whether they are read only if one of them has become that of a case.
    pub(in crate::lsp) only_if_lacking: bool,
}

impl Transcripts {
    /// The answers of a suite.
    pub(in crate::lsp) fn answers(&self, uri: &Uri) -> Arc<Answers> {
        self.suites.get(uri).map(|suite| Arc::clone(&suite.answers)).unwrap_or_default()
    }

    /// Whether the files of an open suite were read. Until then, its answers on disk are unknown.
    pub(in crate::lsp) fn are_read(&self, uri: &Uri) -> bool {
        self.suites.get(uri).is_some_and(|suite| suite.is_read)
    }

    /// The memory for the answers of a suite.
    pub(in crate::lsp) fn memory(&self, uri: &Uri) -> Memory {
        self.suites.get(uri).map(OfSuite::memory).unwrap_or_default()
    }

    /// The memory for the answers of all suites, in bytes.
    pub(in crate::lsp) fn all_memory(&self) -> u64 {
        self.suites.values().map(|suite| suite.memory().sum()).sum()
    }

    /// What is left of the memory if a suite has none yet, in bytes.
    fn left_beside(&self, uri: &Uri) -> u64 {
        let others = self.suites.iter().filter(|(other, _)| *other != uri);
        MAX_MEMORY.saturating_sub(others.map(|(_, suite)| suite.memory().sum()).sum())
    }

    /// The answers in memory of a suite, open or not, by the ids of the cases.
    pub(in crate::lsp) fn live(&self, uri: &Uri) -> HashMap<String, Live> {
        self.suites.get(uri).map(|suite| suite.live.clone()).unwrap_or_default()
    }

    /// Records that a suite is open, and its configuration. If this is new, its files are read.
    pub(in crate::lsp) fn configure(&mut self, uri: &Uri, path: Option<&Path>, config: &Arc<Config>) {
        let suite = self.suites.entry(uri.clone()).or_default();
        let is_new = suite.path.as_deref() != path || !Arc::ptr_eq(suite.answers.config(), config);
        if is_new {
            suite.path = path.map(Path::to_owned);
            suite.is_read = false;
            suite.view(&Wanted::by(config));
            suite.combine(Arc::clone(config));
            self.look_at(uri);
        }
    }

    /// Records that a suite is no longer open. Answers in memory stay.
    pub(in crate::lsp) fn close(&mut self, uri: &Uri) {
        if let Some(suite) = self.suites.get_mut(uri) {
            suite.path = None;
            suite.is_read = false;
            suite.files = Files::default();
            suite.combine(Arc::default());
        }
        // There is more memory for the others now.
        let short: Vec<Uri> =
            self.suites.iter().filter(|(_, suite)| suite.memory().left_out > 0).map(|(uri, _)| uri.clone()).collect();
        short.iter().for_each(|uri| self.look_at(uri));
        self.suites.retain(|_, suite| suite.path.is_some() || !suite.live.is_empty());
    }

    /// Stores an answer of a live run in memory until a later one is on disk. If there is not enough memory, it is left out.
    pub(in crate::lsp) fn keep(&mut self, uri: &Uri, id: &str, transcript: Arc<Transcript>) {
        let now = SystemTime::now();
        let suite = self.suites.get(uri);
        let (before, all) =
            suite.map(|suite| (suite.live.get(id).map_or(0, Live::memory), suite.memory().sum())).unwrap_or_default();
        let memory = Live::memory_of(&transcript);
        if memory > MAX_ANSWER_MEMORY || memory > self.left_beside(uri).saturating_sub(all - before) {
            return self.keep_answer(uri, id, Answer::missing(TOO_LARGE.to_owned(), now), None, now);
        }
        let answer = Answer::live(Transcript::clone(&transcript), now);
        self.keep_answer(uri, id, answer, Some(transcript), now);
    }

    /// Stores the reason why a live run of `target` got no answer for a case, until there is one. The answer of an earlier
    /// run stays beside it.
    pub(in crate::lsp) fn keep_failure(&mut self, uri: &Uri, id: &str, reason: String, target: &str) {
        let now = SystemTime::now();
        let suite = self.suites.get(uri);
        let earlier = suite.and_then(|suite| suite.answers.of(id)).filter(|answer| answer.transcript.is_ok());
        let answer = match earlier {
            Some(earlier) => earlier.followed_by(RunFailure::new(&reason, target)),
            None => Answer::missing(reason, now),
        };
        let recorded = earlier.and_then(|earlier| {
            let of_runs = || suite?.files.runs().live.get(id);
            let live = suite?.live.get(id).or_else(of_runs)?;
            live.recorded.clone().filter(|_| earlier.file.is_none())
        });
        self.keep_answer(uri, id, answer, recorded, now);
    }

    fn keep_answer(&mut self, uri: &Uri, id: &str, answer: Answer, recorded: Option<Arc<Transcript>>, now: SystemTime) {
        let suite = self.suites.entry(uri.clone()).or_default();
        let answer = Arc::new(answer);
        suite.live.insert(id.to_owned(), Live { answer, since: now, recorded });
        // The configuration may have changed since the run began.
        suite.view(&Wanted::by(suite.answers.config()));
        suite.combine(Arc::clone(suite.answers.config()));
        self.note_change(uri);
        // If it was also recorded, the file replaces it.
        self.look_at(uri);
    }

    /// Notes that a suite was edited. A file of its transcripts may have become that of a case.
    pub(in crate::lsp) fn note_edit(&mut self, uri: &Uri) {
        if self.suites.get(uri).is_some_and(|suite| suite.files.has_others()) {
            self.edited.insert(uri.clone());
        }
    }

    /// Requests that the files of a suite are read again.
    pub(in crate::lsp) fn look_at(&mut self, uri: &Uri) {
        let has_files = self.suites.get(uri).is_some_and(|suite| suite.path.is_some());
        if has_files && !self.to_read.contains(uri) {
            self.to_read.push_back(uri.clone());
        }
    }

    /// Requests that the files of all open suites are read again.
    pub(in crate::lsp) fn look_at_all(&mut self) {
        let uris: Vec<Uri> = self.suites.keys().cloned().collect();
        uris.iter().for_each(|uri| self.look_at(uri));
    }

    /// Returns the next files to read.
    pub(in crate::lsp) fn next_to_read(&mut self) -> Option<ToRead> {
        loop {
            let (uri, only_if_lacking) = match self.to_read.pop_front() {
                Some(uri) => (uri, false),
                None => (self.edited.iter().next()?.clone(), true),
            };
            self.edited.remove(&uri);
            let Some(suite) = self.suites.get(&uri) else { continue };
            if let Some(path) = suite.path.clone() {
                let (config, known) = (Arc::clone(suite.answers.config()), suite.files.clone());
                let live: u64 = suite.live.values().map(Live::memory).sum();
                let allowance = Allowance::new(self.left_beside(&uri).saturating_sub(live));
                return Some(ToRead { uri, path, config, known, allowance, only_if_lacking });
            }
        }
    }

    /// Returns the answers of a suite with these files; `None` if they would be the same.
    pub(in crate::lsp) fn with_files(&self, uri: &Uri, files: &Files) -> Option<Arc<Answers>> {
        let suite = self.suites.get(uri).filter(|suite| !suite.files.is_same(files))?;
        let config = Arc::clone(suite.answers.config());
        Some(Arc::new(combined(config, files, suite.live_beside(files))))
    }

    /// Stores the files of a suite. Returns whether this changes the answer of one of the cases with those ids.
    pub(in crate::lsp) fn take_files<'i>(
        &mut self,
        uri: &Uri,
        files: Files,
        mut ids: impl Iterator<Item = &'i str>,
    ) -> bool {
        let Some(suite) = self.suites.get_mut(uri).filter(|suite| suite.path.is_some()) else { return false };
        suite.files = files;
        suite.is_read = true;
        let files = &suite.files;
        suite.live.retain(|id, live| live.counts_beside(id, files));
        let before = Arc::clone(&suite.answers);
        suite.combine(Arc::clone(before.config()));
        let is_changed = !Arc::ptr_eq(before.own(), suite.answers.own())
            || !Arc::ptr_eq(before.history(), suite.answers.history())
            || !Arc::ptr_eq(before.baselines(), suite.answers.baselines())
            || ids.any(|id| before.of(id).map(Arc::as_ptr) != suite.answers.of(id).map(Arc::as_ptr));
        if is_changed {
            self.note_change(uri);
        }
        is_changed
    }

    /// Returns whether [`Transcripts::take_changed`] has suites.
    pub(in crate::lsp) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns the suites whose answers have changed since the last call.
    pub(in crate::lsp) fn take_changed(&mut self) -> Vec<Uri> {
        std::mem::take(&mut self.changed)
    }

    /// Marks the answers of all suites as changed.
    pub(in crate::lsp) fn note_all(&mut self) {
        self.changed = self.suites.keys().cloned().collect();
    }

    fn note_change(&mut self, uri: &Uri) {
        if !self.changed.contains(uri) {
            self.changed.push(uri.clone());
        }
    }
}

impl OfSuite {
    /// The memory for its answers.
    fn memory(&self) -> Memory {
        let files = self.files.memory();
        let live = self.live.values().map(Live::memory).sum();
        let is_left_out = |live: &&Live| live.answer.transcript.as_ref().is_err_and(|reason| reason == TOO_LARGE);
        let left_out = files.left_out + self.live.values().filter(is_left_out).count();
        Memory { live, left_out, ..files }
    }

    /// Reads the answers in memory again in the current forms.
    fn view(&mut self, wanted: &Wanted) {
        for live in self.live.values_mut() {
            let Some(recorded) = &live.recorded else { continue };
            let answer = match Transcript::clone(recorded).viewed(wanted) {
                Ok(viewed) => Answer { failure: live.answer.failure.clone(), ..Answer::live(viewed, live.since) },
                Err(fault) => Answer::missing(fault.to_string(), live.since),
            };
            if answer.transcript != live.answer.transcript {
                live.answer = Arc::new(answer);
            }
        }
    }

    fn combine(&mut self, config: Arc<Config>) {
        self.answers = Arc::new(combined(config, &self.files, self.live_beside(&self.files)));
    }

    /// Returns the answers of this session's runs and of kept runs that override these files.
    fn live_beside(&self, files: &Files) -> HashMap<String, Arc<Answer>> {
        live_beside(files, self.live.iter())
    }
}

impl Live {
    /// The memory that it takes, in bytes.
    fn memory(&self) -> u64 {
        self.recorded.as_deref().map_or(0, Live::memory_of)
    }

    /// The memory for an answer, in bytes: as it was recorded, and in the form that is wanted.
    fn memory_of(recorded: &Transcript) -> u64 {
        2 * recorded.memory()
    }

    /// Whether it overrides the file of its case. A file that was written later, or that has the same content, replaces it.
    fn counts_beside(&self, id: &str, files: &Files) -> bool {
        match files.of(id) {
            Some((kept, written)) => {
                let is_later = written.is_some_and(|written| written > self.since);
                !is_later && (self.answer.failure.is_some() || kept.transcript != self.answer.transcript)
            }
            // A failure beside a transcript that was removed since.
            None => self.answer.file.is_none(),
        }
    }
}

/// The answers that override these files: those in `live` and of kept runs, the later of both.
fn live_beside<'a>(
    files: &'a Files,
    live: impl Iterator<Item = (&'a String, &'a Live)>,
) -> HashMap<String, Arc<Answer>> {
    let mut last: HashMap<&String, &Live> = files.runs().live.iter().collect();
    for (id, live) in live {
        if last.get(id).is_none_or(|other| other.since <= live.since) {
            last.insert(id, live);
        }
    }
    let counting = last.into_iter().filter(|(id, live)| live.counts_beside(id, files));
    counting.map(|(id, live)| (id.clone(), Arc::clone(&live.answer))).collect()
}

/// The answers of a suite that is not open: those of its files, of kept runs and of this session's runs.
pub(in crate::lsp) fn of_closed(config: Arc<Config>, files: &Files, live: &HashMap<String, Live>) -> Answers {
    combined(config, files, live_beside(files, live.iter()))
}

fn combined(config: Arc<Config>, files: &Files, live: HashMap<String, Arc<Answer>>) -> Answers {
    let answers = Answers::new(config, files.by_name(), live);
    let answers = answers.with_own(files.own()).with_history(Arc::clone(&files.runs().history));
    answers.with_baselines(Arc::clone(&files.accepted().baselines))
}

#[cfg(test)]
mod tests;
