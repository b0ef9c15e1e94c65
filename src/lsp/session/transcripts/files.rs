use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{Accepted, FromRuns};
use crate::analysis::{Answer, OwnAnswer};
use crate::lsp::session::stamp::Stamp;
use crate::transcript::{Store, Wanted, file_name};
use crate::workspace::is_inside;

/// The largest file that the editor reads, in bytes. No ordinary response is that long.
pub(in crate::lsp) const MAX_BYTES: u64 = 16 << 20;
/// The largest sum of the files of one suite that the editor reads, in bytes. Smaller files are read first, so that a few
/// large ones do not exclude the others.
pub(in crate::lsp) const MAX_TOTAL_BYTES: u64 = 128 << 20;

/// The transcripts in the folder of one suite. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct Files {
    by_name: Arc<HashMap<String, Arc<Answer>>>,
    /// The identity of each file, and whether it is within the limits.
    stamps: Arc<HashMap<String, (Stamp, bool)>>,
    /// The forms in which their responses were read.
    wanted: Arc<Wanted>,
    /// The answers that `[challenge]` lists.
    own: Arc<[OwnAnswer]>,
    /// What kept runs say about the cases.
    runs: Arc<FromRuns>,
    /// The baselines of the suite.
    accepted: Arc<Accepted>,
}

/// What was read of the files, and what was not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) struct Budget {
    /// The size of the files that were read, in bytes.
    pub(in crate::lsp) bytes: u64,
    /// The number of files over a limit.
    pub(in crate::lsp) left_out: usize,
}

impl Files {
    /// What was read.
    pub(super) fn budget(&self) -> Budget {
        let read = self.stamps.values().filter(|(_, is_read)| *is_read);
        let bytes = read.map(|(stamp, _)| stamp.length).sum();
        Budget { bytes, left_out: self.stamps.values().filter(|(_, is_read)| !is_read).count() }
    }

    /// Reads the files of a store; unchanged files are taken from `known`. A link is followed only to a file below `root`,
    /// so that a suite of somebody else does not make the editor read other files.
    pub(in crate::lsp) fn read(store: &Store, root: &Path, known: &Files) -> Files {
        let mut by_name = HashMap::new();
        let mut stamps = HashMap::new();
        let is_wanted_so = *known.wanted == *store.wanted();
        let mut left = MAX_TOTAL_BYTES;
        for (name, path, metadata) in found(store, root) {
            let rest = left.checked_sub(metadata.len()).filter(|_| metadata.len() <= MAX_BYTES);
            left = rest.unwrap_or(left);
            let stamp = (Stamp::of(&metadata), rest.is_some());
            let answer = match known.by_name.get(&name) {
                Some(answer) if is_wanted_so && known.stamps.get(&name) == Some(&stamp) => Arc::clone(answer),
                _ => Arc::new(load(store, &path, &metadata, rest.is_some())),
            };
            stamps.insert(name.clone(), stamp);
            by_name.insert(name, answer);
        }
        if is_wanted_so
            && by_name.len() == known.by_name.len()
            && by_name.iter().all(|(name, answer)| known.has(name, answer))
        {
            return known.clone();
        }
        Files {
            by_name: Arc::new(by_name),
            stamps: Arc::new(stamps),
            wanted: Arc::new(store.wanted().clone()),
            own: Arc::clone(&known.own),
            runs: Arc::clone(&known.runs),
            accepted: Arc::clone(&known.accepted),
        }
    }

    /// The same with the answers that `[challenge]` lists.
    #[must_use]
    pub(in crate::lsp) fn with_own(self, own: Vec<OwnAnswer>) -> Files {
        if own[..] == self.own[..] { self } else { Files { own: own.into(), ..self } }
    }

    /// The same with what kept runs say about the cases.
    #[must_use]
    pub(in crate::lsp) fn with_runs(self, runs: Arc<FromRuns>) -> Files {
        Files { runs, ..self }
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
            && Arc::ptr_eq(&self.runs, &other.runs)
            && Arc::ptr_eq(&self.accepted, &other.accepted)
    }

    /// Returns the file for that case, and when it was written.
    pub(super) fn of(&self, id: &str) -> Option<(&Arc<Answer>, Option<SystemTime>)> {
        let name = file_name(id);
        Some((self.by_name.get(&name)?, self.stamps.get(&name)?.0.modified))
    }

    fn has(&self, name: &str, answer: &Arc<Answer>) -> bool {
        self.by_name.get(name).is_some_and(|known| Arc::ptr_eq(known, answer))
    }
}

/// The JSON files of a store with their names, the smallest first.
fn found(store: &Store, root: &Path) -> Vec<(String, PathBuf, Metadata)> {
    if !is_inside(store.folder(), root) {
        return Vec::new();
    }
    let root = fs::canonicalize(root).ok();
    let stays_inside = |path: &Path| match (fs::canonicalize(path), &root) {
        (Ok(target), Some(root)) => target.starts_with(root),
        _ => false,
    };
    let entries = fs::read_dir(store.folder()).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf, Metadata)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(".json"))?;
            let path = entry.path();
            // Opening a pipe would block until another process writes to it.
            let metadata = fs::metadata(&path).ok().filter(Metadata::is_file)?;
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            (!is_link || stays_inside(&path)).then_some((name, path, metadata))
        })
        .collect();
    found.sort_by(|(name, _, metadata), (other_name, _, other)| {
        metadata.len().cmp(&other.len()).then_with(|| name.cmp(other_name))
    });
    found
}

fn load(store: &Store, path: &Path, metadata: &Metadata, is_read: bool) -> Answer {
    let loaded = if is_read {
        store.load(path).map_err(|error| error.to_string())
    } else {
        Err(format!(
            "{}: too large for the editor, which reads up to {} MiB of a transcript, and {} MiB for a suite",
            path.display(),
            MAX_BYTES >> 20,
            MAX_TOTAL_BYTES >> 20
        ))
    };
    Answer::kept(path.to_owned(), loaded, metadata.modified().ok())
}
