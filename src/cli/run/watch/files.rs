use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use walkdir::WalkDir;

use crate::cli::args::RunArgs;
use crate::cli::input::{Input, Workspaces, find, near};
use crate::cli::run::target::choose;
use crate::config::{CONFIG_FILE, Config, TargetConfig};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, Scope, absolute};

/// The most files of a target that are watched, and how deep below a folder.
const MOST_FILES: usize = 5000;
/// How deep files beside a program are watched: a virtual environment begins deeper.
const DEPTH: usize = 8;
/// How many names of changed files a line has. One line of a terminal.
const NAMED: usize = 3;

/// The files that decide the results of a run, as they were at one time.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// What is known of each file without reading it; `None` if there is no such file.
    stamps: BTreeMap<PathBuf, Option<(u64, SystemTime)>>,
}

impl Files {
    /// Looks at the files. A configuration that cannot be read names no further files.
    pub(super) fn look(args: &RunArgs, paths: &[PathBuf]) -> Files {
        let mut files = Files::default();
        let mut workspaces = Workspaces::new();
        let found = find(paths, None, &mut workspaces);
        for path in found.empty.iter().chain(paths) {
            files.add(&absolute(path));
        }
        files.stamps.extend(extra_files(args).into_iter().map(|path| (path.clone(), stamp(&path))));
        files.add_config(args.config.as_deref());
        for input in &found.inputs {
            let Input::File(path) = input else { continue };
            let suite = absolute(path);
            files.add(&suite);
            files.add_config(Scope::of_file(&suite).config_path().as_deref());
            if let Ok(loaded) = &*workspaces.of_input(input) {
                files.add_evidence(args, &suite, loaded);
            }
        }
        files
    }

    /// The number of files that exist.
    pub(super) fn count(&self) -> usize {
        self.stamps.values().flatten().count()
    }

    /// The names of the files that differ from an earlier look, for people; `None` if none does.
    pub(super) fn changed_since(&self, earlier: &Files) -> Option<String> {
        let gone = earlier.stamps.iter().filter(|(path, stamp)| stamp.is_some() && !self.stamps.contains_key(*path));
        let differ = self.stamps.iter().filter(|(path, stamp)| earlier.stamps.get(*path).copied().flatten() != **stamp);
        let changed: BTreeSet<&PathBuf> = differ.chain(gone).map(|(path, _)| path).collect();
        let names: Vec<String> = changed.iter().take(NAMED).map(|path| near(path)).collect();
        match changed.len() - names.len() {
            _ if names.is_empty() => None,
            0 => Some(names.join(", ")),
            more => Some(format!("{}, and {more} more", names.join(", "))),
        }
    }

    fn add(&mut self, path: &Path) {
        if !path.is_dir() {
            self.stamps.insert(path.to_owned(), stamp(path));
        }
    }

    fn add_config(&mut self, path: Option<&Path>) {
        if let Some(path) = path {
            self.add(&absolute(path));
        }
    }

    /// Adds what the results of a suite are made from: transcripts, or the files of the target.
    fn add_evidence(&mut self, args: &RunArgs, suite: &Path, loaded: &LoadedConfig) {
        self.add(&loaded.root.join(CONFIG_FILE));
        let Ok(chosen) = choose(args, args.target.as_deref(), Arc::clone(&loaded.config)) else { return };
        match chosen.config.targets.get(&chosen.name) {
            Some(target) if !target.is_live() => {
                let store = Store::new(suite, &chosen.config);
                below(store.folder(), 1, |_| true).iter().for_each(|path| self.add(path));
            }
            Some(_) => {
                target_files(args, &chosen.config, &chosen.name, &loaded.root).iter().for_each(|path| self.add(path))
            }
            None => {}
        }
    }
}

/// The files of a live target: those that its command names, the files beside and below them with the same extension, and those
/// that `--watch` names. `root` is the folder of `eval-ls.toml`.
pub(super) fn target_files(args: &RunArgs, config: &Config, target: &str, root: &Path) -> BTreeSet<PathBuf> {
    let mut files = extra_files(args);
    let Some(command) = config.targets.get(target).and_then(TargetConfig::command) else { return files };
    for path in command.command.iter().map(|word| command.folder(root).join(word)).filter(|path| path.is_file()) {
        let folder = path.parent().unwrap_or(root);
        if let Some(extension) = path.extension() {
            files.extend(below(folder, DEPTH, |other| other.extension() == Some(extension)));
        }
        files.insert(path);
    }
    files
}

/// The files that `--watch=PATH` names, and those in the folders that it names.
fn extra_files(args: &RunArgs) -> BTreeSet<PathBuf> {
    let named = args.watch.iter().flatten().filter(|path| !path.is_empty());
    named.flat_map(|path| below(&absolute(Path::new(path)), DEPTH, |_| true)).collect()
}

/// The files below a folder, or the file itself; without hidden folders and those that programs fill.
fn below(folder: &Path, depth: usize, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let is_filled = |name: &OsStr| {
        name.as_encoded_bytes().starts_with(b".")
            || ["node_modules", "__pycache__", "target", "results"].iter().any(|filled| name == *filled)
    };
    let entries = WalkDir::new(folder).max_depth(depth).sort_by_file_name().into_iter();
    let entries =
        entries.filter_entry(|entry| entry.depth() == 0 || !is_filled(entry.file_name())).filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file() && is_wanted(entry.path()));
    files.map(walkdir::DirEntry::into_path).take(MOST_FILES).collect()
}

fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let known: Metadata = path.metadata().ok()?;
    Some((known.len(), known.modified().ok()?))
}
