//! The answers of the cases of open suites: the transcripts on disk, the answers of kept runs, and the answers of this
//! session's live runs, which are also in memory. Beside them, the baselines of the suites.
//!
//! A separate thread reads the files, and judges their changes before they are announced. It reads them when a suite is
//! opened or configured, when an id is edited, when a file is saved, when a run has a result, and when the client or
//! `push::look_for_runs` notices changed files. If nothing has changed, it reads only the folder.

mod files;
mod run_results;

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use std::{fs, io, thread};

use files::{MAX_CLOSED_MEMORY, of_own, of_samples};
use ls_types::Uri;
use run_results::memory_to_keep;

use crate::analysis::{Answers, Document, OwnAnswer, RunFailure, Samples};
use crate::config::Config;
use crate::filed::{Filed, strays};
use crate::lsp::client::settings::log;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::transcript::{Transcript, Wanted, file_name};
use crate::workspace::{Scope, own_answers, root_of_file, samples_of};

pub(crate) use files::{Accepted, Allowance, Files, FromControl, MAX_ANSWER_MEMORY, MAX_MEMORY, Memory};
pub(crate) use run_results::{FromRuns, RunResults};

/// The largest transcript or baseline that the editor reads, in bytes. No ordinary response is that long.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// Why an answer of a live run is not in memory.
const TOO_LARGE: &str = "the answer is too large for the editor to keep; `eval-ls run --answers-of latest` judges it";

/// See the module's page.
#[derive(Debug, Default)]
pub(crate) struct Transcripts {
    suites: HashMap<Uri, OfSuite>,
    /// The suites whose files must be read, the longest waiting first, each once.
    to_read: VecDeque<Uri>,
    /// The suites that were edited and have stored files, each once. They are read if an id has changed.
    edited: HashSet<Uri>,
    /// The suites whose answers have changed since the last call.
    changed: Vec<Uri>,
}

#[derive(Debug, Default)]
struct OfSuite {
    /// The suite's file; `None` for a suite that is not open, or has no file.
    path: Option<PathBuf>,
    files: Files,
    /// Whether the files were read under its configuration.
    is_read: bool,
    ran: Ran,
    answers: Arc<Answers>,
}

/// What the runs of this session say about a suite.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// By the ids of the cases.
    cases: HashMap<String, RunResults>,
}

impl Ran {
    /// The memory for the answers, in bytes.
    fn memory(&self) -> u64 {
        self.cases.values().map(RunResults::memory).sum()
    }
}

/// The files of a suite that must be read.
#[derive(Debug)]
pub(crate) struct ToRead {
    pub(crate) uri: Uri,
    pub(crate) path: PathBuf,
    pub(crate) config: Arc<Config>,
    /// The known files.
    pub(crate) known: Files,
    /// The memory for them.
    pub(crate) allowance: Allowance,
    /// Whether they are read only if an id has changed, so that one of them may have become that of a case, or of none.
    pub(crate) only_if_ids_changed: bool,
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
        self.suites.values().map(|suite| suite.memory().sum()).sum()
    }

    /// What is left of the memory if a suite has none yet, in bytes.
    fn left_beside(&self, uri: &Uri) -> u64 {
        let others = self.suites.iter().filter(|(other, _)| *other != uri);
        MAX_MEMORY.saturating_sub(others.map(|(_, suite)| suite.memory().sum()).sum())
    }

    /// What the runs of this session say about a suite, open or not.
    pub(crate) fn ran(&self, uri: &Uri) -> Ran {
        self.suites.get(uri).map(|suite| suite.ran.clone()).unwrap_or_default()
    }

    /// Records that a suite is open, and its configuration. If this is new, its files are read.
    pub(crate) fn configure(&mut self, uri: &Uri, path: Option<&Path>, config: &Arc<Config>) {
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
    pub(crate) fn close(&mut self, uri: &Uri) {
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
        self.suites.retain(|_, suite| suite.path.is_some() || !suite.ran.cases.is_empty());
    }

    /// Stores an answer of a live run in memory until a later one is on disk. If there is not enough memory, it is left out.
    pub(crate) fn keep(&mut self, uri: &Uri, id: &str, transcript: Arc<Transcript>) {
        let suite = self.suites.get(uri);
        let of_case = |suite: &OfSuite| suite.ran.cases.get(id).map_or(0, RunResults::memory);
        let beside = suite.map_or(0, |suite| suite.memory().sum() - of_case(suite));
        let memory = memory_to_keep(&transcript);
        if memory > MAX_ANSWER_MEMORY || memory > self.left_beside(uri).saturating_sub(beside) {
            return self.note_ran(uri, id, |of, now, _| of.leave_out(TOO_LARGE, now));
        }
        self.note_ran(uri, id, |of, now, wanted| of.keep(transcript, now, wanted));
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
        note(suite.ran.cases.entry(id.to_owned()).or_default(), SystemTime::now(), &wanted);
        suite.combine(Arc::clone(suite.answers.config()));
        self.note_change(uri);
        // If it was also recorded, the file replaces it.
        self.look_at(uri);
    }

    /// Notes that a suite was edited. A stored file may have become that of a case, or of none.
    pub(crate) fn note_edit(&mut self, uri: &Uri) {
        self.edited.insert(uri.clone());
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
        loop {
            let (uri, only_if_ids_changed) = match self.to_read.pop_front() {
                Some(uri) => (uri, false),
                None => (self.edited.iter().next()?.clone(), true),
            };
            self.edited.remove(&uri);
            let Some(suite) = self.suites.get(&uri) else { continue };
            if let Some(path) = suite.path.clone() {
                let config = Arc::clone(suite.answers.config());
                let known = suite.files.clone();
                let allowance = Allowance::new(self.left_beside(&uri).saturating_sub(suite.ran.memory()));
                return Some(ToRead { uri, path, config, known, allowance, only_if_ids_changed });
            }
        }
    }

    /// Returns the answers of a suite with these files; `None` if they would be the same.
    pub(crate) fn with_files(&self, uri: &Uri, files: &Files) -> Option<Arc<Answers>> {
        let suite = self.suites.get(uri).filter(|suite| !suite.files.is_same(files))?;
        let config = Arc::clone(suite.answers.config());
        Some(Arc::new(combined(config, files, &suite.ran, &suite.answers)))
    }

    /// Stores the files of a suite. Returns whether this changes the answer of one of the cases with those ids.
    pub(crate) fn take_files<'i>(&mut self, uri: &Uri, files: Files, mut ids: impl Iterator<Item = &'i str>) -> bool {
        let Some(suite) = self.suites.get_mut(uri).filter(|suite| suite.path.is_some()) else { return false };
        suite.files = files;
        suite.is_read = true;
        suite.ran.cases.retain(|id, of| {
            of.forget_beside(suite.files.of(id));
            of.has_ended()
        });
        let before = Arc::clone(&suite.answers);
        suite.combine(Arc::clone(before.config()));
        let is_changed = !Arc::ptr_eq(before.own(), suite.answers.own())
            || !Arc::ptr_eq(before.samples(), suite.answers.samples())
            || !Arc::ptr_eq(before.strays(), suite.answers.strays())
            || !Arc::ptr_eq(before.control(), suite.answers.control())
            || !Arc::ptr_eq(before.history(), suite.answers.history())
            || !Arc::ptr_eq(before.baselines(), suite.answers.baselines())
            || ids.any(|id| before.of(id).map(Arc::as_ptr) != suite.answers.of(id).map(Arc::as_ptr));
        if is_changed {
            self.note_change(uri);
        }
        is_changed
    }

    /// Returns whether [`Transcripts::take_changed`] has suites.
    pub(crate) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns the suites whose answers have changed since the last call.
    pub(crate) fn take_changed(&mut self) -> Vec<Uri> {
        std::mem::take(&mut self.changed)
    }

    /// Marks the answers of all suites as changed.
    pub(crate) fn note_all(&mut self) {
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
        let left_out = files.left_out + self.ran.cases.values().filter(|of| of.is_left_out()).count();
        Memory { live: self.ran.memory(), left_out, ..files }
    }

    /// Reads the answers in memory again in the current forms.
    fn view(&mut self, wanted: &Wanted) {
        self.ran.cases.values_mut().for_each(|of| of.view(wanted));
    }

    fn combine(&mut self, config: Arc<Config>) {
        self.answers = Arc::new(combined(config, &self.files, &self.ran, &self.answers));
    }
}

/// The answers of a suite that is not open: those of its files, of kept runs and of this session's runs.
pub(crate) fn of_closed(config: Arc<Config>, files: &Files, ran: &Ran) -> Answers {
    combined(config, files, ran, &Answers::default())
}

/// The answers of these files, and those that override them: of kept runs and of this session's runs, the later of both. An
/// answer that is the same as `before` keeps its identity.
fn combined(config: Arc<Config>, files: &Files, ran: &Ran, before: &Answers) -> Answers {
    let kept = &files.runs.cases;
    let ids: HashSet<&String> = kept.keys().chain(ran.cases.keys()).collect();
    let live = ids.into_iter().filter_map(|id| {
        let of = match (kept.get(id), ran.cases.get(id)) {
            (Some(kept), Some(ran)) => &ran.or_later(kept),
            (Some(of), None) | (None, Some(of)) => of,
            (None, None) => return None,
        };
        Some((id.clone(), of.counting(files.of(id), before.live(id))?))
    });
    let answers = Answers::new(config, Arc::clone(&files.by_name), live.collect());
    let answers = answers
        .with_own(Arc::clone(&files.own))
        .with_samples(Arc::clone(&files.samples))
        .with_strays(Arc::clone(&files.strays));
    let answers = answers.with_history(Arc::clone(&files.runs.history)).with_control(Arc::clone(&files.control.run));
    answers.with_baselines(Arc::clone(&files.accepted.baselines))
}

/// A hash of the ids of the cases of each suite when its files were last looked at.
pub(crate) type Seen = HashMap<Uri, u64>;

/// Reads the files around the suite that is `document`; `None` if no id has changed, and only then they are asked for.
pub(crate) fn read(next: ToRead, document: &Document, seen: &mut Seen) -> Option<Files> {
    let ToRead { uri, path, config, known, mut allowance, only_if_ids_changed } = next;
    // Most edits change no id.
    let mut hasher = DefaultHasher::new();
    (hash_of_ids(document), document.is_well_formed()).hash(&mut hasher);
    let ids = hasher.finish();
    let has_same_ids = seen.insert(uri, ids) == Some(ids);
    if only_if_ids_changed && has_same_ids {
        return None;
    }
    Some(read_all(&path, &config, document, &names_of(document), &known, &mut allowance))
}

/// The transcripts of the suite at `path`, what kept runs say about its cases, its baselines and samples, and the answers that
/// `[challenge]` lists. What is unchanged is taken from `known`.
fn read_all(
    path: &Path,
    config: &Config,
    document: &Document,
    names: &HashSet<String>,
    known: &Files,
    allowance: &mut Allowance,
) -> Files {
    let accepted = Accepted::read(path, config, &known.accepted, allowance);
    let own = own(path, config, allowance);
    let files = Files::read(&suites::store(path, config), names, known, allowance);
    let files = with_samples(files, path, document, allowance);
    let runs = FromRuns::read(path, config, &known.runs, allowance);
    let control = FromControl::read(path, config, &known.control, allowance);
    with_strays(Files { runs, control, accepted, ..files.with_own(own) }, path, config, document)
}

/// The files with what is stored for cases and suites that do not exist. While the text is broken, nobody knows its cases.
fn with_strays(files: Files, path: &Path, config: &Config, document: &Document) -> Files {
    match document.is_well_formed() {
        true => files.with_strays(strays(path, document.suite(), config, Scope::of_file(path).folder())),
        false => files,
    }
}

/// Reads the files around a suite that is not open.
pub(crate) fn read_closed(path: &Path, config: &Config, document: &Document) -> Files {
    let mut allowance = Allowance::new(MAX_CLOSED_MEMORY);
    read_all(path, config, document, &names_of(document), &Files::default(), &mut allowance)
}

/// The names of the files of the transcripts of a suite's cases.
fn names_of(document: &Document) -> HashSet<String> {
    suites::ids(document).map(file_name).collect()
}

fn hash_of_ids(document: &Document) -> u64 {
    let mut hasher = DefaultHasher::new();
    suites::ids(document).for_each(|id| id.hash(&mut hasher));
    hasher.finish()
}

/// The files with the samples of the cases of the suite at `path`, which are read only if one of them or an id has changed: a run
/// that watches them takes each reading for that of its target. A case whose samples do not fit into the memory has none.
fn with_samples(files: Files, path: &Path, document: &Document, allowance: &mut Allowance) -> Files {
    if !Filed::Samples.shelf(path).is_dir() {
        return files.with_samples(Samples::new(), 0);
    }
    let mut hasher = DefaultHasher::new();
    hash_of_ids(document).hash(&mut hasher);
    for folder in fs::read_dir(Filed::Samples.folder(path)).into_iter().flatten().flatten() {
        for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let stamp = file.metadata().ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
            (file.path(), stamp).hash(&mut hasher);
        }
    }
    let stamp = hasher.finish();
    if files.samples_stamp == stamp {
        allowance.take(of_samples(&files.samples));
        return files;
    }
    let root = root_of_file(path);
    let of_case = |placed: &PlacedCase| {
        let id = placed.case.id.as_ref()?.value.clone();
        let samples = samples_of(&root, path, &placed.case);
        let found = Samples::from([(id, samples.into())]);
        (found.values().any(|samples| !samples.is_empty()) && allowance.take(of_samples(&found))).then_some(found)
    };
    let samples = document.suite().cases.iter().filter_map(of_case).flatten().collect();
    files.with_samples(samples, stamp)
}

/// The answers that `[challenge]` lists for the suite at `path`. None if one of them cannot be read, or there is not enough memory.
fn own(path: &Path, config: &Config, allowance: &mut Allowance) -> Vec<OwnAnswer> {
    let patterns = &config.challenge.answers;
    if patterns.is_empty() {
        return Vec::new();
    }
    let scope = Scope::of_file(path);
    let own = own_answers(scope.folder(), patterns, allowance.left).unwrap_or_else(|fault| {
        log(&format!("the answers of [challenge] are ignored: {fault}"));
        Vec::new()
    });
    allowance.take(of_own(&own));
    own
}

/// Starts reading transcripts. The thread runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
#[cfg(feature = "program")]
pub(crate) fn start(shared: Arc<crate::lsp::session::shared::Shared>) -> io::Result<()> {
    let run = move || {
        let mut seen = Seen::new();
        loop {
            let next = shared.wait(State::next_to_read);
            let uri = next.uri.clone();
            if catch_unwind(AssertUnwindSafe(|| read_next(&shared, next, &mut seen))).is_err() {
                log(&format!("internal error while reading the transcripts of `{}`", uri.as_str()));
            }
        }
    };
    thread::Builder::new().name("lsp-transcripts".to_owned()).spawn(run).map(drop)
}

#[cfg(feature = "program")]
fn read_next(shared: &crate::lsp::session::shared::Shared, next: ToRead, seen: &mut Seen) {
    let (uri, config) = (next.uri.clone(), Arc::clone(&next.config));
    let Some(document) = shared.read(|state| state.document(&uri)) else { return };
    let Some(files) = read(next, &document, seen) else { return };
    // Judge here, so that the diagnostics thread never blocks on verdicts.
    if let Some((document, answers)) = shared.read(|state| state.with_files(&uri, &files)) {
        document.verdicts(&answers).for_each(drop);
    }
    shared.change(|state| state.take_files(&uri, &config, files));
}

#[cfg(test)]
mod tests;
