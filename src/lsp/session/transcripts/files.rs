//! What is read of the files around a suite, and the memory for it. A suite's files come from anybody, so all of them together have a limit.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Around, Document, Sample, Samples};
use crate::config::Config;
use crate::filed::{Filed, strays};
use crate::lsp::session::suites::{self, Stamp};
use crate::suite::PlacedCase;
use crate::transcript::{Store, Transcript, Wanted, file_name, memory_of};
use crate::workspace::{Scope, root_of_file, samples_of};

use super::MAX_BYTES;
use super::run_results::FromRuns;

/// What was read around one suite. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// The transcripts, by the name of the file.
    pub(crate) by_name: Arc<HashMap<String, Arc<Answer>>>,
    /// Each of these files, with the memory that it takes, in bytes; `None` for a file that is left out.
    seen: Arc<HashMap<String, (Stamp, Option<u64>)>>,
    /// The forms in which their responses were read.
    wanted: Wanted,
    /// A hash of the names and times of the files of samples.
    samples_stamp: u64,
    /// What kept runs say about the cases.
    pub(crate) runs: Arc<FromRuns>,
    /// What is known beside the answers of the cases.
    pub(crate) around: Around,
    /// The memory for all of it.
    pub(crate) memory: Memory,
}

impl Files {
    /// Reads the files around the suite at `path`: its transcripts and samples, and what kept runs say about its cases.
    /// What is unchanged is taken from `known`.
    pub(crate) fn read(path: &Path, config: &Config, document: &Document, known: &Files, left: u64) -> Files {
        let mut allowance = Allowance { left, left_out: 0 };
        let files = known.clone().with_transcripts(&suites::store(path, config), document, &mut allowance);
        let files = files.with_samples(path, document, &mut allowance);
        let runs = FromRuns::read(path, config, &known.runs, &mut allowance);
        // While the text is broken, nobody knows its cases.
        let strays = document.is_well_formed().then(|| {
            let strays = strays(path, document.suite(), config, Scope::of_file(path).folder());
            same_or(&known.around.strays, strays)
        });
        let strays = strays.unwrap_or(files.around.strays);
        let around = Around { samples: files.around.samples, strays, has_run: runs.have_ended() };
        let memory = Memory { bytes: left - allowance.left, left_out: allowance.left_out };
        Files { runs, around, memory, ..files }
    }

    /// Reads the transcripts of the cases. Smaller files are read first, so that a few large ones do not exclude the others.
    fn with_transcripts(self, store: &Store, document: &Document, allowance: &mut Allowance) -> Files {
        let (mut by_name, mut seen) = (HashMap::new(), HashMap::new());
        let has_same_forms = self.wanted == *store.wanted();
        let names = suites::ids(document).map(file_name).collect();
        for (name, path, metadata) in found(store, &names) {
            let stamp = Stamp::of(&metadata);
            let before = self.seen.get(&name).filter(|(before, _)| has_same_forms && *before == stamp);
            let memory = before.and_then(|(_, memory)| memory.filter(|memory| *memory <= allowance.left));
            let (answer, memory) = match memory.zip(self.by_name.get(&name)) {
                Some((memory, answer)) => (Arc::clone(answer), Some(memory).filter(|memory| allowance.take(*memory))),
                None => {
                    let (loaded, memory) = load(store, &path, stamp.length, allowance);
                    (Arc::new(Answer::kept(path, loaded)), memory)
                }
            };
            seen.insert(name.clone(), (stamp, memory));
            by_name.insert(name, answer);
        }
        Files { by_name: Arc::new(by_name), seen: Arc::new(seen), wanted: store.wanted().clone(), ..self }
    }

    /// Reads the samples of the cases, but only if one of them or an id has changed: a run that watches them takes each reading for that
    /// of its target. A case whose samples do not fit into the memory has none.
    fn with_samples(self, path: &Path, document: &Document, allowance: &mut Allowance) -> Files {
        let shelf = Filed::Samples.folder(path);
        let mut hasher = DefaultHasher::new();
        document.hash_of_ids().hash(&mut hasher);
        for folder in fs::read_dir(&shelf).into_iter().flatten().flatten() {
            for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let stamp = file.metadata().ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
                (file.path(), stamp).hash(&mut hasher);
            }
        }
        let samples_stamp = hasher.finish();
        if self.samples_stamp == samples_stamp {
            allowance.take(self.around.samples.values().map(|samples| of_samples(samples)).sum());
            return self;
        }
        let root = root_of_file(path);
        let of_case = |placed: &PlacedCase| {
            let samples = samples_of(&root, path, &placed.case);
            let fits = !samples.is_empty() && allowance.take(of_samples(&samples));
            Some((placed.case.id.as_ref()?.value.clone(), samples.into())).filter(|_| fits)
        };
        let samples: Samples = document.suite().cases.iter().filter_map(of_case).collect();
        let samples = if samples == *self.around.samples { self.around.samples } else { Arc::new(samples) };
        Files { samples_stamp, around: Around { samples, ..self.around }, ..self }
    }

    /// The file for that case, and when it was written.
    pub(crate) fn of(&self, id: &str) -> Option<(&Arc<Answer>, Option<SystemTime>)> {
        let name = file_name(id);
        Some((self.by_name.get(&name)?, self.seen.get(&name)?.0.modified))
    }
}

/// `known` if it equals `now`, else `now`.
fn same_or<T: PartialEq>(known: &Arc<[T]>, now: Vec<T>) -> Arc<[T]> {
    if known[..] == now[..] { Arc::clone(known) } else { now.into() }
}

fn of_samples(samples: &[Sample]) -> u64 {
    samples.iter().filter_map(|sample| sample.answer.as_ref().ok()).map(Transcript::memory).sum()
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

type Loaded = Result<(Transcript, String), String>;

/// Reads a file of this length. Returns the memory that it takes; `None` if there is not enough.
fn load(store: &Store, path: &Path, length: u64, allowance: &mut Allowance) -> (Loaded, Option<u64>) {
    // What is known before the file is read.
    if length > MAX_BYTES || 2 * length > allowance.left {
        allowance.left_out += 1;
        return (Err(too_large(path)), None);
    }
    let text = match store.text(path) {
        Ok(text) => text,
        Err(error) => return (Err(error.to_string()), Some(0)),
    };
    let memory = memory_of(&text);
    if !allowance.take(memory) {
        return (Err(too_large(path)), None);
    }
    (store.parsed(path, text).map_err(|error| error.to_string()), Some(memory))
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

/// The memory for transcripts, and answers of runs, of all open suites together, in
/// bytes.
pub(crate) const MAX_MEMORY: u64 = 256 << 20;
/// The memory for what was read of the files around a suite, or around all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) bytes: u64,
    /// How many files and answers are left out, because they are too large.
    pub(crate) left_out: usize,
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
    /// Takes so many bytes. Returns false, and counts one thing that is left out, if there are not enough.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let rest = self.left.checked_sub(bytes);
        self.left = rest.unwrap_or(self.left);
        self.left_out += usize::from(rest.is_none());
        rest.is_some()
    }
}
