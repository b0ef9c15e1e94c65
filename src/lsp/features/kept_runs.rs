//! The page of a kept run (`eval-ls/report`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::SuiteOfRun;
use crate::lsp::session::fence;
use crate::report::html::{PageError, page_of, page_of_suite};
use crate::runs::{KeptRun, RunError, RunId, RunMode, RunState};

/// The workspaces whose runs are shown: their root and configuration.
pub(crate) type Workspaces = BTreeMap<PathBuf, Arc<Config>>;

/// A kept run, and the root from which the paths of its suites count.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    run: KeptRun,
    root: PathBuf,
    config: Arc<Config>,
}

/// Why a page about a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunFault {
    #[error("{0} is not a run of this workspace")]
    Unknown(String),
    #[error(transparent)]
    Unreadable(#[from] RunError),
    #[error("no run has ended yet; run a suite first")]
    NoRun,
    #[error(transparent)]
    NoReport(#[from] PageError),
}

impl Opened {
    /// Opens the run in `folder`, which must be one of these workspaces' runs.
    ///
    /// # Errors
    /// If it is not, or cannot be read.
    pub(crate) fn open(folder: &Path, workspaces: &Workspaces) -> Result<Opened, RunFault> {
        let unknown = || RunFault::Unknown(quoted(&folder.display().to_string()));
        let id = folder.file_name().and_then(RunId::of_name).ok_or_else(unknown)?;
        let of_folder = |(root, config): (&PathBuf, &Arc<Config>)| {
            let runs = fence::runs(root, config);
            (Some(runs.path()) == folder.parent()).then(|| (runs, root.clone(), Arc::clone(config)))
        };
        let (runs, root, config) = workspaces.iter().find_map(of_folder).ok_or_else(unknown)?;
        let run = runs.open(&id)?;
        Ok(Opened { run, root, config })
    }

    /// Opens the last run that has ended and has verdicts, of the suite at `suite` if it is given.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn last(workspaces: &Workspaces, suite: Option<&Path>) -> Result<Opened, RunFault> {
        let last = workspaces.iter().filter_map(|(root, config)| {
            let mut runs = fence::runs(root, config).list().into_iter();
            runs.find(|run| {
                let is_of_suite = |path: &Path| run.record().suites.iter().any(|suite| root.join(&suite.path) == path);
                run.record().mode == RunMode::Run && run.state() != RunState::Running && suite.is_none_or(is_of_suite)
            })
        });
        let last = last.max_by(|one, other| one.record().started_at.cmp(&other.record().started_at));
        Opened::open(last.ok_or(RunFault::NoRun)?.folder(), workspaces)
    }

    /// The run as the HTML page of `eval-ls report`.
    ///
    /// # Errors
    /// If it has no verdicts, or a run cannot be read.
    pub(crate) fn html(&self) -> Result<String, RunFault> {
        Ok(page_of(&fence::runs(&self.root, &self.config), &self.run, Vec::new(), &self.config)?)
    }

    /// The HTML page of the suite at `path`, which is one of the run, with the last answer of each of its `cases`.
    ///
    /// # Errors
    /// As [`Opened::html`].
    pub(crate) fn html_of_suite(&self, path: &Path, cases: &[String]) -> Result<String, RunFault> {
        let suite = self.run.record().suites.iter().find(|suite| self.root.join(&suite.path) == path);
        let Some(suite) = suite else { return self.html() };
        let runs = fence::runs(&self.root, &self.config);
        Ok(page_of_suite(&runs, &self.run, &suite.path, cases, &self.config)?)
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.run.folder()
    }

    /// Its id.
    pub(crate) fn id(&self) -> &RunId {
        self.run.id()
    }

    /// When it started: a date and time of RFC 3339, in UTC.
    pub(crate) fn started_at(&self) -> &str {
        &self.run.record().started_at
    }

    /// The suites of the run.
    pub(crate) fn suites(&self) -> Vec<SuiteOfRun> {
        let of_run = self.run.record().suites.iter().filter_map(|suite| {
            Some(SuiteOfRun { uri: uris::from_path(&self.root.join(&suite.path))?, label: suite.path.clone() })
        });
        of_run.collect()
    }
}
