use std::path::{Path, PathBuf};

use crate::config::Config;

/// The files that speak for a suite: other suites, the transcripts of all of them, and the telemetry logs of targets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Those in the folder of an `eval-ls.toml` and below, but for folders with an `eval-ls.toml` of their own.
    Workspace(PathBuf),
    /// Without an `eval-ls.toml`, those in the suite's own folder.
    Folder(PathBuf),
}

impl Place {
    /// The place of a suite, both paths absolute; `config_path` is the `eval-ls.toml` that holds for it.
    pub fn of(suite: &Path, config_path: Option<&Path>) -> Option<Place> {
        match config_path {
            Some(config_path) => Some(Place::Workspace(config_path.parent()?.to_owned())),
            None => Some(Place::Folder(suite.parent()?.to_owned())),
        }
    }

    /// The folder in which it starts.
    pub fn root(&self) -> &Path {
        match self {
            Place::Workspace(root) | Place::Folder(root) => root,
        }
    }

    /// The telemetry logs of its targets, each once.
    pub(super) fn logs(&self, config: &Config) -> Vec<PathBuf> {
        use crate::config::TargetKind::Browser;
        let logs = config.targets.values().filter_map(|target| match &target.kind {
            Browser(browser) => browser.telemetry_log.as_deref(),
            _ => None,
        });
        let mut logs: Vec<_> = logs.map(|log| self.root().join(log)).collect();
        logs.sort();
        logs.dedup();
        logs
    }
}
