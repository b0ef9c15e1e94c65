//! The server's state, as the status page shows it.

use std::path::PathBuf;
use std::sync::Arc;

use ls_types::Uri;

use crate::config::Config;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::transcripts::Memory;

/// The state of the server at one moment.
pub(in crate::lsp) struct StatusReport {
    pub(in crate::lsp) is_trusted: bool,
    pub(in crate::lsp) folders: Vec<PathBuf>,
    pub(in crate::lsp) documents: Vec<DocumentStatus>,
    /// The memory for the answers of all suites, in bytes.
    pub(in crate::lsp) memory: u64,
    /// The number of running and queued cases.
    pub(in crate::lsp) running: usize,
}

/// The state of an open document.
pub(in crate::lsp) struct DocumentStatus {
    pub(in crate::lsp) uri: Uri,
    /// The path of its `eval-ls.toml`, if there is one, and the number of errors in it.
    pub(in crate::lsp) config_path: Option<PathBuf>,
    pub(in crate::lsp) error_count: usize,
    pub(in crate::lsp) config: Arc<Config>,
    /// The selected target.
    pub(in crate::lsp) target: String,
    /// Why it is a suite, or not.
    pub(in crate::lsp) why: String,
    pub(in crate::lsp) suite: Option<Snapshot>,
    /// The memory for its answers.
    pub(in crate::lsp) memory: Memory,
}
