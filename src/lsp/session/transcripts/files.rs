use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, OwnAnswer};
use crate::transcript::{Store, Wanted, file_name};

/// A larger file is not read. No response is that long, and the editor must stay responsive.
const MAX_BYTES: u64 = 64 << 20;

/// The transcripts in the folder of one suite. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct Files {
    by_name: Arc<HashMap<String, Arc<Answer>>>,
    stamps: Arc<HashMap<String, Stamp>>,
    /// The forms in which their responses were read.
    wanted: Arc<Wanted>,
    /// The answers that `[challenge]` lists.
    own: Arc<[OwnAnswer]>,
}

/// What identifies an unchanged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    identity: u64,
}

impl Files {
    /// Reads the files of a store; unchanged files are taken from `known`.
    pub(in crate::lsp) fn read(store: &Store, known: &Files) -> Files {
        let mut by_name = HashMap::new();
        let mut stamps = HashMap::new();
        let is_wanted_so = *known.wanted == *store.wanted();
        for entry in fs::read_dir(store.folder()).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = entry.path();
            // Opening a pipe would block until another process writes to it.
            let Some(metadata) = fs::metadata(&path).ok().filter(Metadata::is_file) else { continue };
            if !name.ends_with(".json") {
                continue;
            }
            let stamp = Stamp::of(&metadata);
            let answer = match known.by_name.get(&name) {
                Some(answer) if is_wanted_so && known.stamps.get(&name) == Some(&stamp) => Arc::clone(answer),
                _ => Arc::new(load(store, &path, &metadata)),
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
        }
    }

    /// The same with the answers that `[challenge]` lists.
    #[must_use]
    pub(in crate::lsp) fn with_own(self, own: Vec<OwnAnswer>) -> Files {
        if own[..] == self.own[..] { self } else { Files { own: own.into(), ..self } }
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
        Arc::ptr_eq(&self.by_name, &other.by_name) && Arc::ptr_eq(&self.own, &other.own)
    }

    /// Returns the file for that case, and when it was written.
    pub(super) fn of(&self, id: &str) -> Option<(&Arc<Answer>, Option<SystemTime>)> {
        let name = file_name(id);
        Some((self.by_name.get(&name)?, self.stamps.get(&name)?.modified))
    }

    fn has(&self, name: &str, answer: &Arc<Answer>) -> bool {
        self.by_name.get(name).is_some_and(|known| Arc::ptr_eq(known, answer))
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) }
    }
}

/// A file that is replaced as a whole is a different file afterwards.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> u64 {
    0
}

fn load(store: &Store, path: &Path, metadata: &Metadata) -> Answer {
    let loaded = if metadata.len() > MAX_BYTES {
        Err(format!(
            "{}: larger than {} MiB, which is too large to be judged in an editor",
            path.display(),
            MAX_BYTES >> 20
        ))
    } else {
        store.load(path).map_err(|error| error.to_string())
    };
    Answer::kept(path.to_owned(), loaded, metadata.modified().ok())
}
