use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use serde::Serialize;

use crate::config::Config;
use crate::files::{self, Folder, Reader};

use super::{KeptRun, LATEST, RunError, RunId, RunRecord, RunState};

/// The file with what ran.
pub(super) const RECORD: &str = "run.json";
/// The file with how the cases ended.
pub(super) const CASES: &str = "cases.jsonl";
/// The folder of the pictures.
pub(super) const PICTURES: &str = "pictures";

/// The folder with the runs of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runs {
    path: PathBuf,
    pub(super) reach: Reach,
    /// Whether runs may be removed: the folder is inside of the workspace, or a person has named it.
    removes: bool,
}

/// Which files of runs are read, and how much of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) reader: Reader,
    /// The sum of the `run.json` that a list reads, in bytes.
    in_list: u64,
    /// The memory of an answer, in bytes.
    pub(super) answer: u64,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach { reader: Reader::default(), in_list: u64::MAX, answer: u64::MAX }
    }
}

/// What git ignores in the folder of results.
const IGNORED: &str =
    "# Whole answers. `eval-ls runs` lists the runs.\n/.gitignore\n/minimum-eval-results-*\n/report.html\n/runs/\n";

/// The largest file with the id of the last run, in bytes. An id has about 30 bytes.
const MOST_OF_ID: u64 = 4 << 10;

/// A run in a list, in a form that a server can send.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ListedRun {
    /// The run's folder.
    pub(crate) folder: PathBuf,
    /// How far it is.
    pub(crate) state: RunState,
    /// The number of cases that have ended.
    pub(crate) ended: usize,
    /// What ran.
    #[serde(flatten)]
    pub(crate) record: RunRecord,
}

impl Runs {
    /// The runs in this folder; it need not exist.
    pub(crate) fn new(path: impl Into<PathBuf>) -> Runs {
        Runs { path: path.into(), reach: Reach::default(), removes: true }
    }

    /// The same, but files are read only below `root` when links are followed, and only those of up to `most` bytes. `most` also
    /// limits the sum of the records in a list; the last runs come first. Answers that need more than `memory` bytes are not read.
    #[must_use]
    pub(crate) fn within(self, root: &Path, most: u64, memory: u64) -> Runs {
        Runs { reach: Reach { reader: Reader::within(root, most), in_list: most, answer: memory }, ..self }
    }

    /// Whether the folder is one in which this reads.
    pub(crate) fn is_inside(&self) -> bool {
        self.reach.reader.admits(&self.path)
    }

    /// The runs of the workspace at `root`: the folder `runs` in `[run] results`, seen from the root.
    pub(crate) fn of_workspace(root: &Path, config: &Config) -> Runs {
        let path = root.join(&config.run.results).join("runs");
        Runs { removes: files::is_inside(&path, root), ..Runs::new(path) }
    }

    /// Whether runs may be removed. The configuration of a repository can name the runs of another project.
    pub(crate) fn may_remove(&self) -> bool {
        self.removes
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file with the record of the last run; `None` if there is no run.
    pub(crate) fn last_record(&self) -> Option<PathBuf> {
        Some(self.path.join(self.latest_id()?.as_str()).join(RECORD))
    }

    /// Opens the folder.
    pub(super) fn opened(&self) -> Result<Folder, RunError> {
        self.reach.reader.folder(&self.path).map_err(RunError::system("open", &self.path))
    }

    /// The runs, the last one first. Entries that are not the folder of a run with a readable `run.json` are left out.
    pub(crate) fn list(&self) -> Vec<KeptRun> {
        let Ok(opened) = self.opened() else { return Vec::new() };
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let mut ids: Vec<_> = entries.flatten().filter_map(|entry| RunId::of_name(&entry.file_name())).collect();
        let latest = self.latest_id();
        ids.sort_by_cached_key(|id| Reverse((Some(id) == latest.as_ref(), id.clone())));
        let (mut runs, mut left) = (Vec::new(), self.reach.in_list);
        for id in ids {
            let Ok(folder) = opened.enter(id.as_str()) else { continue };
            // Records that cannot be read count, too: reading them takes time.
            let Ok(record) = folder.metadata(RECORD) else { continue };
            let Some(rest) = left.checked_sub(record.len()) else { break };
            left = rest;
            runs.extend(KeptRun::listed(&self.reach, &self.path, id, &folder).ok());
        }
        runs.sort_by_cached_key(|run| Reverse(order(run)));
        // Clocks jump: the last run is the one that `latest` points at, whatever its name is.
        if let Some(latest) = latest
            && let Some(place) = runs.iter().position(|run| *run.id() == latest)
        {
            runs[..=place].rotate_right(1);
        }
        runs
    }

    /// The runs as they are listed to people and editors.
    ///
    /// # Errors
    /// If the lines of a run cannot be read.
    pub(crate) fn summaries(&self) -> Result<Vec<ListedRun>, RunError> {
        let summary = |run: KeptRun| {
            let ended = match &run.record().summary {
                Some(summary) => summary.total,
                None => run.lines()?.len(),
            };
            Ok(ListedRun { state: run.state(), folder: run.folder().to_owned(), ended, record: run.record().clone() })
        };
        self.list().into_iter().map(summary).collect()
    }

    /// The last run.
    pub(crate) fn latest(&self) -> Option<KeptRun> {
        let latest = self.latest_id().and_then(|id| self.open(&id).ok());
        latest.or_else(|| self.list().into_iter().next())
    }

    /// The run with that id.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn open(&self, id: &RunId) -> Result<KeptRun, RunError> {
        let path = self.path.join(id.as_str());
        let folder = self.opened()?.enter(id.as_str()).map_err(RunError::system("open", &path))?;
        KeptRun::listed(&self.reach, &self.path, id.clone(), &folder)
    }

    /// The id that `latest` points at.
    pub(super) fn latest_id(&self) -> Option<RunId> {
        // The link is read, not followed.
        match fs::read_link(self.path.join(LATEST)) {
            Ok(target) => RunId::of_name(target.as_os_str()),
            Err(_) => {
                let id = self.opened().ok()?.read(LATEST, MOST_OF_ID).ok()?;
                RunId::new(std::str::from_utf8(&id).ok()?.trim())
            }
        }
    }

    /// The file of a page about a run.
    pub(crate) fn report(&self) -> PathBuf {
        self.results().join("report.html")
    }

    /// The folder of the result files of these runs.
    fn results(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Creates the folder, with a file above it that keeps runs and result files out of git.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub(crate) fn prepare(&self) -> Result<(), RunError> {
        files::create_folder(&self.path)?;
        let latest = self.path.join(LATEST);
        if latest.symlink_metadata().is_ok_and(|latest| latest.is_dir()) {
            return Err(RunError::system("replace", &latest)(io::ErrorKind::IsADirectory.into()));
        }
        // The folder may have other files, too.
        match files::create(&self.results().join(".gitignore"), IGNORED.as_bytes()) {
            Err(files::FileError::Exists { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes `latest` point at a run: a link, or a file with the id if the file system has no links.
    pub(super) fn set_latest(&self, id: &RunId) -> Result<(), RunError> {
        let latest = self.path.join(LATEST);
        #[cfg(unix)]
        {
            let draft = self.path.join(format!(".latest-{id}"));
            let linked = std::os::unix::fs::symlink(id.as_str(), &draft).and_then(|()| fs::rename(&draft, &latest));
            if linked.is_ok() {
                return Ok(());
            }
            let _ = fs::remove_file(&draft);
        }
        Ok(files::replace(&latest, id.as_str().as_bytes())?)
    }

    /// Removes the result files of a run. The record of a run may be anybody's, so only names that are those of its result files
    /// count.
    fn remove_results(&self, run: &KeptRun) -> Result<(), RunError> {
        let start = format!("minimum-eval-results-{}", run.id().second().replace('T', "-").replace('Z', ""));
        let is_of_run = |name: &&String| name.starts_with(&start) && (name.ends_with(".json") || name.ends_with(".md"));
        let names: Vec<_> = run.record().results.iter().filter(is_of_run).collect();
        if names.is_empty() {
            return Ok(());
        }
        let folder = self.reach.reader.folder(self.results()).map_err(RunError::system("open", self.results()))?;
        for name in names {
            match folder.remove(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(RunError::system("remove", &self.results().join(name))(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes a run as a whole, with its result files.
    ///
    /// # Errors
    /// If the run continues, does not exist, or cannot be removed.
    pub(crate) fn remove(&self, id: &RunId) -> Result<(), RunError> {
        if !self.removes {
            return Err(RunError::Outside(self.path.clone()));
        }
        let run = self.open(id)?;
        if run.is_in_use() {
            return Err(RunError::Running(id.clone()));
        }
        let folder = self.opened()?;
        let (name, gone) = (id.as_str(), format!(".gone-{id}"));
        // Renamed first, so that nobody sees a part of it.
        let removed = folder.rename(name, &gone).and_then(|()| folder.remove(&gone));
        removed.map_err(RunError::system("remove", run.folder()))?;
        self.remove_results(&run)?;
        if self.latest_id().as_ref() == Some(id) {
            match self.list().first() {
                Some(next) => self.set_latest(next.id())?,
                None => remove_file(&self.path.join(LATEST))?,
            }
        }
        Ok(())
    }
}

/// The sort key of a run. Ids have whole seconds, so runs of one second are sorted by when their last case ended.
fn order(run: &KeptRun) -> (String, Option<SystemTime>, RunId) {
    let changed = run.stamp().map(|(_, changed)| changed);
    (run.id().second().to_owned(), changed, run.id().clone())
}

fn remove_file(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RunError::system("remove", path)(error)),
        _ => Ok(()),
    }
}
