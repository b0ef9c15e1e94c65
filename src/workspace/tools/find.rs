use std::collections::VecDeque;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use crate::config::{CONFIG_FILE, FileSet, Taken};

use super::Place;
use super::bounds::ENTRIES;

/// The suites of a place, those in nearer folders first, and then by name. Folders that cannot be looked into are passed
/// over, and links to folders are not followed.
pub(super) fn suites(place: &Place, files: &FileSet) -> Vec<PathBuf> {
    let mut suites = Vec::new();
    let mut entries_left = ENTRIES;
    let mut folders = VecDeque::from([Folder { path: place.root().to_owned(), relative: String::new() }]);
    while let Some(folder) = folders.pop_front() {
        let entries = folder.entries(&mut entries_left);
        let is_another_place = !folder.relative.is_empty() && entries.iter().any(|(name, _)| name == CONFIG_FILE);
        if is_another_place {
            continue;
        }
        for (name, entry) in entries {
            let relative = if folder.relative.is_empty() { name } else { format!("{}/{name}", folder.relative) };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if matches!(place, Place::Workspace(_)) && !files.excludes_folder(&relative) {
                    folders.push_back(Folder { path: entry.path(), relative });
                }
            } else if is_suite(place, files, &relative) {
                suites.push(entry.path());
            }
        }
    }
    suites
}

struct Folder {
    path: PathBuf,
    /// The way from the place's root, its parts parted by `/`.
    relative: String,
}

impl Folder {
    /// What is in it, by name; not all of it where that would be more than is left to be looked at.
    fn entries(&self, entries_left: &mut usize) -> Vec<(String, DirEntry)> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let named = |entry: DirEntry| (entry.file_name().to_string_lossy().into_owned(), entry);
        let mut entries: Vec<_> = entries.flatten().take(*entries_left).map(named).collect();
        *entries_left -= entries.len();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries
    }
}

fn is_suite(place: &Place, files: &FileSet, relative: &str) -> bool {
    let takes = |path: &str| files.takes(path) == Taken::Yes;
    let below_its_name = || {
        let name = place.root().file_name().map(Path::new)?.to_string_lossy();
        Some(format!("{name}/{relative}"))
    };
    // Without a configuration, a folder that is called `evals` makes suites of its files.
    let is_named_so = matches!(place, Place::Folder(_)) && below_its_name().is_some_and(|path| takes(&path));
    takes(relative) || is_named_so
}

/// The transcripts in a folder of them, by name.
pub(super) fn transcripts(folder: &Path, at_most: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().take(at_most).map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    paths.sort();
    paths
}
