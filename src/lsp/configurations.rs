//! What holds where: each `eval-ls.toml` that is in use, read once, and the defaults where there is none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::{Workspace, lint_names, workspace_of};
use crate::config::{self, Config, ConfigError, FileSet, LoadError, Taken};
use crate::diagnostic::{Finding, Severity};
use crate::text::Span;

/// What holds for the suites below one `eval-ls.toml`, or for those that have none.
#[derive(Debug, PartialEq)]
pub(super) struct Configuration {
    /// The folder that `[files]` counts from; `None` where there is no `eval-ls.toml`.
    root: Option<PathBuf>,
    files: FileSet,
    /// The file's text, to which the findings' spans refer.
    text: String,
    findings: Vec<Finding>,
    workspace: Arc<Workspace>,
}

/// The configurations in use.
#[derive(Debug, Default)]
pub(super) struct Configurations {
    by_path: BTreeMap<PathBuf, Arc<Configuration>>,
    default: Arc<Configuration>,
}

impl Configuration {
    /// Reads an `eval-ls.toml`. One that cannot be read leaves all defaults in place, and says so.
    fn load(path: &Path) -> Self {
        match config::Workspace::load_file(path, &lint_names()) {
            Ok(loaded) => Configuration {
                root: Some(loaded.root),
                workspace: Arc::new(workspace_of(&loaded.config)),
                files: loaded.config.files,
                findings: loaded.errors.iter().map(Finding::from).collect(),
                text: loaded.text,
            },
            Err(error) => Configuration {
                root: path.parent().map(Path::to_owned),
                findings: vec![unreadable(&error)],
                ..Configuration::default()
            },
        }
    }

    /// Whether `[files]` takes the file at `path` for a suite. Where there is no `eval-ls.toml`, paths count from the
    /// innermost of the `folders` that the file is in, else from the file system's root.
    pub(super) fn takes(&self, path: &Path, folders: &[PathBuf]) -> bool {
        let innermost =
            || folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
        let root = self.root.as_ref().or_else(innermost);
        let relative = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let parts: Vec<_> = relative
            .components()
            .filter_map(|part| match part {
                std::path::Component::Normal(name) => Some(name.to_string_lossy()),
                _ => None,
            })
            .collect();
        self.files.takes(&parts.join("/")) == Taken::Yes
    }

    /// What it tells the lints.
    pub(super) fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// The file's text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong in the file.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Default for Configuration {
    fn default() -> Self {
        let config = Config::default();
        Configuration {
            root: None,
            workspace: Arc::new(workspace_of(&config)),
            files: config.files,
            text: String::new(),
            findings: Vec::new(),
        }
    }
}

impl Configurations {
    /// What holds for the suite at `path`: the nearest `eval-ls.toml` above it, read if it was not yet.
    pub(super) fn of(&mut self, path: Option<&Path>) -> Arc<Configuration> {
        let Some(file) = path.and_then(config::find_config) else { return Arc::clone(&self.default) };
        let load = |file: &PathBuf| Arc::new(Configuration::load(file));
        match self.by_path.get(&file) {
            Some(known) => Arc::clone(known),
            None => Arc::clone(self.by_path.entry(file.clone()).or_insert_with(|| load(&file))),
        }
    }

    /// That of the file at `path`, if it is in use.
    pub(super) fn get(&self, path: &Path) -> Option<&Arc<Configuration>> {
        self.by_path.get(path)
    }

    /// Reads all files afresh and finds out which of them the suites and folders at `paths` use now; returns those
    /// whose text, or whose use, has changed. A configuration that says what it said before is kept as it is.
    pub(super) fn reload<'a>(&mut self, paths: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
        let old = std::mem::take(&mut self.by_path);
        for path in paths {
            self.of(Some(path));
        }
        for (path, configuration) in &mut self.by_path {
            if let Some(known) = old.get(path).filter(|known| *known == configuration) {
                *configuration = Arc::clone(known);
            }
        }
        let same = |path: &PathBuf| match (old.get(path), self.by_path.get(path)) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        let mut changed: Vec<PathBuf> =
            old.keys().chain(self.by_path.keys()).filter(|path| !same(path)).cloned().collect();
        changed.dedup();
        changed.sort();
        changed.dedup();
        changed
    }
}

fn unreadable(error: &LoadError) -> Finding {
    Finding::new(ConfigError::LINT, Severity::Error, Span::default(), error.to_string())
}
