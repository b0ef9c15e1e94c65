//! The answers of the cases of open suites: the transcripts on disk, the answers of kept runs, and the answers of this
//! session's live runs, which are also in memory.
//!
//! A separate thread reads the files, and judges their changes before they are announced. It reads them when a suite is
//! opened or configured, when an id is edited, when a file is saved, when a run has a result, and when the client or
//! `push::look_for_runs` notices changed files. If nothing has changed, it reads only the folder.

mod files;
mod run_results;

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use std::{io, thread};

use ls_types::Uri;
use run_results::memory_of;

use crate::analysis::{Answer, Answers, Document, RunFailure};
use crate::config::Config;
use crate::lsp::client::settings::log;
use crate::lsp::session::state::State;
use crate::transcript::{Transcript, Wanted};

pub(crate) use files::{Files, MAX_MEMORY, Memory};
pub(crate) use run_results::{Results, RunResults};

/// The largest file that the editor reads for an answer, in bytes. No ordinary response is that long.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// See the module's page.
#[derive(Debug, Default)]
pub(crate) struct Transcripts {
    suites: HashMap<Uri, OfSuite>,
    /// The suites whose files must be read, the longest waiting first, each once.
    to_read: VecDeque<Uri>,
}

#[derive(Debug, Default)]
struct OfSuite {
    /// The suite's file; `None` for a suite that is not open, or has no file.
    path: Option<PathBuf>,
    files: Files,
    /// Whether the files were read under its configuration.
    is_read: bool,
    /// What the runs of this session say.
    ran: Results,
    answers: Arc<Answers>,
}

/// The files of a suite that must be read.
#[derive(Debug)]
pub(crate) struct ToRead {
    pub(crate) uri: Uri,
    pub(crate) path: PathBuf,
    pub(crate) config: Arc<Config>,
    known: Files,
    /// The memory for them, in bytes.
    left: u64,
}

impl ToRead {
    /// Reads the files around the suite that is `document`.
    pub(crate) fn read(&self, document: &Document) -> Files {
        Files::read(&self.path, &self.config, document, &self.known, self.left)
    }
}

impl Transcripts {
    /// The answers of a suite.
    pub(crate) fn answers(&self, uri: &Uri) -> Arc<Answers> {
        self.suites.get(uri).map(|suite| Arc::clone(&suite.answers)).unwrap_or_default()
    }

    /// Whether the files of an open suite were read. Until then, its answers on disk are unknown.
    pub(crate) fn are_read(&self, uri: &Uri) -> bool {
        self.suites.get(uri).is_some_and(|suite| suite.is_read)
    }

    /// The memory for the answers of a suite.
    pub(crate) fn memory(&self, uri: &Uri) -> Memory {
        self.suites.get(uri).map(OfSuite::memory).unwrap_or_default()
    }

    /// The memory for the answers of all suites, in bytes.
    pub(crate) fn all_memory(&self) -> u64 {
        self.suites.values().map(|suite| suite.memory().bytes).sum()
    }

    /// What is left of the memory if a suite has none yet, in bytes.
    fn left_beside(&self, uri: &Uri) -> u64 {
        let others = self.suites.iter().filter(|(other, _)| *other != uri);
        MAX_MEMORY.saturating_sub(others.map(|(_, suite)| suite.memory().bytes).sum())
    }

    /// What the runs of this session say about a suite, open or not.
    pub(crate) fn ran(&self, uri: &Uri) -> Results {
        self.suites.get(uri).map(|suite| suite.ran.clone()).unwrap_or_default()
    }

    /// Records that a suite is open, and its configuration. If this is new, its files are read.
    pub(crate) fn configure(&mut self, uri: &Uri, path: Option<&Path>, config: &Arc<Config>) {
        let suite = self.suites.entry(uri.clone()).or_default();
        let is_new = suite.path.as_deref() != path || !Arc::ptr_eq(suite.answers.config(), config);
        if is_new {
            suite.path = path.map(Path::to_owned);
            suite.is_read = false;
            if Wanted::by(suite.answers.config()) != Wanted::by(config) {
                // The kept runs have them, and are read in the new forms.
                suite.ran.clear();
            }
            suite.combine(Arc::clone(config));
            self.look_at(uri);
        }
    }

    /// Records that a suite is no longer open. Answers in memory stay.
    pub(crate) fn close(&mut self, uri: &Uri) {
        if let Some(suite) = self.suites.get_mut(uri) {
            suite.path = None;
            suite.is_read = false;
            suite.files = Files::default();
            suite.combine(Arc::clone(suite.answers.config()));
        }
        // There is more memory for the others now.
        let short: Vec<Uri> =
            self.suites.iter().filter(|(_, suite)| suite.memory().left_out > 0).map(|(uri, _)| uri.clone()).collect();
        short.iter().for_each(|uri| self.look_at(uri));
        self.suites.retain(|_, suite| suite.path.is_some() || !suite.ran.is_empty());
    }

    /// Stores an answer of a live run in memory until a later one is on disk. If there is not enough memory, it is left out.
    pub(crate) fn keep(&mut self, uri: &Uri, id: &str, transcript: Transcript) {
        let suite = self.suites.get(uri);
        let of_suite = suite.map_or(0, |suite| suite.memory().bytes - suite.ran.get(id).map_or(0, RunResults::memory));
        let fits = transcript.memory() <= self.left_beside(uri).saturating_sub(of_suite);
        self.note_ran(uri, id, |of, now, wanted| of.keep(transcript, now, wanted, fits));
    }

    /// Stores the reason why a run of `target` got no answer for a case, until there is one. The answer of an earlier run stays
    /// beside it. Returns whether there is one.
    pub(crate) fn keep_failure(&mut self, uri: &Uri, id: &str, reason: &str, target: &str) -> bool {
        self.note_ran(uri, id, |of, now, _| of.fail(RunFailure::new(reason, target), now));
        self.answers(uri).of(id).is_some_and(|answer| answer.transcript.is_ok())
    }

    /// Notes that a run judged the transcript of a case: it counts again, in the place of an earlier live answer.
    pub(crate) fn keep_replayed(&mut self, uri: &Uri, id: &str) {
        self.note_ran(uri, id, |of, now, _| of.replay(now));
    }

    fn note_ran(&mut self, uri: &Uri, id: &str, note: impl FnOnce(&mut RunResults, SystemTime, &Wanted)) {
        let suite = self.suites.entry(uri.clone()).or_default();
        // The configuration may have changed since the run began.
        let wanted = Wanted::by(suite.answers.config());
        note(suite.ran.entry(id.to_owned()).or_default(), SystemTime::now(), &wanted);
        suite.combine(Arc::clone(suite.answers.config()));
        // If it was also recorded, the file replaces it.
        self.look_at(uri);
    }

    /// Requests that the files of a suite are read again.
    pub(crate) fn look_at(&mut self, uri: &Uri) {
        let has_files = self.suites.get(uri).is_some_and(|suite| suite.path.is_some());
        if has_files && !self.to_read.contains(uri) {
            self.to_read.push_back(uri.clone());
        }
    }

    /// Requests that the files of all open suites are read again.
    pub(crate) fn look_at_all(&mut self) {
        let uris: Vec<Uri> = self.suites.keys().cloned().collect();
        uris.iter().for_each(|uri| self.look_at(uri));
    }

    /// Returns the next files to read.
    pub(crate) fn next_to_read(&mut self) -> Option<ToRead> {
        while let Some(uri) = self.to_read.pop_front() {
            let Some(suite) = self.suites.get(&uri) else { continue };
            if let Some(path) = suite.path.clone() {
                let (config, known) = (Arc::clone(suite.answers.config()), suite.files.clone());
                let left = self.left_beside(&uri).saturating_sub(memory_of(&suite.ran));
                return Some(ToRead { uri, path, config, known, left });
            }
        }
        None
    }

    /// Returns the answers of a suite with these files.
    pub(crate) fn with_files(&self, uri: &Uri, files: &Files) -> Option<Answers> {
        let suite = self.suites.get(uri)?;
        Some(combined(Arc::clone(suite.answers.config()), files, &suite.ran))
    }

    /// Stores the files of a suite. Returns whether this changes the answer of one of the cases with those ids.
    pub(crate) fn take_files<'i>(&mut self, uri: &Uri, files: Files, mut ids: impl Iterator<Item = &'i str>) -> bool {
        let Some(suite) = self.suites.get_mut(uri).filter(|suite| suite.path.is_some()) else { return false };
        suite.files = files;
        suite.is_read = true;
        suite.ran.retain(|id, of| {
            of.forget_beside(suite.files.of(id));
            of.has_ended()
        });
        let before = Arc::clone(&suite.answers);
        suite.combine(Arc::clone(before.config()));
        let is_other = |id| match (before.of(id), suite.answers.of(id)) {
            (Some(before), Some(now)) => !Answer::is_same(before, now),
            (before, now) => before.is_some() || now.is_some(),
        };
        !before.around.is_same(&suite.answers.around) || ids.any(is_other)
    }
}

impl OfSuite {
    /// The memory for its answers.
    fn memory(&self) -> Memory {
        Memory { bytes: self.files.memory.bytes + memory_of(&self.ran), ..self.files.memory }
    }

    fn combine(&mut self, config: Arc<Config>) {
        self.answers = Arc::new(combined(config, &self.files, &self.ran));
    }
}

/// The answers of these files, and those that override them: of kept runs and of this session's runs, the later of both.
pub(crate) fn combined(config: Arc<Config>, files: &Files, ran: &Results) -> Answers {
    let kept = &files.runs.cases;
    let ids: HashSet<&String> = kept.keys().chain(ran.keys()).collect();
    let live = ids.into_iter().filter_map(|id| {
        let of = match (kept.get(id), ran.get(id)) {
            (Some(kept), Some(ran)) => &ran.or_later(kept),
            (kept, ran) => kept.or(ran)?,
        };
        Some((id.clone(), of.counting(files.of(id))?))
    });
    let mut answers = Answers::new(config, Arc::clone(&files.by_name), live.collect());
    answers.around = files.around.clone();
    answers
}

/// Starts reading transcripts. The thread runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
#[cfg(feature = "program")]
pub(crate) fn start(shared: Arc<crate::lsp::session::shared::Shared>) -> io::Result<()> {
    let run = move || {
        loop {
            let next = shared.wait(State::next_to_read);
            let uri = next.uri.clone();
            if catch_unwind(AssertUnwindSafe(|| read_next(&shared, &next))).is_err() {
                log(&format!("internal error while reading the transcripts of `{}`", uri.as_str()));
            }
        }
    };
    thread::Builder::new().name("lsp-transcripts".to_owned()).spawn(run).map(drop)
}

#[cfg(feature = "program")]
fn read_next(shared: &crate::lsp::session::shared::Shared, next: &ToRead) {
    let Some(document) = shared.read(|state| state.document(&next.uri)) else { return };
    let files = next.read(&document);
    // Judge here, so that the diagnostics thread never blocks on verdicts.
    if let Some((document, answers)) = shared.read(|state| state.with_files(&next.uri, &files)) {
        document.verdicts(&answers).for_each(drop);
    }
    shared.change(|state| state.take_files(&next.uri, &next.config, files));
}

#[cfg(test)]
mod tests;
