//! What holds where: each `eval-ls.toml` that is in use, read once, and the defaults where there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::analysis::{Workspace, lint_names, workspace_of};
use crate::config::{CONFIG_FILE, Config, ConfigError, Level, Taken};
use crate::diagnostic::{Finding, Severity};
use crate::text::Span;
use crate::workspace::tools::{Place, Tools};
use crate::workspace::{self, LoadError};

/// What holds for the suites below one `eval-ls.toml`, or for those of a folder that has none.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::lsp) struct Configuration {
    /// The files that speak for its suites; `None` for suites without a file.
    place: Option<Place>,
    config: Arc<Config>,
    /// The file's text, to which the findings' spans refer.
    text: String,
    findings: Vec<Finding>,
    workspace: Arc<Workspace>,
}

/// The configurations in use.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Configurations {
    by_path: BTreeMap<PathBuf, Arc<Configuration>>,
    /// Those of folders for which there is no `eval-ls.toml`.
    by_folder: BTreeMap<PathBuf, Arc<Configuration>>,
    default: Arc<Configuration>,
    /// The tools of places that were looked at.
    tools: BTreeMap<Place, Tools>,
    levels: Levels,
}

/// The levels that the client wants for lints of which no `eval-ls.toml` says anything.
pub(in crate::lsp) type Levels = BTreeMap<String, Level>;

impl Configuration {
    /// Reads an `eval-ls.toml`. One that cannot be read leaves all defaults in place, and says so.
    fn load(path: &Path, levels: &Levels) -> Self {
        match workspace::Workspace::load_file(path, &lint_names()) {
            Ok(loaded) => Configuration {
                place: Some(Place::Workspace(loaded.root)),
                findings: loaded.errors.iter().map(Finding::from).collect(),
                text: loaded.text,
                ..Configuration::new(loaded.config, levels)
            },
            Err(error) => Configuration {
                place: path.parent().map(Path::to_owned).map(Place::Workspace),
                findings: vec![unreadable(&error)],
                ..Configuration::new(Config::default(), levels)
            },
        }
    }

    /// One that comes from no file.
    fn new(config: Config, levels: &Levels) -> Self {
        let mut workspace = workspace_of(&config);
        for (lint, level) in levels {
            workspace.levels.entry(lint.clone()).or_insert(level.severity());
        }
        Configuration {
            place: None,
            workspace: Arc::new(workspace),
            config: Arc::new(config),
            text: String::new(),
            findings: Vec::new(),
        }
    }

    /// The same, with tools that its place has shown.
    fn with_tools(mut self, tools: &Tools) -> Self {
        let Tools { shown, named } = tools.clone();
        self.workspace = Arc::new(Workspace { tools: shown, named_tools: named, ..(*self.workspace).clone() });
        self
    }

    /// Whether `[files]` takes the file at `path` for a suite. Where there is no `eval-ls.toml`, paths count from the
    /// innermost of the `folders` that the file is in, else from the file system's root.
    pub(in crate::lsp) fn takes(&self, path: &Path, folders: &[PathBuf]) -> bool {
        self.taken(path, folders) == Taken::Yes
    }

    /// The same, with the reason where it is none.
    pub(in crate::lsp) fn taken(&self, path: &Path, folders: &[PathBuf]) -> Taken<'_> {
        self.config.files.takes(&self.relative(path, folders))
    }

    /// Whether `[files]` may take something in the folder at `path`; what paths count from is as for
    /// [`Configuration::takes`].
    pub(in crate::lsp) fn enters(&self, path: &Path, folders: &[PathBuf]) -> bool {
        !self.config.files.excludes_folder(&self.relative(path, folders))
    }

    fn relative(&self, path: &Path, folders: &[PathBuf]) -> String {
        let root = match &self.place {
            Some(Place::Workspace(root)) => Some(root),
            Some(Place::Folder(_)) | None => innermost(path, folders),
        };
        let relative = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let parts: Vec<_> = relative
            .components()
            .filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_string_lossy()),
                _ => None,
            })
            .collect();
        parts.join("/")
    }

    /// The folder of `eval-ls.toml`, where there is one.
    pub(in crate::lsp) fn folder(&self) -> Option<&Path> {
        match &self.place {
            Some(Place::Workspace(root)) => Some(root),
            Some(Place::Folder(_)) | None => None,
        }
    }

    /// The files that speak for its suites.
    pub(in crate::lsp) fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// All that it says, with a default for what it leaves out.
    pub(in crate::lsp) fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// What the lints know of its place.
    pub(in crate::lsp) fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// The file's text.
    pub(in crate::lsp) fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong in the file.
    pub(in crate::lsp) fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Self::new(Config::default(), &Levels::new())
    }
}

impl Configurations {
    /// What holds for the suite at `path`: the nearest `eval-ls.toml` above it, read if it was not yet.
    pub(in crate::lsp) fn of(&mut self, path: Option<&Path>) -> Arc<Configuration> {
        if let Some(file) = path.and_then(workspace::find_config) {
            return self.of_file(file);
        }
        let Some(folder) = path.and_then(Path::parent) else { return Arc::clone(&self.default) };
        if !self.by_folder.contains_key(folder) {
            let place = Some(Place::Folder(folder.to_owned()));
            let configuration = self.with_known_tools(Configuration { place, ..(*self.default).clone() });
            self.by_folder.insert(folder.to_owned(), configuration);
        }
        Arc::clone(&self.by_folder[folder])
    }

    fn of_file(&mut self, file: PathBuf) -> Arc<Configuration> {
        if let Some(known) = self.by_path.get(&file) {
            return Arc::clone(known);
        }
        let loaded = self.with_known_tools(Configuration::load(&file, &self.levels));
        self.by_path.insert(file, Arc::clone(&loaded));
        loaded
    }

    fn with_known_tools(&self, configuration: Configuration) -> Arc<Configuration> {
        let tools = configuration.place().and_then(|place| self.tools.get(place));
        Arc::new(match tools {
            Some(tools) => configuration.with_tools(tools),
            None => configuration,
        })
    }

    /// Takes in what tools a place has. Returns whether those are others than before.
    pub(in crate::lsp) fn show_tools(&mut self, place: &Place, tools: Tools) -> bool {
        let known = self.tools.get(place);
        if known == Some(&tools) || (known.is_none() && tools == Tools::default()) {
            return false;
        }
        for configuration in self.by_path.values_mut().chain(self.by_folder.values_mut()) {
            if configuration.place() == Some(place) {
                *configuration = Arc::new((**configuration).clone().with_tools(&tools));
            }
        }
        self.tools.insert(place.clone(), tools);
        true
    }

    /// The globs of the files that make a difference: configurations, and transcripts where they are kept.
    pub(in crate::lsp) fn globs(&self) -> BTreeSet<String> {
        let known = self.by_path.values().chain(self.by_folder.values()).chain([&self.default]);
        let kept = known.map(|configuration| transcripts_below(&configuration.config.run.transcripts));
        kept.chain([format!("**/{CONFIG_FILE}")]).collect()
    }

    /// The globs of the files that are suites somewhere.
    pub(in crate::lsp) fn suite_globs(&self) -> BTreeSet<String> {
        let known = self.by_path.values().chain(self.by_folder.values()).chain([&self.default]);
        let patterns = known.flat_map(|configuration| configuration.config.files.include());
        patterns.map(|pattern| format!("**/{}", pattern.as_str().trim_start_matches("**/"))).collect()
    }

    /// That of the file at `path`, if it is in use.
    pub(in crate::lsp) fn get(&self, path: &Path) -> Option<&Arc<Configuration>> {
        self.by_path.get(path)
    }

    /// Sets the levels of lints of which no file says anything. They hold from the next [`Configurations::reload`] on.
    pub(in crate::lsp) fn set_levels(&mut self, levels: Levels) {
        self.default = Arc::new(Configuration::new(Config::default(), &levels));
        self.levels = levels;
    }

    /// Reads all files afresh and finds out which of them the `folders` and `suites` use now; returns those whose text,
    /// or whose use, has changed. A configuration that says what it said before is kept as it is.
    pub(in crate::lsp) fn reload<'a>(
        &mut self,
        folders: &[PathBuf],
        suites: impl Iterator<Item = &'a Path>,
    ) -> Vec<PathBuf> {
        let old = std::mem::take(&mut self.by_path);
        let old_folders = std::mem::take(&mut self.by_folder);
        for file in folders.iter().filter_map(|folder| workspace::find_config(folder)) {
            self.of_file(file);
        }
        for suite in suites {
            self.of(Some(suite));
        }
        keep(&mut self.by_path, &old);
        keep(&mut self.by_folder, &old_folders);
        let in_use: BTreeSet<_> =
            self.by_path.values().chain(self.by_folder.values()).filter_map(|known| known.place()).collect();
        self.tools.retain(|place, _| in_use.contains(place));
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

/// The glob of the transcripts that suites keep in this folder, however one gets there.
fn transcripts_below(folder: &str) -> String {
    let special = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
    let parts = Path::new(folder).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().replace(special, "?")),
        _ => None,
    });
    let parts: String = parts.map(|part| part + "/").collect();
    format!("**/{parts}*/*.json")
}

/// Puts back what was known before and is as it was.
fn keep(configurations: &mut BTreeMap<PathBuf, Arc<Configuration>>, old: &BTreeMap<PathBuf, Arc<Configuration>>) {
    for (path, configuration) in configurations {
        if let Some(known) = old.get(path).filter(|known| *known == configuration) {
            *configuration = Arc::clone(known);
        }
    }
}

/// Of the folders, the innermost that holds `path`.
pub(in crate::lsp) fn innermost<'a>(path: &Path, folders: &'a [PathBuf]) -> Option<&'a PathBuf> {
    folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len())
}

fn unreadable(error: &LoadError) -> Finding {
    Finding::new(ConfigError::LINT, Severity::Error, Span::default(), error.to_string())
}
