//! The files that a target must not read: with them it knows the answers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::runner::{Plan, Watched};
use crate::runs::Runs;
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, sample_folder};

/// So many files are watched: each takes some hundred bytes, and a program that looks for answers opens the first ones, too.
const MOST_FILES: usize = 20_000;
/// Results have folders for runs, cases and answers.
const DEEPEST: usize = 4;

/// The suites of a plan with their transcripts, samples and earlier results.
pub(super) fn watched(plan: &Plan, config: &Config, loaded: &LoadedConfig) -> Watched {
    let mut files = Vec::new();
    for suite in plan.suites() {
        files.push(suite.path.clone());
        add(Store::new(&suite.path, config).folder(), &mut files, 1);
        add(&sample_folder(&suite.path), &mut files, 2);
    }
    add(Runs::of_workspace(&loaded.root, config).path(), &mut files, DEEPEST);
    Watched { level: config.run.answer_key, files, root: loaded.root.clone() }
}

/// Adds the files of a folder and of the folders in it. No link is followed.
fn add(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            _ if files.len() >= MOST_FILES => return,
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            Ok(kind) if kind.is_dir() && depth > 1 => add(&entry.path(), files, depth - 1),
            _ => {}
        }
    }
}
