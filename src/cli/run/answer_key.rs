//! The files that a target must not read: with them it knows the answers.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::Config;
use crate::runner::{Plan, Watched};
use crate::runs::Runs;
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, sample_folder};

/// So many files are watched: each takes some hundred bytes, and a program that looks for answers opens the first ones, too.
const MOST_FILES: usize = 20_000;
/// Results have folders for runs, cases and answers.
const DEEPEST: usize = 4;
/// Editors read the results of a run that has just ended, on a loaded machine some seconds later.
const JUST_NOW: Duration = Duration::from_secs(30);

/// The suites of a plan with their transcripts, samples and earlier results, but those that have just been written.
pub(super) fn watched(plan: &Plan, config: &Config, loaded: &LoadedConfig) -> Watched {
    let mut files = Vec::new();
    for suite in plan.suites() {
        files.push(suite.path.clone());
        add(Store::new(&suite.path, config).folder(), 1, &|_| true, &mut files);
        add(&sample_folder(&suite.path), 2, &|_| true, &mut files);
    }
    let is_settled = |file: &DirEntry| {
        let age = file.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        age.is_some_and(|age| age > JUST_NOW)
    };
    add(Runs::of_workspace(&loaded.root, config).path(), DEEPEST, &is_settled, &mut files);
    Watched { level: config.run.answer_key, files, root: loaded.root.clone() }
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
