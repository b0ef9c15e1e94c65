use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::budget::{Allowance, MAX_ANSWER_MEMORY, MAX_MEMORY, Memory};
use super::run_results::FileAnswer;
use super::{Accepted, FromControl, FromRuns, MAX_BYTES};
use crate::analysis::{Answer, OwnAnswer, Sample, Samples};
use crate::lsp::session::stamp::Stamp;
use crate::transcript::{Store, Transcript, Wanted, file_name, memory_of};

/// The most names of files of no case that are remembered.
const MOST_OTHERS: usize = 10_000;

/// The transcripts of the cases of one suite. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct Files {
    by_name: Arc<HashMap<String, Arc<Answer>>>,
    /// What is known of each file beside its answer.
    seen: Arc<HashMap<String, Seen>>,
    /// The names of the other files in the folder, which may become those of cases.
    others: Arc<HashSet<String>>,
    /// The forms in which their responses were read.
    wanted: Arc<Wanted>,
    /// The answers that `[challenge]` lists.
    own: Arc<[OwnAnswer]>,
    /// The samples of the cases.
    samples: Arc<Samples>,
    /// A hash of the names and times of their files.
    samples_stamp: u64,
    /// What kept runs say about the cases.
    runs: Arc<FromRuns>,
    /// The answers of the control.
    control: Arc<FromControl>,
    /// The baselines of the suite.
    accepted: Arc<Accepted>,
}

/// What is known of a file beside its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    stamp: Stamp,
    /// The memory that it takes, in bytes.
    memory: u64,
    /// Whether there was enough memory for it.
    is_read: bool,
}

impl Files {
    /// The memory for what was read.
    pub(in crate::lsp) fn memory(&self) -> Memory {
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
    pub(in crate::lsp) fn read(
        store: &Store,
        names: &HashSet<String>,
        known: &Files,
        allowance: &mut Allowance,
    ) -> Files {
        let mut by_name = HashMap::new();
        let mut seen = HashMap::new();
        let is_wanted_so = *known.wanted == *store.wanted();
        let Found { files: found, others } = Found::of(store, names);
        for (name, path, metadata) in found {
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
        let others = if others == *known.others { Arc::clone(&known.others) } else { Arc::new(others) };
        if is_wanted_so
            && by_name.len() == known.by_name.len()
            && by_name.iter().all(|(name, answer)| known.has(name, answer))
        {
            return Files { others, ..known.clone() };
        }
        Files {
            by_name: Arc::new(by_name),
            seen: Arc::new(seen),
            others,
            wanted: Arc::new(store.wanted().clone()),
            own: Arc::clone(&known.own),
            samples: Arc::clone(&known.samples),
            samples_stamp: known.samples_stamp,
            runs: Arc::clone(&known.runs),
            control: Arc::clone(&known.control),
            accepted: Arc::clone(&known.accepted),
        }
    }

    /// Whether the folder has a file that was not read, because it had none of the names of the cases.
    pub(in crate::lsp) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether one of these files was not read, because it had none of the names of the cases.
    pub(in crate::lsp) fn lacks(&self, names: &HashSet<String>) -> bool {
        self.others.iter().any(|other| names.contains(other))
    }

    /// The same with the answers that `[challenge]` lists.
    #[must_use]
    pub(in crate::lsp) fn with_own(self, own: Vec<OwnAnswer>) -> Files {
        if own[..] == self.own[..] { self } else { Files { own: own.into(), ..self } }
    }

    /// The same with the samples of the cases, and a hash of their files. Those of a case that has not changed stay the same.
    #[must_use]
    pub(in crate::lsp) fn with_samples(self, mut samples: Samples, samples_stamp: u64) -> Files {
        for (case, samples) in &mut samples {
            if let Some(known) = self.samples.get(case).filter(|known| **known == *samples) {
                *samples = Arc::clone(known);
            }
        }
        let samples = if samples == *self.samples { Arc::clone(&self.samples) } else { Arc::new(samples) };
        Files { samples, samples_stamp, ..self }
    }

    /// A hash of the names and times of the files of the samples.
    pub(in crate::lsp) fn samples_stamp(&self) -> u64 {
        self.samples_stamp
    }

    /// The samples of the cases.
    pub(in crate::lsp) fn samples(&self) -> Arc<Samples> {
        Arc::clone(&self.samples)
    }

    /// The same with what kept runs say about the cases.
    #[must_use]
    pub(in crate::lsp) fn with_runs(self, runs: Arc<FromRuns>) -> Files {
        Files { runs, ..self }
    }

    /// The same with the answers of the control.
    #[must_use]
    pub(in crate::lsp) fn with_control(self, control: Arc<FromControl>) -> Files {
        Files { control, ..self }
    }

    /// The answers of the control.
    pub(in crate::lsp) fn control(&self) -> &Arc<FromControl> {
        &self.control
    }

    /// The same with the baselines of the suite.
    #[must_use]
    pub(in crate::lsp) fn with_accepted(self, accepted: Arc<Accepted>) -> Files {
        Files { accepted, ..self }
    }

    /// The baselines of the suite.
    pub(in crate::lsp) fn accepted(&self) -> &Arc<Accepted> {
        &self.accepted
    }

    /// What kept runs say about the cases.
    pub(in crate::lsp) fn runs(&self) -> &Arc<FromRuns> {
        &self.runs
    }

    /// The answers that `[challenge]` lists.
    pub(in crate::lsp) fn own(&self) -> Arc<[OwnAnswer]> {
        Arc::clone(&self.own)
    }

    /// Returns the answers, by the names of the files.
    pub(in crate::lsp) fn by_name(&self) -> Arc<HashMap<String, Arc<Answer>>> {
        Arc::clone(&self.by_name)
    }

    /// Returns whether these are identical to the other files.
    pub(super) fn is_same(&self, other: &Files) -> bool {
        Arc::ptr_eq(&self.by_name, &other.by_name)
            && Arc::ptr_eq(&self.own, &other.own)
            && Arc::ptr_eq(&self.samples, &other.samples)
            && Arc::ptr_eq(&self.runs, &other.runs)
            && Arc::ptr_eq(&self.control, &other.control)
            && Arc::ptr_eq(&self.accepted, &other.accepted)
    }

    /// Returns the file for that case.
    pub(super) fn of(&self, id: &str) -> Option<FileAnswer<'_>> {
        let name = file_name(id);
        Some(FileAnswer { answer: self.by_name.get(&name)?, written: self.seen.get(&name)?.stamp.modified })
    }

    fn has(&self, name: &str, answer: &Arc<Answer>) -> bool {
        self.by_name.get(name).is_some_and(|known| Arc::ptr_eq(known, answer))
    }
}

/// The memory for the answers that `[challenge]` lists.
pub(super) fn of_own(own: &[OwnAnswer]) -> u64 {
    own.iter().map(|answer| (answer.name.len() + answer.response.len()) as u64).sum()
}

/// The memory for samples.
pub(super) fn of_samples(samples: &Samples) -> u64 {
    let of_case = |samples: &Arc<[Sample]>| -> u64 {
        samples.iter().filter_map(|sample| sample.answer.as_ref().ok()).map(Transcript::memory).sum()
    };
    samples.values().map(of_case).sum::<u64>()
}

/// The JSON files of a store.
#[derive(Default)]
struct Found {
    /// Those with the names of cases, the smallest first.
    files: Vec<(String, PathBuf, Metadata)>,
    /// The names of the others.
    others: HashSet<String>,
}

impl Found {
    fn of(store: &Store, names: &HashSet<String>) -> Found {
        let mut found = Found::default();
        if !store.is_inside() {
            return found;
        }
        for entry in fs::read_dir(store.folder()).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !name.ends_with(".json") {
                continue;
            }
            if !names.contains(&name) {
                if found.others.len() < MOST_OTHERS {
                    found.others.insert(name);
                }
                continue;
            }
            let path = entry.path();
            let Some(metadata) = fs::metadata(&path).ok().filter(Metadata::is_file) else { continue };
            // A link that leads out is not followed.
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !is_link || store.admits(&path) {
                found.files.push((name, path, metadata));
            }
        }
        found.files.sort_by(|(name, _, metadata), (other_name, _, other)| {
            metadata.len().cmp(&other.len()).then_with(|| name.cmp(other_name))
        });
        found
    }
}

type Loaded = Result<(crate::transcript::Transcript, String), String>;

/// Whether a file of this length, which takes so much memory, is read.
fn fits(length: u64, memory: u64, allowance: &Allowance) -> bool {
    length <= MAX_BYTES && memory <= MAX_ANSWER_MEMORY.min(allowance.left())
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
