//! Suites on disk: those below the workspace's folders, and one that is not open.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};
use tower_lsp_server::ls_types::Uri;

use crate::analysis::{Answer, Answers, Document};
use crate::lsp::client::support::Support;
use crate::lsp::session::configurations::{Configuration, Configurations, innermost};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::transcripts::Files;
use crate::text::Text;
use crate::transcript::Store;

/// How large a suite may be that nobody has open, in bytes.
const LARGEST: u64 = 64 << 20;

/// The suites in the folders and those below, sorted by path. `[files]` of the configuration that is nearest to a file
/// says whether it is one. Links to folders are not followed; what cannot be looked into is passed over.
pub(in crate::lsp) fn below(folders: &[PathBuf]) -> Vec<PathBuf> {
    let rules = Arc::new(Rules { folders: folders.to_vec(), known: Mutex::default() });
    let mut found = Vec::new();
    for folder in folders {
        let entered = Arc::clone(&rules);
        let mut walk = WalkBuilder::new(folder);
        walk.standard_filters(false).follow_links(false).filter_entry(move |entry| entered.enters(entry));
        let files = walk.build().flatten().filter(|entry| rules.takes(entry));
        found.extend(files.map(DirEntry::into_path));
    }
    found.sort();
    found.dedup();
    found
}

struct Rules {
    folders: Vec<PathBuf>,
    known: Mutex<Known>,
}

/// Which configuration holds in a folder.
#[derive(Default)]
struct Known {
    configurations: Configurations,
    by_folder: HashMap<PathBuf, Arc<Configuration>>,
}

impl Rules {
    fn enters(&self, entry: &DirEntry) -> bool {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.depth() == 0 || !is_folder || self.of(entry.path()).enters(entry.path(), &self.folders)
    }

    fn takes(&self, entry: &DirEntry) -> bool {
        let is_file = match entry.file_type() {
            Some(kind) if kind.is_symlink() => entry.path().is_file(),
            Some(kind) => kind.is_file(),
            None => false,
        };
        is_file && self.of(entry.path()).takes(entry.path(), &self.folders)
    }

    fn of(&self, path: &Path) -> Arc<Configuration> {
        let folder = path.parent().unwrap_or(path);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(configuration) = known.by_folder.get(folder) {
            return Arc::clone(configuration);
        }
        let configuration = known.configurations.of(Some(folder));
        known.by_folder.insert(folder.to_owned(), Arc::clone(&configuration));
        configuration
    }
}

/// The text of a suite's file; `None` where it cannot be read, is not UTF-8, or is larger than any suite.
pub(in crate::lsp) fn text(path: &Path) -> Option<Text> {
    let mut text = String::new();
    // Reading from a pipe could take for ever.
    let file = File::open(path).ok().filter(|_| fs::metadata(path).is_ok_and(|file| file.is_file()))?;
    let length = file.take(LARGEST + 1).read_to_string(&mut text).ok()?;
    (length as u64 <= LARGEST).then(|| Text::from(text))
}

/// The suite in the file at `path`, as it would be if it were open, but without the answers of its cases; `None` where it
/// cannot be read.
pub(in crate::lsp) fn on_disk(
    uri: Uri,
    path: PathBuf,
    configuration: &Arc<Configuration>,
    support: Arc<Support>,
) -> Option<Snapshot> {
    let document = Document::new(text(&path)?, Some(path));
    let workspace = Arc::clone(configuration.workspace());
    let answers = Answers::new(Arc::clone(configuration.config()), Arc::default(), HashMap::new());
    Some(Snapshot {
        uri,
        version: 0,
        document: Arc::new(document),
        workspace,
        answers: Arc::new(answers),
        support,
        settings: Arc::default(),
    })
}

/// The suite with the answers of its cases that are on disk, and those in memory.
pub(in crate::lsp) fn with_answers(suite: Snapshot, live: HashMap<String, Arc<Answer>>) -> Snapshot {
    let Some(path) = suite.document.path() else { return suite };
    let config = Arc::clone(suite.answers.config());
    let files = Files::read(&Store::new(path, &config), &Files::default());
    let answers = Arc::new(Answers::new(config, files.by_name(), live));
    Snapshot { answers, ..suite }
}

/// What people call the suite at `path`: where it is from the folder of the workspace that it is in, else its name.
pub(in crate::lsp) fn label(path: &Path, folders: &[PathBuf]) -> String {
    let relative = innermost(path, folders).and_then(|folder| path.strip_prefix(folder).ok());
    let relative = relative.map_or_else(|| path.file_name().map(PathBuf::from), |path| Some(path.to_owned()));
    relative.unwrap_or_else(|| path.to_owned()).display().to_string()
}
