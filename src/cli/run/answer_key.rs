//! The files that a target must not read: with them it knows the answers.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{AnswerKey, Config};
use crate::runner::{Plan, Watched};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, sample_folder};

/// The most files that are watched. Each takes some hundred bytes, and a program that looks for answers opens the first ones, too.
const MOST_FILES: usize = 20_000;
/// Results have files, and below `runs` folders for runs and answers.
const DEEPEST: usize = 5;
/// Editors read the results of a run that has just ended, on a loaded machine some seconds later.
const JUST_NOW: Duration = Duration::from_secs(30);

/// The suites of a plan with their transcripts, samples and earlier results. Results that have just been written are left out.
pub(super) fn watched(plan: &Plan, config: &Config, loaded: &LoadedConfig, results: Option<&Path>) -> Watched {
    let mut files = Vec::new();
    let level = config.run.answer_key;
    let is_off = level == AnswerKey::Ignore;
    for suite in plan.suites().iter().filter(|_| !is_off) {
        files.push(suite.path.clone());
        // The system reports the file itself, and not a link to it.
        files.extend(suite.path.canonicalize().ok().filter(|real| *real != suite.path));
        add(Store::new(&suite.path, config).folder(), 1, &|_| true, &mut files);
        add(&sample_folder(&suite.path), 2, &|_| true, &mut files);
    }
    let is_settled = |file: &DirEntry| {
        let age = file.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        age.is_some_and(|age| age > JUST_NOW)
    };
    if !is_off {
        let results = results.map_or_else(|| loaded.root.join(&config.run.results), Path::to_owned);
        add(&results, DEEPEST, &is_settled, &mut files);
    }
    Watched { level, files, root: loaded.root.clone() }
}

/// Adds the files of a folder and of the folders in it that are `wanted`. No link is followed.
fn add(folder: &Path, depth: usize, wanted: &dyn Fn(&DirEntry) -> bool, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            _ if files.len() >= MOST_FILES => return,
            Ok(kind) if kind.is_file() && wanted(&entry) => files.push(entry.path()),
            Ok(kind) if kind.is_dir() && depth > 1 => add(&entry.path(), depth - 1, wanted, files),
            _ => {}
        }
    }
}
