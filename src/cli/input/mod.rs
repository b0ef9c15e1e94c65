//! The suites that a command uses, their content, and the configuration that applies to each.

mod find;
mod source;
mod suite;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::analysis::{lint_names, workspace_of};
use crate::lints;
use crate::workspace::tools::{Observer, Tools};
use crate::workspace::{ConfigCache, Loaded, LoadedConfig, Scope, absolute};

pub(crate) use find::{find, no_suites, syntax_of};
pub(crate) use source::{Contents, Input, ReadError, WriteError, write_back};
pub(crate) use suite::{SharedFolders, Warning, WithErrors, read_suite, show};

/// Returns the path relative to the current folder if it is below it.
pub(crate) fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

/// The workspaces of a command's suites.
#[derive(Debug)]
pub(crate) struct Workspaces {
    configurations: ConfigCache,
    /// Whether `[files]` also decides about files that the command line names.
    forces_exclude: bool,
    /// The context for the lints, with the tools that the files of the scope show.
    lints: HashMap<Scope, Arc<lints::Workspace>>,
}

impl Workspaces {
    pub(crate) fn new() -> Workspaces {
        let configurations = ConfigCache::new(lint_names()).finding_roots(true);
        Workspaces { configurations, forces_exclude: false, lints: HashMap::new() }
    }

    /// The same for a command that neither reads nor writes results.
    pub(crate) fn without_results(self) -> Workspaces {
        Workspaces { configurations: self.configurations.finding_roots(false), ..self }
    }

    /// The same; `[files]` also decides about files that the command line names if `forces_exclude`.
    pub(crate) fn forcing_exclude(self, forces_exclude: bool) -> Workspaces {
        Workspaces { forces_exclude, ..self }
    }

    /// Returns the configuration of a suite. Standard input without a file name counts as a file in the current folder.
    pub(crate) fn of_input(&mut self, input: &Input) -> Loaded {
        let path = absolute(input.path().unwrap_or(Path::new("-")));
        self.configurations.of_folder(path.parent().unwrap_or(&path))
    }

    /// The configuration that applies to a file or a folder.
    ///
    /// # Errors
    /// If it cannot be loaded: a lower-case fragment.
    pub(crate) fn of_place(&mut self, place: &Path) -> Result<LoadedConfig, String> {
        let path = absolute(place);
        let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
        match &*self.configurations.of_folder(folder) {
            Ok(loaded) => Ok(loaded.clone()),
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// Returns the context for the lints of a suite with the configuration `loaded`.
    pub(crate) fn lints_of(&mut self, input: &Input, loaded: &LoadedConfig) -> Arc<lints::Workspace> {
        let path = absolute(input.path().unwrap_or(Path::new("-")));
        let scope = Scope::of_folder(path.parent().unwrap_or(&path));
        let lints = self.lints.entry(scope).or_insert_with_key(|scope| {
            let Tools { shown, named, sources } = Observer::new(scope.clone()).tools(&loaded.config);
            Arc::new(lints::Workspace {
                tools: shown,
                named_tools: named,
                named_sources: sources,
                root: loaded.config_path.as_ref().map(|_| loaded.root.clone()),
                ..workspace_of(&loaded.config)
            })
        });
        Arc::clone(lints)
    }

    /// Returns the loaded configuration files, in the order of loading.
    pub(crate) fn files(&self) -> &[Loaded] {
        self.configurations.files()
    }
}
