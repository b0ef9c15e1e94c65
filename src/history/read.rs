use std::path::PathBuf;

use crate::diagnostic::quoted;
use crate::runs::{KeptRun, RunError, RunId, RunMode, RunState, Runs};

use super::History;

/// Why there is no history.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    /// No run is kept in the folder.
    #[error("no run is kept in `{}`; `eval-ls run` keeps one", .0.display())]
    NoRun(PathBuf),
    /// The target has no run.
    #[error("no run of the target {} is kept; `eval-ls runs` lists the runs", quoted(.0))]
    NoRunOf(String),
    /// A run cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
}

impl History {
    /// The histories in the last `most` runs of a target that judged and do not continue. Without `target`, it is that of the last
    /// run. Runs after the run `until`, and runs that another process removes meanwhile, are left out.
    ///
    /// # Errors
    /// If there is no such run, or none can be read.
    pub(crate) fn read(
        runs: &Runs,
        target: Option<&str>,
        most: usize,
        until: Option<&RunId>,
    ) -> Result<History, HistoryError> {
        let is_judged = |run: &KeptRun| run.record().mode == RunMode::Run && run.state() != RunState::Running;
        let listed = runs.list().into_iter().skip_while(|run| until.is_some_and(|until| run.id() != until));
        let mut kept: Vec<KeptRun> = listed.filter(is_judged).collect();
        let Some(last) = kept.first() else { return Err(HistoryError::NoRun(runs.path().to_owned())) };
        let target = target.unwrap_or(&last.record().target.name).to_owned();
        kept.retain(|run| run.record().target.name == target);
        kept.truncate(most);
        if kept.is_empty() {
            return Err(HistoryError::NoRunOf(target));
        }
        let (mut read, mut left_out) = (Vec::new(), Vec::new());
        for run in kept.into_iter().rev() {
            match run.lines() {
                Ok(lines) => read.push((run, lines)),
                Err(error) if error.is_gone() => {}
                Err(error) => left_out.push(error),
            }
        }
        match left_out.pop() {
            Some(error) if read.is_empty() => Err(error.into()),
            last => Ok(History { left_out: left_out.into_iter().chain(last).collect(), ..History::of(&target, &read) }),
        }
    }
}
