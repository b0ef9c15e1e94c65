//! Suites on disk: those below the workspace's folders, and one that is not open.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::Uri;

use crate::analysis::{Answers, Document, lint_names};
use crate::cancellation::checkpoint;
use crate::files::{self, Reader};
use crate::lsp::client::support::Support;
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::transcripts::{Ran, of_closed, read_closed};
use crate::suite::memory_of;
use crate::text::Text;
use crate::workspace::{ConfigCache, Search, innermost};

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
            reader: &Reader::within(folder, MAX_BYTES),
            max_entries: usize::MAX,
        };
        found.extend(search.below(folder).suites);
    }
    found.sort();
    found.dedup();
    found
}

/// The largest suite that is read while it is not open, in bytes.
pub(crate) const MAX_BYTES: u64 = 32 << 20;
/// The most memory for such a suite, in bytes.
const MAX_MEMORY: u64 = 256 << 20;

/// The text of a suite that is not open; `None` if it cannot be read, is not UTF-8, or is too large.
pub(crate) fn text(path: &Path) -> Option<Text> {
    let text = String::from_utf8(files::read(path, MAX_BYTES).ok()?).ok()?;
    (memory_of(&text) <= MAX_MEMORY).then(|| Text::from(text))
}

/// Whether the suite at `path` is not read while it is not open, because it is too large.
pub(crate) fn is_too_large(path: &Path) -> bool {
    match files::read(path, MAX_BYTES) {
        Ok(bytes) => std::str::from_utf8(&bytes).is_ok_and(|text| memory_of(text) > MAX_MEMORY),
        Err(fault) => fault.kind() == io::ErrorKind::FileTooLarge,
    }
}

/// The suite in the file at `path` as if it were open, but without the answers of its cases; `None` if it cannot be read.
pub(crate) fn on_disk(
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

/// The suite with the answers of its cases, on disk and in memory.
pub(crate) fn with_answers(suite: Snapshot, ran: &Ran) -> Snapshot {
    let Some(path) = suite.document.path() else { return suite };
    let config = Arc::clone(suite.answers.config());
    let files = read_closed(path, &config, &suite.document);
    Snapshot { answers: Arc::new(of_closed(config, &files, ran)), ..suite }
}

/// The suite's name for people: its path from the workspace's folder, else the file's name.
pub(crate) fn label(path: &Path, folders: &[PathBuf]) -> String {
    let relative = innermost(path, folders).and_then(|folder| path.strip_prefix(folder).ok());
    let relative = relative.map_or_else(|| path.file_name().map(PathBuf::from), |path| Some(path.to_owned()));
    relative.unwrap_or_else(|| path.to_owned()).display().to_string()
}
