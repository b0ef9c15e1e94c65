//! What is read of the files around a suite, and the memory for it. A suite's files come from anybody, so all of them together have a limit.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Baselines, ControlRun, OwnAnswer, Sample, Samples};
use crate::config::Config;
use crate::filed::Stray;
use crate::files::Reader;
use crate::lsp::client::settings::log;
use crate::lsp::session::suites::{self, Stamp};
use crate::runs::{Baseline, KeptRun, RunError, RunState};
use crate::transcript::{Store, Transcript, Wanted, file_name, memory_of};
use crate::workspace::{Scope, root_of_file};

use super::run_results::{FileAnswer, memory_to_keep};
use super::{FromRuns, MAX_BYTES};

/// The transcripts of the cases of one suite. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub(crate) by_name: Arc<HashMap<String, Arc<Answer>>>,
    /// What is known of each file beside its answer.
    pub(crate) seen: Arc<HashMap<String, Seen>>,
    /// The forms in which their responses were read.
    pub(crate) wanted: Arc<Wanted>,
    /// The answers that `[challenge]` lists.
    pub(crate) own: Arc<[OwnAnswer]>,
    /// The samples of the cases.
    pub(crate) samples: Arc<Samples>,
    /// A hash of the names and times of their files.
    pub(crate) samples_stamp: u64,
    /// What is stored for cases and suites that do not exist.
    pub(crate) strays: Arc<[Stray]>,
    /// What kept runs say about the cases.
    pub(crate) runs: Arc<FromRuns>,
    /// The answers of the control.
    pub(crate) control: Arc<FromControl>,
    /// The baselines of the suite.
    pub(crate) accepted: Arc<Accepted>,
}

/// What is known of a file beside its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    stamp: Stamp,
    /// The memory that it takes, in bytes.
    memory: u64,
    /// Whether there was enough memory for it.
    is_read: bool,
}

impl Files {
    /// The memory for what was read.
    pub(crate) fn memory(&self) -> Memory {
        Memory {
            transcripts: self.seen.values().filter(|file| file.is_read).map(|file| file.memory).sum(),
            runs: self.runs.memory + self.control.memory,
            baselines: self.accepted.memory,
            own: of_own(&self.own) + of_samples(&self.samples),
            live: 0,
            left_out: self.seen.values().filter(|file| !file.is_read).count()
                + self.runs.left_out
                + self.control.left_out
                + self.accepted.left_out,
        }
    }

    /// Reads the files of a store that have these names; unchanged files are taken from `known`. Smaller files are read first, so
    /// that a few large ones do not exclude the others.
    pub(crate) fn read(store: &Store, names: &HashSet<String>, known: &Files, allowance: &mut Allowance) -> Files {
        let mut by_name = HashMap::new();
        let mut seen = HashMap::new();
        let is_wanted_so = *known.wanted == *store.wanted();
        for (name, path, metadata) in found(store, names) {
            let stamp = Stamp::of(&metadata);
            let before = known.seen.get(&name).filter(|file| file.stamp == stamp);
            let answer = known.by_name.get(&name).filter(|_| is_wanted_so);
            let (file, answer) = match (before, answer) {
                (Some(file), Some(answer)) if file.is_read == fits(stamp.length, file.memory, allowance) => {
                    if file.is_read {
                        allowance.take(file.memory);
                    }
                    (*file, Arc::clone(answer))
                }
                _ => {
                    let (loaded, memory, is_read) = load(store, &path, &metadata, allowance);
                    let answer = Answer::kept(path, loaded);
                    (Seen { stamp, memory, is_read }, Arc::new(answer))
                }
            };
            seen.insert(name.clone(), file);
            by_name.insert(name, answer);
        }
        let is_known = |(name, answer)| known.by_name.get(name).is_some_and(|known| Arc::ptr_eq(known, answer));
        if is_wanted_so && by_name.len() == known.by_name.len() && by_name.iter().all(is_known) {
            return known.clone();
        }
        Files {
            by_name: Arc::new(by_name),
            seen: Arc::new(seen),
            wanted: Arc::new(store.wanted().clone()),
            ..known.clone()
        }
    }

    /// The files with the answers that `[challenge]` lists.
    #[must_use]
    pub(crate) fn with_own(self, own: Vec<OwnAnswer>) -> Files {
        if own[..] == self.own[..] { self } else { Files { own: own.into(), ..self } }
    }

    /// The files with the samples of the cases, and a hash of the samples' files. The samples of a case that has not changed stay the same.
    #[must_use]
    pub(crate) fn with_samples(self, mut samples: Samples, samples_stamp: u64) -> Files {
        for (case, samples) in &mut samples {
            if let Some(known) = self.samples.get(case).filter(|known| **known == *samples) {
                *samples = Arc::clone(known);
            }
        }
        let samples = if samples == *self.samples { Arc::clone(&self.samples) } else { Arc::new(samples) };
        Files { samples, samples_stamp, ..self }
    }

    /// The files with what is stored for cases and suites that do not exist.
    #[must_use]
    pub(crate) fn with_strays(self, strays: Vec<Stray>) -> Files {
        if strays[..] == self.strays[..] { self } else { Files { strays: strays.into(), ..self } }
    }

    /// Returns whether these are identical to the other files.
    pub(crate) fn is_same(&self, other: &Files) -> bool {
        Arc::ptr_eq(&self.by_name, &other.by_name)
            && Arc::ptr_eq(&self.own, &other.own)
            && Arc::ptr_eq(&self.samples, &other.samples)
            && Arc::ptr_eq(&self.strays, &other.strays)
            && Arc::ptr_eq(&self.runs, &other.runs)
            && Arc::ptr_eq(&self.control, &other.control)
            && Arc::ptr_eq(&self.accepted, &other.accepted)
    }

    /// Returns the file for that case.
    pub(crate) fn of(&self, id: &str) -> Option<FileAnswer<'_>> {
        let name = file_name(id);
        Some(FileAnswer { answer: self.by_name.get(&name)?, written: self.seen.get(&name)?.stamp.modified })
    }
}

/// The memory for the answers that `[challenge]` lists.
pub(crate) fn of_own(own: &[OwnAnswer]) -> u64 {
    own.iter().map(|answer| (answer.name.len() + answer.response.len()) as u64).sum()
}

/// The memory for samples.
pub(crate) fn of_samples(samples: &Samples) -> u64 {
    let of_case = |samples: &Arc<[Sample]>| -> u64 {
        samples.iter().filter_map(|sample| sample.answer.as_ref().ok()).map(Transcript::memory).sum()
    };
    samples.values().map(of_case).sum::<u64>()
}

/// The files of a store with the names of cases, the smallest first.
fn found(store: &Store, names: &HashSet<String>) -> Vec<(String, PathBuf, Metadata)> {
    let entries = store.is_inside().then(|| fs::read_dir(store.folder())).into_iter().flatten().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| names.contains(name))?;
        let path = entry.path();
        let metadata = fs::metadata(&path).ok().filter(Metadata::is_file)?;
        // A link that leads out is not followed.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        (!is_link || store.admits(&path)).then_some((name, path, metadata))
    };
    let mut found: Vec<_> = entries.filter_map(file).collect();
    found.sort_by(|(name, _, metadata), (other_name, _, other)| {
        metadata.len().cmp(&other.len()).then_with(|| name.cmp(other_name))
    });
    found
}

type Loaded = Result<(crate::transcript::Transcript, String), String>;

/// Whether a file of this length, which takes so much memory, is read.
fn fits(length: u64, memory: u64, allowance: &Allowance) -> bool {
    length <= MAX_BYTES && memory <= MAX_ANSWER_MEMORY.min(allowance.left)
}

/// Reads a file. Returns the memory that it takes, and whether there was enough.
fn load(store: &Store, path: &Path, metadata: &Metadata, allowance: &mut Allowance) -> (Loaded, u64, bool) {
    // What is known before the file is read.
    let least = 2 * metadata.len();
    if !fits(metadata.len(), least, allowance) {
        return (Err(too_large(path)), least, false);
    }
    let text = match store.text(path) {
        Ok(text) => text,
        Err(error) => return (Err(error.to_string()), 0, true),
    };
    let memory = memory_of(&text);
    if !fits(metadata.len(), memory, allowance) {
        return (Err(too_large(path)), memory, false);
    }
    allowance.take(memory);
    (store.parsed(path, text).map_err(|error| error.to_string()), memory, true)
}

fn too_large(path: &Path) -> String {
    format!(
        "{}: too large for the editor, which reads transcripts of up to {} MiB, and keeps up to {} MiB in memory for all open \
         suites; `eval-ls run` judges it",
        path.display(),
        MAX_BYTES >> 20,
        MAX_MEMORY >> 20
    )
}

/// How much memory a baseline takes for each byte of its file.
const GROWTH: u64 = 4;

/// The baselines of a suite, and the identities of their files.
#[derive(Debug, Default)]
pub(crate) struct Accepted {
    stamps: Vec<(PathBuf, Stamp)>,
    pub(crate) baselines: Arc<Baselines>,
    /// The memory that they take, in bytes.
    pub(crate) memory: u64,
    /// The number of files that are too large.
    pub(crate) left_out: usize,
}

impl Accepted {
    /// Reads the baselines of the suite at `path`, one for each target. Returns `known` itself if no file has changed. A file that
    /// cannot be read is reported to the log and ignored.
    pub(crate) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<Accepted>,
        allowance: &mut Allowance,
    ) -> Arc<Accepted> {
        let reader = Reader::within(Scope::of_file(path).folder(), MAX_BYTES);
        let files = config.targets.keys().map(|target| Baseline::path(path, target));
        let stamped = |file: PathBuf| Some((Stamp::of_file(&file)?, file)).filter(|(_, file)| reader.admits(file));
        let (mut stamps, mut left_out, before) = (Vec::new(), 0, allowance.left);
        for (stamp, file) in files.filter_map(stamped) {
            match stamp.length <= MAX_BYTES && allowance.take(GROWTH * stamp.length) {
                true => stamps.push((file, stamp)),
                false => left_out += 1,
            }
        }
        if stamps == known.stamps && left_out == known.left_out {
            return Arc::clone(known);
        }
        let read = |(file, _): &(PathBuf, Stamp)| {
            Baseline::read_by(&reader, file).unwrap_or_else(|fault| {
                log(&format!("a baseline is ignored: {fault}"));
                None
            })
        };
        let baselines = Arc::new(Baselines::new(stamps.iter().filter_map(read)));
        Arc::new(Accepted { stamps, baselines, memory: before - allowance.left, left_out })
    }
}

/// The answers of the run that `control` under `[challenge]` names to the cases of one suite.
#[derive(Debug, Default)]
pub(crate) struct FromControl {
    /// What was read: the run, how much of it, and in which forms.
    read: Option<(String, (u64, SystemTime), Wanted)>,
    pub(crate) run: Arc<ControlRun>,
    /// The memory that the answers take, in bytes.
    pub(crate) memory: u64,
    /// The number of answers that are too large.
    pub(crate) left_out: usize,
}

impl FromControl {
    /// Reads the answers to the cases of the suite at `path`. What is unchanged is taken from `known`, which is returned itself if nothing has
    /// changed.
    pub(crate) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<FromControl>,
        allowance: &mut Allowance,
    ) -> Arc<FromControl> {
        let root = root_of_file(path);
        let named = config.challenge.control.as_ref();
        let Some(found) = named.map(|name| suites::kept_runs(&root, config).find_kept(name)) else {
            return if known.read.is_none() { Arc::clone(known) } else { Arc::default() };
        };
        let run = match found {
            // What a run has so far says little about it.
            Ok(run) if run.state() != RunState::Running => run,
            Ok(_) => return Arc::clone(known),
            Err(fault) => {
                log(&format!("no control is used: {fault}"));
                return Arc::default();
            }
        };
        let read = run.stamp().map(|stamp| (run.id().as_str().to_owned(), stamp, Wanted::by(config)));
        if read.is_some() && read == known.read && allowance.take(known.memory) {
            return Arc::clone(known);
        }
        let mut found = FromControl::default();
        match found.take(&run, &root, path, config, allowance) {
            Ok(()) => Arc::new(FromControl { read, ..found }),
            Err(fault) => {
                log(&format!("no control is used: {fault}"));
                Arc::default()
            }
        }
    }

    fn take(
        &mut self,
        run: &KeptRun,
        root: &Path,
        path: &Path,
        config: &Config,
        allowance: &mut Allowance,
    ) -> Result<(), RunError> {
        let wanted = Wanted::by(config);
        let mut answers: HashMap<String, Vec<Transcript>> = HashMap::new();
        // A case of which an answer is left out is not compared.
        let mut partial: HashSet<String> = HashSet::new();
        for answer in run.answers_to(root, path)? {
            let (case, answer) = answer?;
            let memory = memory_to_keep(&answer);
            match answer.viewed(&wanted) {
                Ok(answer) if memory <= MAX_ANSWER_MEMORY && allowance.take(memory) => {
                    self.memory += memory;
                    answers.entry(case).or_default().push(answer);
                }
                _ => {
                    self.left_out += 1;
                    partial.insert(case);
                }
            }
        }
        answers.retain(|case, _| !partial.contains(case));
        self.run = Arc::new(answers.into_iter().map(|(case, answers)| (case, answers.into())).collect());
        Ok(())
    }
}

/// The memory for transcripts, answers of runs, baselines and the answers of `[challenge]`, of all open suites together, in
/// bytes.
pub(crate) const MAX_MEMORY: u64 = 256 << 20;
/// The memory for the files of a suite that is not open, in bytes.
pub(crate) const MAX_CLOSED_MEMORY: u64 = 128 << 20;
/// The memory for one answer, in bytes. Four of them fill the memory of all.
pub(crate) const MAX_ANSWER_MEMORY: u64 = 64 << 20;

/// The memory for what was read of the files around a suite, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// For transcripts.
    pub(crate) transcripts: u64,
    /// For kept runs and their answers.
    pub(crate) runs: u64,
    /// For baselines.
    pub(crate) baselines: u64,
    /// For the answers that `[challenge]` lists, and for samples.
    pub(crate) own: u64,
    /// For answers of this session.
    pub(crate) live: u64,
    /// How many files and answers are left out, because they are too large.
    pub(crate) left_out: usize,
}

impl Memory {
    /// All of it.
    pub(crate) fn sum(self) -> u64 {
        let Memory { transcripts, runs, baselines, own, live, left_out: _ } = self;
        transcripts + runs + baselines + own + live
    }
}

/// What is left of the memory while the files of a suite are read, and how much was not read.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    /// What is left, in bytes.
    pub(crate) left: u64,
    /// How much was left out.
    pub(crate) left_out: usize,
}

impl Allowance {
    /// An allowance of `left` bytes.
    pub(crate) fn new(left: u64) -> Allowance {
        Allowance { left, left_out: 0 }
    }

    /// Takes so many bytes. Returns false, and counts one thing that is left out, if there are not enough.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let rest = self.left.checked_sub(bytes);
        self.left = rest.unwrap_or(self.left);
        self.left_out += usize::from(rest.is_none());
        rest.is_some()
    }

    /// Counts one thing that is left out for another reason.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }
}
