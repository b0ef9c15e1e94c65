use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{CONFIG_FILE, Config, ConfigError, MAX_CONFIG_BYTES};
use crate::diagnostic::{Finding, Severity, quoted};
use crate::text::Span;
use crate::{files, git};

use super::{FileRules, Scope, absolute, boundary_of, root_of};

/// A configuration and the folder to which it applies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadedConfig {
    /// The folder of `eval-ls.toml`. Without one, see [`ConfigCache::finding_roots`]. Absolute.
    pub(crate) root: PathBuf,
    /// The values of all keys.
    pub(crate) config: Arc<Config>,
    /// The file, if there is one.
    pub(crate) config_path: Option<PathBuf>,
    /// The file's text, to which all spans refer; empty without a file.
    pub(crate) text: String,
    /// The errors in the file, in its order.
    pub(crate) errors: Vec<ConfigError>,
}

/// The fault of a configuration that cannot be read.
fn unreadable(path: &Path, why: impl std::fmt::Display) -> String {
    format!("could not read `{}`: {why}", path.display())
}

impl LoadedConfig {
    /// Reads this configuration file, whatever its name.
    ///
    /// # Errors
    /// If it cannot be read. Errors within it are in [`LoadedConfig::errors`].
    pub(crate) fn read(config_path: &Path, known_lints: &[&str]) -> Result<LoadedConfig, String> {
        LoadedConfig::read_again(config_path, known_lints, None).map(Arc::unwrap_or_clone)
    }

    /// Reads this configuration file, whatever its name. Returns `known` itself if the file has the same text.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read_again(
        config_path: &Path,
        known_lints: &[&str],
        known: Option<&Arc<LoadedConfig>>,
    ) -> Result<Arc<LoadedConfig>, String> {
        let given = config_path;
        let config_path = absolute(given);
        let bytes = files::read(&config_path, MAX_CONFIG_BYTES).map_err(|source| unreadable(given, source))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let (path, offset) = (config_path.display(), error.utf8_error().valid_up_to());
            format!("`{path}` is not UTF-8: the byte at offset {offset} begins no character; save the file as UTF-8")
        })?;
        if let Some(known) = known.filter(|known| known.text == text) {
            return Ok(Arc::clone(known));
        }
        let (config, errors) = Config::parse(&text, known_lints);
        let root = config_path.parent().unwrap_or(&config_path).to_owned();
        Ok(Arc::new(LoadedConfig { root, config: Arc::new(config), config_path: Some(config_path), text, errors }))
    }

    /// Reads a configuration file that was found, not named by the user. A link out of its repository is not followed,
    /// because errors show lines of the file. Outside of a repository, the file of a stranger is not read, because it
    /// chooses what is checked and where runs are kept.
    ///
    /// # Errors
    /// If it is one of these, or cannot be read.
    pub(crate) fn read_found(
        config_path: &Path,
        known_lints: &[&str],
        known: Option<&Arc<LoadedConfig>>,
    ) -> Result<Arc<LoadedConfig>, String> {
        let folder = config_path.parent().unwrap_or(config_path);
        let is_linked_out = config_path.is_symlink() && !files::is_inside(config_path, &boundary_of(folder));
        let stranger = files::stranger(config_path).filter(|_| git::root(folder).is_none());
        let reason = match stranger {
            _ if is_linked_out => "it is a link that leads out of its workspace; copy the file to its place".to_owned(),
            Some(stranger) => format!(
                "it belongs to the user {stranger}, not to you or to the owner of its folder; write an {CONFIG_FILE} of \
                 your own nearer to the suites"
            ),
            None => return LoadedConfig::read_again(config_path, known_lints, known),
        };
        Err(unreadable(config_path, reason))
    }

    /// The errors, and a warning if kept runs are outside of the workspace.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let results = self.root.join(&self.config.run.results);
        let mut findings: Vec<_> = self.errors.iter().map(Finding::from).collect();
        if self.config_path.is_some() && !files::is_inside(&results, &self.root) {
            let results = quoted(&results.display().to_string());
            let message = format!(
                "kept runs are outside of the workspace, in {results}, so editors neither run suites nor read runs; set `results` to \
                 a folder below that of {CONFIG_FILE}"
            );
            let span = self.config.run.results_span.unwrap_or(Span::empty(0));
            findings.push(Finding::new(ConfigError::LINT, Severity::Warning, span, message));
        }
        findings
    }

    /// The defaults, for a folder to which no `eval-ls.toml` applies.
    fn defaults(folder: &Path) -> LoadedConfig {
        LoadedConfig {
            root: folder.to_owned(),
            config: Arc::default(),
            config_path: None,
            text: String::new(),
            errors: Vec::new(),
        }
    }
}

/// A configuration, or the reason why it could not be loaded.
pub(crate) type Loaded = Arc<Result<LoadedConfig, String>>;

/// The configurations of folders, each read once.
#[derive(Debug)]
pub(crate) struct ConfigCache {
    known_lints: Vec<&'static str>,
    by_folder: HashMap<PathBuf, Scope>,
    by_scope: HashMap<Scope, Loaded>,
    files: Vec<Loaded>,
    /// The number of configurations that are kept.
    most: usize,
    finds_roots: bool,
}

impl ConfigCache {
    /// An empty cache. `[lints]` may name `known_lints` only.
    pub(crate) fn new(known_lints: Vec<&'static str>) -> ConfigCache {
        ConfigCache {
            known_lints,
            by_folder: HashMap::new(),
            by_scope: HashMap::new(),
            files: Vec::new(),
            most: usize::MAX,
            finds_roots: false,
        }
    }

    /// The cache, limited to `most` configurations. Those that are dropped are read again when they are needed.
    #[must_use]
    pub(crate) fn keeping(self, most: usize) -> ConfigCache {
        ConfigCache { most, ..self }
    }

    /// The cache with another root for folders without a configuration: that of their suites, see [`root_of`].
    /// Otherwise it is the folder itself, which takes no search.
    #[must_use]
    pub(crate) fn finding_roots(self, finds_roots: bool) -> ConfigCache {
        ConfigCache { finds_roots, ..self }
    }

    /// The configuration that applies in a folder, which is absolute: the nearest `eval-ls.toml` going up, or the defaults.
    pub(crate) fn of_folder(&mut self, folder: &Path) -> Loaded {
        let scope = self.by_folder.entry(folder.to_owned()).or_insert_with(|| Scope::of_folder(folder)).clone();
        if let Some(known) = self.by_scope.get(&scope) {
            return Arc::clone(known);
        }
        let loaded: Loaded = Arc::new(match scope.config_path() {
            Some(path) => LoadedConfig::read_found(&path, &self.known_lints, None).map(Arc::unwrap_or_clone),
            None if self.finds_roots => Ok(LoadedConfig::defaults(&root_of(folder))),
            None => Ok(LoadedConfig::defaults(folder)),
        });
        if self.by_scope.len() >= self.most {
            self.by_scope.clear();
            self.files.clear();
        }
        if scope.root().is_some() {
            self.files.push(Arc::clone(&loaded));
        }
        self.by_scope.insert(scope, Arc::clone(&loaded));
        loaded
    }

    /// The rules that apply in a folder. If its configuration cannot be read, the default patterns apply in its place.
    pub(crate) fn rules_in(&mut self, folder: &Path) -> FileRules {
        let loaded = self.of_folder(folder);
        let root = self.by_folder[folder].root().map(Path::to_owned);
        let config = loaded.as_ref().as_ref().map_or_else(|_| Arc::default(), |loaded| Arc::clone(&loaded.config));
        FileRules::new(config, root)
    }

    /// The configuration files that were loaded, in that order.
    pub(crate) fn files(&self) -> &[Loaded] {
        &self.files
    }
}

#[cfg(test)]
mod tests;
