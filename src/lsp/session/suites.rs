//! The files of a workspace as the editor uses them: suites below its folders, one that is not open, and the folders of transcripts and kept
//! runs. A workspace may come from anybody, so files outside of it are neither read nor written, even if a link leads there.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ls_types::Uri;

use crate::analysis::{self, Answers, Document, lint_names};
use crate::cancellation::checkpoint;
use crate::config::Config;
use crate::diagnostic::Finding;
use crate::files::{self, Reader};
use crate::lsp::client::settings::{Settings, Support};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::transcripts::{Files, MAX_BYTES, MAX_MEMORY, Results, combined};
use crate::runs::Runs;
use crate::suite::memory_of;
use crate::text::Text;
use crate::transcript::Store;
use crate::workspace::{ConfigCache, Scope, Search, innermost};

/// The largest suite that is read while it is not open, in bytes.
const MAX_SUITE_BYTES: u64 = 32 << 20;
/// The bytes of an open suite's file that are read to find its encoding.
const HEAD: u64 = 1 << 18;
/// The most memory for such a suite, in bytes.
const MAX_SUITE_MEMORY: u64 = 256 << 20;

/// The most configurations in memory during a search. A workspace has one or a few.
const MOST_CONFIGURATIONS: usize = 32;

/// The suites in the folders and below them, sorted by path. Folders that cannot be read are ignored.
pub(crate) fn below(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut configurations = ConfigCache::new(lint_names()).keeping(MOST_CONFIGURATIONS);
    let mut found = Vec::new();
    for folder in folders {
        let mut search = Search {
            opened: folders,
            rules_in: &mut |folder| configurations.rules_in(folder),
            enters: &|_| {
                checkpoint();
                true
            },
            reader: &Reader::within(folder, MAX_SUITE_BYTES),
            max_entries: usize::MAX,
        };
        found.extend(search.below(folder).suites);
    }
    found.sort();
    found.dedup();
    found
}

/// The suites in the folders and below them, except the open ones.
pub(crate) fn closed<'o>(folders: &[PathBuf], open: &'o [Snapshot]) -> impl Iterator<Item = PathBuf> + 'o {
    let is_open = |path: &PathBuf| open.iter().any(|suite| suite.document.path() == Some(path));
    below(folders).into_iter().filter(move |path| !is_open(path)).inspect(|_| checkpoint())
}

/// The ids of the cases of a suite.
pub(crate) fn ids(document: &Document) -> impl Iterator<Item = &str> {
    document.suite().cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str()))
}

/// The text of a suite that is not open; `None` if it cannot be read, is not UTF-8, or is too large.
pub(crate) fn text(path: &Path) -> Option<Text> {
    let text = String::from_utf8(files::read(path, MAX_SUITE_BYTES).ok()?).ok()?;
    (memory_of(&text) <= MAX_SUITE_MEMORY).then(|| Text::from(text))
}

/// The finding about a suite whose file is not UTF-8: an editor may show it, but it is not run. Each edit asks, so only the first bytes are read.
pub(crate) fn not_utf8(path: &Path) -> Option<Finding> {
    let head = Reader::default().read_part(path, 0, HEAD).ok()?;
    let error = std::str::from_utf8(&head).err()?;
    // The last character of the part may be incomplete.
    error.error_len().map(|_| analysis::not_utf8(error.valid_up_to()))
}

/// Whether the suite at `path` is not read while it is not open, because it is too large.
pub(crate) fn is_too_large(path: &Path) -> bool {
    match files::read(path, MAX_SUITE_BYTES) {
        Ok(bytes) => std::str::from_utf8(&bytes).is_ok_and(|text| memory_of(text) > MAX_SUITE_MEMORY),
        Err(fault) => fault.kind() == io::ErrorKind::FileTooLarge,
    }
}

/// The suite in the file at `path` as if it were open, but without the answers of its cases; `None` if it cannot be read.
pub(crate) fn on_disk(
    uri: Uri,
    path: PathBuf,
    configuration: &Arc<Configuration>,
    support: Arc<Support>,
    settings: Arc<Settings>,
) -> Option<Snapshot> {
    let text = text(&path).or_else(|| not_utf8(&path).map(|_| Text::default()))?;
    let document = Document::new(text, Some(path));
    let workspace = Arc::clone(&configuration.workspace);
    let answers = Answers::new(Arc::clone(&configuration.config), Arc::default(), HashMap::new());
    Some(Snapshot {
        uri,
        version: 0,
        document: Arc::new(document),
        workspace,
        answers: Arc::new(answers),
        support,
        settings,
    })
}

/// The suite with the answers of its cases, on disk and in memory.
pub(crate) fn with_answers(suite: Snapshot, ran: &Results) -> Snapshot {
    let Some(path) = suite.document.path() else { return suite };
    let config = Arc::clone(suite.answers.config());
    let files = Files::read(path, &config, &suite.document, &Files::default(), MAX_MEMORY);
    Snapshot { answers: Arc::new(combined(config, &files, ran)), ..suite }
}

/// The suite's name for people: its path from the workspace's folder, else the file's name.
pub(crate) fn label(path: &Path, folders: &[PathBuf]) -> String {
    let relative = innermost(path, folders).and_then(|folder| path.strip_prefix(folder).ok());
    let relative = relative.map_or_else(|| path.file_name().map(PathBuf::from), |path| Some(path.to_owned()));
    relative.unwrap_or_else(|| path.to_owned()).display().to_string()
}

/// The transcripts of the suite at `path`.
pub(crate) fn store(path: &Path, config: &Config) -> Store {
    Store::new(path, config).within(Scope::of_file(path).folder(), MAX_BYTES)
}

/// A transcript that an accepted answer has replaced.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    pub(crate) store: Store,
    pub(crate) path: PathBuf,
    /// The text of the file before.
    pub(crate) earlier: String,
    /// The text that was accepted.
    pub(crate) accepted: String,
}

/// The kept runs of the workspace at `root`, see [`root_of`](crate::workspace::root_of).
pub(crate) fn kept_runs(root: &Path, config: &Config) -> Runs {
    Runs::of_workspace(root, config).within(root, MAX_BYTES, MAX_MEMORY)
}

/// The identity of a file, which shows cheaply that it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// In bytes.
    pub(crate) length: u64,
    /// When the file was written; `None` if the file system does not record it.
    pub(crate) modified: Option<SystemTime>,
    identity: u64,
}

impl Stamp {
    /// The identity of the file with this metadata.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) }
    }

    /// The identity of a file; `None` if it cannot be looked at.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
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
