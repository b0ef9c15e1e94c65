use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use crate::config::Config;
use crate::files::{self, Reader};

use super::record::hex;
use super::{KeptRun, RunError, RunRecord, RunState};

/// The file with what ran.
pub(super) const RECORD: &str = "run.json";
/// The file with how the cases ended.
pub(super) const CASES: &str = "cases.jsonl";
/// The folder of the pictures.
pub(super) const PICTURES: &str = "pictures";
/// The link to the last run.
const LATEST: &str = "latest";

/// The folder with the runs of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runs {
    path: PathBuf,
    pub(super) reach: Reach,
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

/// The largest file with the id of the last run, in bytes.
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
        Runs { path: path.into(), reach: Reach::default() }
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
        Runs::new(root.join(&config.run.results).join("runs"))
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file with the record of the last run; `None` if there is no run.
    pub(crate) fn last_record(&self) -> Option<PathBuf> {
        Some(self.path.join(self.latest_id()?).join(RECORD))
    }

    /// The runs, the last one first. Folders without a readable `run.json` are left out.
    pub(crate) fn list(&self) -> Vec<KeptRun> {
        if !self.is_inside() {
            return Vec::new();
        }
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let is_run = |entry: &fs::DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_dir()) && !entry.file_name().to_string_lossy().starts_with('.')
        };
        let mut folders: Vec<_> = entries.flatten().filter(is_run).map(|entry| entry.file_name()).collect();
        let latest = self.latest_id();
        folders.sort_by_cached_key(|name| Reverse((name.to_str() == latest.as_deref(), name.clone())));
        let (mut runs, mut left) = (Vec::new(), self.reach.in_list);
        for folder in folders {
            let folder = self.path.join(folder);
            // Records that cannot be read count, too: reading them takes time.
            let Ok(record) = fs::metadata(folder.join(RECORD)) else { continue };
            let Some(rest) = left.checked_sub(record.len()) else { break };
            left = rest;
            runs.extend(KeptRun::read_by(&self.reach, &folder).ok());
        }
        runs.sort_by_cached_key(|run| Reverse(order(run)));
        // Clocks jump: the last run is the one that `latest` points at, whatever its name is.
        if let Some(latest) = latest
            && let Some(place) = runs.iter().position(|run| run.id() == latest)
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
                None => run.lines()?.iter().filter(|line| !line.cancelled).count(),
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
    pub(crate) fn open(&self, id: &str) -> Result<KeptRun, RunError> {
        KeptRun::read_by(&self.reach, &self.path.join(id))
    }

    /// The id that `latest` points at.
    pub(super) fn latest_id(&self) -> Option<String> {
        let latest = self.path.join(LATEST);
        let target = match fs::read_link(&latest) {
            Ok(target) => target.file_name()?.to_str()?.to_owned(),
            Err(_) => {
                let id = self.reach.reader.read(&latest, MOST_OF_ID).ok()?;
                String::from_utf8(id).ok()?.trim().to_owned()
            }
        };
        let is_name = !target.is_empty() && !target.contains(['/', '\\']) && !target.starts_with('.');
        is_name.then_some(target)
    }

    /// Creates the folder, with a file that keeps it out of git.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub(crate) fn prepare(&self) -> Result<(), RunError> {
        files::create_folder(&self.path)?;
        let ignore = self.path.join(".gitignore");
        match files::create(&ignore, b"# Kept runs have whole answers. `eval-ls runs` lists them.\n*\n") {
            Err(files::FileError::Exists { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// A new id: the time, and a short id that no run has had. `last` is the id that was taken.
    pub(super) fn new_id(at: OffsetDateTime, seed: &str, last: &str) -> String {
        let stamp = at.format(format_description!("[year][month][day]T[hour][minute][second]Z"));
        let short = Sha256::digest(format!("{seed} {last} {}", at.unix_timestamp_nanos()));
        format!("{}-{}", stamp.expect("every time has these parts"), hex(&short[..3]))
    }

    /// Makes `latest` point at a run: a link, or a file with the id if the file system has no links.
    pub(super) fn set_latest(&self, id: &str) -> Result<(), RunError> {
        let latest = self.path.join(LATEST);
        #[cfg(unix)]
        {
            let draft = self.path.join(format!(".latest-{id}"));
            let linked = std::os::unix::fs::symlink(id, &draft).and_then(|()| fs::rename(&draft, &latest));
            if linked.is_ok() {
                return Ok(());
            }
            let _ = fs::remove_file(&draft);
        }
        Ok(files::replace(&latest, id.as_bytes())?)
    }

    /// Removes a run as a whole.
    ///
    /// # Errors
    /// If the run continues, does not exist, or cannot be removed.
    pub(crate) fn remove(&self, id: &str) -> Result<(), RunError> {
        let run = self.open(id)?;
        if run.state() == RunState::Running {
            return Err(RunError::Running(id.to_owned()));
        }
        // Renamed first, so that nobody sees a part of it.
        let gone = self.path.join(format!(".gone-{id}"));
        fs::rename(run.folder(), &gone).map_err(RunError::system("remove", run.folder()))?;
        fs::remove_dir_all(&gone).map_err(RunError::system("remove", &gone))?;
        if self.latest_id().as_deref() == Some(id) {
            match self.list().first() {
                Some(next) => self.set_latest(next.id())?,
                None => remove_file(&self.path.join(LATEST))?,
            }
        }
        Ok(())
    }
}

/// The sort key of a run. Ids have whole seconds, so runs of one second are sorted by when their last case ended.
fn order(run: &KeptRun) -> (String, Option<SystemTime>, String) {
    let id = run.id();
    let second = id.rsplit_once('-').map_or(id, |(second, _)| second);
    let cases = fs::metadata(run.folder().join(CASES)).and_then(|cases| cases.modified());
    (second.to_owned(), cases.ok(), id.to_owned())
}

fn remove_file(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RunError::system("remove", path)(error)),
        _ => Ok(()),
    }
}

/// A time in whole seconds, in the form of RFC 3339.
pub(super) fn now(at: OffsetDateTime) -> String {
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).expect("the current year is between 0 and 9999")
}
