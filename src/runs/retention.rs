use std::fs;
use std::time::{Duration, SystemTime};

use crate::clock::moment;
use crate::config::Keep;
use crate::files;

use super::{KeptRun, RunError, RunId, Runs};

/// How old a leftover of a killed process must be to be removed: no process takes that long to create or remove a run.
const LEFTOVER: Duration = Duration::from_secs(60 * 60);

/// How the names of leftovers start: of a folder that becomes a run or is no longer one, and of a new `latest`.
const LEFTOVERS: [&str; 3] = [".new-", ".gone-", ".latest-"];

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    /// The ids of the runs.
    pub(crate) runs: Vec<RunId>,
}

impl Runs {
    /// Removes the runs that are neither among the last ones that `keep` counts nor young enough, and what killed processes
    /// left behind. The last run, and runs that continue, always stay.
    ///
    /// # Errors
    /// If a run cannot be removed. The others are removed anyway, and the first error is returned.
    pub(crate) fn collect_garbage(&self, keep: &Keep, now: SystemTime) -> Result<Removed, RunError> {
        if !self.may_remove() {
            return Ok(Removed::default());
        }
        self.remove_leftovers(now);
        let (mut removed, mut fault) = (Removed::default(), None);
        for (place, run) in self.list().into_iter().enumerate() {
            let is_counted = keep.runs.is_none_or(|most| place < most.get()) && keep.runs.is_some();
            let is_young = keep.days.is_some_and(|days| is_younger(&run, days, now));
            let is_unlimited = keep.runs.is_none() && keep.days.is_none();
            if place == 0 || is_counted || is_young || is_unlimited || run.is_in_use() {
                continue;
            }
            match self.remove(run.id()) {
                Ok(()) => removed.runs.push(run.id().clone()),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(removed), Err)
    }

    fn remove_leftovers(&self, now: SystemTime) {
        files::remove_drafts(self.path(), now);
        let (Ok(folder), Ok(entries)) = (self.opened(), fs::read_dir(self.path())) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let modified = entry.metadata().and_then(|data| data.modified());
            let is_old = modified.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > LEFTOVER));
            if is_old && LEFTOVERS.iter().any(|start| name.starts_with(start)) {
                // The next call tries again.
                let _ = folder.remove(&name);
            }
        }
    }
}

fn is_younger(run: &KeptRun, days: u32, now: SystemTime) -> bool {
    let started = moment(&run.record().started_at);
    let limit = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    // A run from the future is young: clocks jump.
    started.is_none_or(|started| now.duration_since(started).is_ok_and(|age| age <= limit) || started > now)
}
