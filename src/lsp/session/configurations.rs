//! The configurations in use: each `eval-ls.toml`, also as a text to edit, and the defaults for folders without one.
//!
//! Files are read ahead, while the state is not locked, see [`ReadAhead`]. What was not read ahead, for example the
//! configuration of a file that a command names, is read when it is needed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ls_types::{Uri, WorkspaceEdit};

use crate::analysis::{Workspace, lint_names, workspace_of};
use crate::config::{CONFIG_FILE, Config, ConfigError};
use crate::diagnostic::{Edit, Finding, Severity};
use crate::files;
use crate::lsp::client::settings::Support;
use crate::lsp::convert::to_lsp::{Changes, Origin};
use crate::lsp::convert::uris;
use crate::lsp::session::open_document::OpenDocument;
use crate::lsp::session::suites::Stamp;
use crate::text::{Span, Text};
use crate::workspace::tools::Tools;
use crate::workspace::{self, FileRules, LoadedConfig, Membership, Scope, deciding_scopes, innermost};

/// A configuration with its errors, and the context that it gives to lints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Configuration {
    /// The files to which it applies; `None` for suites without a file.
    pub(crate) scope: Option<Scope>,
    /// The values of all keys.
    pub(crate) config: Arc<Config>,
    /// The file's text, to which the findings' spans refer.
    pub(crate) text: String,
    /// The errors in the file, and warnings about it.
    pub(crate) findings: Vec<Finding>,
    /// The context for lints.
    pub(crate) workspace: Arc<Workspace>,
}

/// The configurations in use.
#[derive(Debug, Default)]
pub(crate) struct Configurations {
    by_scope: BTreeMap<Scope, Arc<Configuration>>,
    known: Known,
    default: Arc<Configuration>,
    /// The tools of scopes that were read.
    tools: BTreeMap<Scope, Tools>,
    /// The number of the last reading of all files.
    last_reading: u64,
}

/// What was read about folders while the state was not locked.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead {
    scopes: Vec<(PathBuf, Scope)>,
    files: Vec<(PathBuf, Read)>,
    /// Whether these are all folders in use.
    are_all: bool,
    /// The number of the reading: a later one began later.
    number: u64,
}

impl ReadAhead {
    /// Reads each `eval-ls.toml` that decides about files in these folders; `opened` are the folders of the client's workspace.
    /// Files that are `known` are not read.
    pub(crate) fn of(folders: &BTreeSet<PathBuf>, opened: &[PathBuf], known: &Known) -> Self {
        Self::read(folders, opened, known, |path| !known.files.contains_key(path))
    }

    /// Reads the files of all folders in use again, and parses those whose text has changed.
    pub(crate) fn of_all(folders: &BTreeSet<PathBuf>, opened: &[PathBuf], known: &Known) -> Self {
        ReadAhead { are_all: true, ..Self::read(folders, opened, known, |_| true) }
    }

    fn read(
        folders: &BTreeSet<PathBuf>,
        opened: &[PathBuf],
        known: &Known,
        is_read: impl Fn(&PathBuf) -> bool,
    ) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let scopes: Vec<_> = folders.iter().flat_map(|folder| deciding_scopes(folder, opened)).collect();
        let paths: BTreeSet<_> = scopes.iter().filter_map(|(_, scope)| scope.config_path()).collect();
        let read = |path: PathBuf| (path.clone(), known.read(&path));
        ReadAhead { scopes, files: paths.into_iter().filter(is_read).map(read).collect(), are_all: false, number }
    }

    /// Whether a file was read.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }
}

/// An `eval-ls.toml` as it was read.
#[derive(Clone, Debug)]
struct Read {
    /// The identity of the file at that time; `None` for a missing file.
    stamp: Option<Stamp>,
    loaded: Arc<Result<Arc<LoadedConfig>, String>>,
    findings: Arc<[Finding]>,
}

/// What is known of the files in use. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    files: Arc<BTreeMap<PathBuf, Read>>,
    /// The scopes of folders.
    scopes: Arc<HashMap<PathBuf, Scope>>,
}

impl Known {
    /// Reads the file at `path`, and parses it if its text is not the known one.
    fn read(&self, path: &Path) -> Read {
        // Taken before the file is read: a change in between is noticed.
        let stamp = Stamp::of_file(path);
        let known = self.files.get(path).and_then(|known| known.loaded.as_ref().as_ref().ok());
        let loaded = LoadedConfig::read_found(path, &lint_names(), known);
        let findings = match &loaded {
            Ok(loaded) => loaded.findings(),
            Err(error) => vec![unreadable(error)],
        };
        Read { stamp, loaded: Arc::new(loaded), findings: findings.into() }
    }

    /// Whether a file has changed since it was read. Looks only at the identity of the files.
    pub(crate) fn is_outdated(&self) -> bool {
        self.files.iter().any(|(path, known)| known.stamp != Stamp::of_file(path))
    }
}

impl Configuration {
    /// The configuration of a scope with this file. A file that cannot be read gives the defaults and a finding.
    fn load(scope: &Scope, read: Option<&Read>) -> Self {
        let loaded = read.and_then(|read| read.loaded.as_ref().as_ref().ok());
        let config = loaded.map(|loaded| Arc::clone(&loaded.config)).unwrap_or_default();
        let configuration = Configuration {
            findings: read.map(|read| read.findings.to_vec()).unwrap_or_default(),
            text: loaded.map(|loaded| loaded.text.clone()).unwrap_or_default(),
            ..Configuration::new(config)
        };
        let workspace = Workspace { root: scope.root().map(Path::to_owned), ..(*configuration.workspace).clone() };
        Configuration { scope: Some(scope.clone()), workspace: Arc::new(workspace), ..configuration }
    }

    /// A configuration without a file.
    fn new(config: Arc<Config>) -> Self {
        let workspace = workspace_of(&config);
        Configuration { scope: None, workspace: Arc::new(workspace), config, text: String::new(), findings: Vec::new() }
    }

    /// The configuration with the tools of its scope.
    fn with_tools(mut self, tools: &Tools) -> Self {
        let Tools { shown, named } = tools.clone();
        let workspace = (*self.workspace).clone();
        self.workspace = Arc::new(Workspace { tools: shown, named_tools: named, ..workspace });
        self
    }

    /// The folder of `eval-ls.toml`, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.scope.as_ref()?.root()
    }

    /// The errors in the file.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl Configurations {
    /// The configuration of the suite at `path`: the nearest `eval-ls.toml` above it, or the defaults.
    pub(crate) fn of(&mut self, path: Option<&Path>) -> Arc<Configuration> {
        match path.and_then(Path::parent) {
            Some(folder) => self.of_folder(folder),
            None => Arc::clone(&self.default),
        }
    }

    fn of_folder(&mut self, folder: &Path) -> Arc<Configuration> {
        let scope = match self.known.scopes.get(folder) {
            Some(scope) => scope.clone(),
            None => {
                let scope = Scope::of_folder(folder);
                Arc::make_mut(&mut self.known.scopes).insert(folder.to_owned(), scope.clone());
                scope
            }
        };
        if let Some(known) = self.by_scope.get(&scope) {
            return Arc::clone(known);
        }
        let read = scope.config_path().map(|path| match self.known.files.get(&path) {
            Some(known) => known.clone(),
            None => {
                let read = self.known.read(&path);
                Arc::make_mut(&mut self.known.files).insert(path, read.clone());
                read
            }
        });
        let loaded = Configuration::load(&scope, read.as_ref());
        let loaded = Arc::new(match self.tools.get(&scope) {
            Some(tools) => loaded.with_tools(tools),
            None => loaded,
        });
        self.by_scope.insert(scope, Arc::clone(&loaded));
        loaded
    }

    /// Supplies what was read just now. Configurations in use change with the next [`Configurations::reload`].
    pub(crate) fn supply(&mut self, ahead: ReadAhead) {
        // An earlier reading may arrive late.
        if ahead.number < self.last_reading {
            return;
        }
        if ahead.are_all {
            self.last_reading = ahead.number;
            self.known.scopes = Arc::default();
        }
        Arc::make_mut(&mut self.known.scopes).extend(ahead.scopes);
        Arc::make_mut(&mut self.known.files).extend(ahead.files);
    }

    /// What is known of the files in use.
    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    /// The number of configurations in use.
    pub(crate) fn len(&self) -> usize {
        self.by_scope.len()
    }

    /// Whether the file at `path` is a suite; `opened` are the folders of the client's workspace.
    pub(crate) fn membership(&mut self, path: &Path, opened: &[PathBuf]) -> Membership {
        let rules_in = &mut |folder: &Path| {
            let configuration = self.of_folder(folder);
            FileRules::new(Arc::clone(&configuration.config), configuration.folder().map(Path::to_owned))
        };
        workspace::membership(path, opened, rules_in)
    }

    /// Sets the tools of a scope. Returns whether they have changed.
    pub(crate) fn set_tools(&mut self, scope: &Scope, tools: Tools) -> bool {
        let known = self.tools.get(scope);
        if known == Some(&tools) || (known.is_none() && tools == Tools::default()) {
            return false;
        }
        if let Some(configuration) = self.by_scope.get_mut(scope) {
            *configuration = Arc::new((**configuration).clone().with_tools(&tools));
        }
        self.tools.insert(scope.clone(), tools);
        true
    }

    /// The globs of the files to watch: configurations, transcripts, runs and samples.
    pub(crate) fn globs(&self) -> BTreeSet<String> {
        let known = || self.by_scope.values().chain([&self.default]);
        let kept = known().map(|of| format!("{}*/*.json", below(&of.config.run.transcripts)));
        let runs = known().map(|of| format!("{}runs/*/run.json", below(&of.config.run.results)));
        let others = [format!("**/{CONFIG_FILE}"), "**/samples/*/*/*".to_owned()];
        kept.chain(runs).chain(others).collect()
    }

    /// The folders in use, each with its configuration.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (PathBuf, Arc<Config>)> {
        self.by_scope.iter().map(|(scope, of)| (scope.folder().to_owned(), Arc::clone(&of.config)))
    }

    /// The globs of the files that may be suites.
    pub(crate) fn suite_globs(&self) -> BTreeSet<String> {
        let known = self.by_scope.values().chain([&self.default]);
        let patterns = known.flat_map(|configuration| configuration.config.files.include());
        patterns.map(|pattern| format!("**/{}", pattern.as_str().trim_start_matches("**/"))).collect()
    }

    /// The configuration in the file at `path`, if it is in use.
    pub(crate) fn get(&self, path: &Path) -> Option<&Arc<Configuration>> {
        self.by_scope.get(&Scope::Configured(path.parent()?.to_owned()))
    }

    /// Finds out which of the files that are known `opened` and `suites` use now. Returns the files whose text or use has
    /// changed. A configuration that has not changed keeps its identity.
    pub(crate) fn reload<'a>(&mut self, opened: &[PathBuf], suites: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
        let old = std::mem::take(&mut self.by_scope);
        for folder in opened {
            self.of_folder(folder);
        }
        for suite in suites {
            self.membership(suite, opened);
        }
        for (scope, configuration) in &mut self.by_scope {
            if let Some(known) = old.get(scope).filter(|known| *known == configuration) {
                *configuration = Arc::clone(known);
            }
        }
        self.tools.retain(|scope, _| self.by_scope.contains_key(scope));
        let used: BTreeSet<_> = self.by_scope.keys().filter_map(Scope::config_path).collect();
        Arc::make_mut(&mut self.known.files).retain(|path, _| used.contains(path));
        let is_same = |scope: &Scope| match (old.get(scope), self.by_scope.get(scope)) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        let scopes: BTreeSet<_> = old.keys().chain(self.by_scope.keys()).collect();
        scopes.into_iter().filter(|scope| !is_same(scope)).filter_map(Scope::config_path).collect()
    }
}

/// The start of a glob of the files in that folder, wherever it is.
fn below(folder: &str) -> String {
    let special = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
    let parts = Path::new(folder).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().replace(special, "?")),
        _ => None,
    });
    let parts: String = parts.map(|part| part + "/").collect();
    format!("**/{parts}")
}

fn unreadable(error: &str) -> Finding {
    Finding::new(ConfigError::LINT, Severity::Error, Span::default(), error.to_string())
}

/// An `eval-ls.toml` as a text to edit.
#[derive(Clone, Debug)]
pub(crate) struct ConfigFile {
    pub(crate) uri: Uri,
    pub(crate) text: Text,
    /// The version of the text if it is open; otherwise the text is that on disk.
    pub(crate) version: Option<i32>,
    /// Whether the file exists; otherwise it must be created.
    exists: bool,
}

impl ConfigFile {
    /// Returns the file of a configuration on disk. If there is none, returns a new one for its suites: in the
    /// innermost of the `folders` that contains them, otherwise in their folder. `None` if the file cannot be read.
    pub(crate) fn of(configuration: &Configuration, folders: &[PathBuf]) -> Option<Self> {
        let (folder, exists) = match configuration.scope.as_ref()? {
            Scope::Configured(root) => (root, true),
            Scope::Unconfigured(folder) => (innermost(folder, folders).unwrap_or(folder), false),
        };
        let is_unreadable = exists && configuration.text.is_empty() && configuration.errors().next().is_some();
        let uri = uris::from_path(&folder.join(CONFIG_FILE)).filter(|_| !is_unreadable)?;
        Some(ConfigFile { uri, text: Text::new(&configuration.text), version: None, exists })
    }

    /// Returns the file with its text in the editor, saved or not.
    pub(crate) fn opened(uri: Uri, document: &OpenDocument) -> Self {
        ConfigFile { uri, text: document.text().clone(), version: Some(document.version), exists: true }
    }

    /// The text in the client's terms.
    pub(crate) fn origin<'a>(&'a self, support: &'a Support) -> Origin<'a> {
        Origin { uri: &self.uri, text: &self.text, support }
    }

    /// Returns the edits as a workspace edit; `None` if the file does not exist and the client cannot create it.
    pub(crate) fn workspace_edit(&self, edits: &[Edit], support: &Support) -> Option<WorkspaceEdit> {
        if !self.exists && !support.creates_files {
            return None;
        }
        let mut changes = Changes::new(support);
        if !self.exists {
            changes.create(self.uri.clone());
        }
        changes.edit(self.uri.clone(), self.version, &self.text, edits);
        Some(changes.finish())
    }

    /// The path of a file below its folder, with `/` between the parts.
    pub(crate) fn relative(&self, path: &Path) -> Option<String> {
        files::below(path, self.path()?.parent()?)
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        uris::to_path(&self.uri)
    }
}

#[cfg(test)]
mod tests;
