use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::analysis::{lint_names, workspace_of};
use crate::config::{CONFIG_FILE, Config};
use crate::lints;
use crate::workspace::tools::{Observer, Place};
use crate::workspace::{self, LoadError};

use super::Input;

/// The configurations that a command meets, each read once. May be asked from several threads.
#[derive(Debug, Default)]
pub(crate) struct Workspaces {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    by_folder: HashMap<PathBuf, Loaded>,
    /// What the lints know in a place, the tools that it has shown included.
    by_place: HashMap<Place, Arc<lints::Workspace>>,
    /// Those that have a file, in the order in which they were met.
    files: Vec<Loaded>,
}

type Loaded = Arc<Result<Surroundings, LoadError>>;

/// What holds for a suite because of where it is.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// The configuration, and its faults.
    pub(crate) workspace: workspace::Workspace,
    /// What it tells the lints.
    pub(crate) lints: Arc<lints::Workspace>,
}

impl Workspaces {
    /// What holds in a folder, given from the root of the file system: what the nearest `eval-ls.toml` going up says, or
    /// the defaults.
    pub(crate) fn of_folder(&self, folder: &Path) -> Loaded {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut passed = Vec::new();
        let mut found = None;
        for ancestor in folder.ancestors() {
            let candidate = ancestor.join(CONFIG_FILE);
            found = known.by_folder.get(ancestor).cloned();
            if found.is_some() {
                break;
            }
            passed.push(ancestor.to_owned());
            if candidate.is_file() {
                let loaded: Loaded =
                    Arc::new(workspace::Workspace::load_file(&candidate, &lint_names()).map(Into::into));
                known.files.push(Arc::clone(&loaded));
                found = Some(loaded);
                break;
            }
        }
        let found = found.unwrap_or_else(|| Arc::new(Ok(without_file(folder).into())));
        known.by_folder.extend(passed.into_iter().map(|folder| (folder, Arc::clone(&found))));
        found
    }

    /// What holds for a suite; standard input that stands for no file counts as one in the current folder.
    pub(crate) fn of_input(&self, input: &Input) -> Loaded {
        self.of_file(input.path().unwrap_or(Path::new("-")))
    }

    /// What holds for the suite at `path`.
    pub(crate) fn of_file(&self, path: &Path) -> Loaded {
        let path = absolute(path);
        self.of_folder(path.parent().unwrap_or(&path))
    }

    /// What the lints know around a suite, `surroundings` being its: what the configuration says, and which tools the
    /// place has shown.
    pub(crate) fn lints_of(&self, input: &Input, surroundings: &Surroundings) -> Arc<lints::Workspace> {
        let suite = absolute(input.path().unwrap_or(Path::new("-")));
        let workspace = &surroundings.workspace;
        let Some(place) = Place::of(&suite, workspace.config_path.as_deref()) else {
            return Arc::clone(&surroundings.lints);
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let lints = known.by_place.entry(place).or_insert_with_key(|place| {
            let tools = Observer::new(place.clone()).tools_shown(&workspace.config);
            Arc::new(lints::Workspace { tools, ..(*surroundings.lints).clone() })
        });
        Arc::clone(lints)
    }

    /// The configuration files that were met, in that order.
    pub(crate) fn files(&self) -> Vec<Loaded> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).files.clone()
    }
}

/// The path from the file system's root. One that cannot be told stays as it is.
pub(super) fn absolute(path: &Path) -> PathBuf {
    // What lies above `..` is only told by following links.
    let followed = path.components().any(|part| part == std::path::Component::ParentDir).then(|| path.canonicalize());
    match followed {
        Some(Ok(path)) => path,
        _ => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
    }
}

fn without_file(folder: &Path) -> workspace::Workspace {
    workspace::Workspace {
        root: folder.to_owned(),
        config: Config::default(),
        config_path: None,
        text: String::new(),
        errors: Vec::new(),
    }
}

impl From<workspace::Workspace> for Surroundings {
    fn from(workspace: workspace::Workspace) -> Self {
        let lints = workspace_of(&workspace.config);
        Surroundings { workspace, lints: Arc::new(lints) }
    }
}
