use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{CONFIG_FILE, Config};
use crate::files::Reader;
use crate::workspace::{FileRules, Scope, Search};

use super::bounds::ENTRIES;

/// The suites of a scope, those in nearer folders first, and then by name. Folders that cannot be read are ignored.
pub(super) fn suites(scope: &Scope, config: &Arc<Config>) -> Vec<PathBuf> {
    let folder = scope.folder().to_owned();
    let rules = FileRules::new(Arc::clone(config), scope.root().map(Path::to_owned));
    let is_in_scope = |folder: &Path| scope.root().is_some() && !folder.join(CONFIG_FILE).is_file();
    let mut search = Search {
        opened: std::slice::from_ref(&folder),
        rules_in: &mut |_| rules.clone(),
        enters: &is_in_scope,
        reader: &Reader::within(&folder, u64::MAX),
        max_entries: ENTRIES,
    };
    search.below(&folder).suites
}

/// The transcripts in a folder of them, by name. None if the folder is not one of the reader.
pub(super) fn transcripts(folder: &Path, reader: &Reader, at_most: usize) -> Vec<PathBuf> {
    if !reader.admits(folder) {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().take(at_most).map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    paths.sort();
    paths
}
