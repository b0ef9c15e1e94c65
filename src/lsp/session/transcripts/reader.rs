//! Reads the files around a suite, in a separate thread of the program.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io, thread};

use ls_types::Uri;

use crate::analysis::{Document, OwnAnswer, Samples};
use crate::config::Config;
use crate::filed::{Filed, strays};
use crate::lsp::client::settings::log;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::transcript::file_name;
use crate::workspace::{Scope, own_answers, root_of_file, samples_of};

use super::files::{Allowance, MAX_CLOSED_MEMORY, of_own, of_samples};
use super::{Accepted, Files, FromControl, FromRuns, ToRead};

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
