//! The folder of the kept runs, and the names by which one is found.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use serde::Serialize;

use crate::clock::moment;
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::files::{self, Folder, Reader};
use crate::verdict::Status;

use super::{AnswerRecord, KeptRun, RunError, RunId, RunMode, RunRecord, RunState, SuiteRecord, TargetRecord};

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

    /// The runs with limits: files are read only below `root` when links are followed, and only those of up to `most`
    /// bytes. `most` also limits the sum of the records in a list; the last runs come first. Answers that need more
    /// than `memory` bytes are not read.
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

/// Why an earlier run was not found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FindError {
    /// The workspace has none.
    #[error("no run is kept in `{}`; `eval-ls run` keeps one", .0.display())]
    NoRuns(PathBuf),
    /// No run has the branch, the target or the label.
    #[error("no kept run has the {kind} {}; `eval-ls runs` lists the runs", quoted(name))]
    NoSuch {
        /// `branch`, `target` or `label`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// There are fewer runs.
    #[error("there is no run {}: {count} such {} kept; `eval-ls runs` lists the runs", quoted(name), if *count == 1 { "run is" } else { "runs are" })]
    Fewer {
        /// The name that was given.
        name: String,
        /// The number of runs.
        count: usize,
    },
    /// The name is the path of a file. Result files do not have what decides whether a case was edited.
    #[error("{} is a file, and runs are folders; name the folder of a run, such as `results/runs/latest`", quoted(&.0.display().to_string()))]
    File(PathBuf),
    /// No id starts with the name.
    #[error("there is no run {}; `eval-ls runs` lists them", quoted(.0))]
    Unknown(String),
    /// Several ids match the name.
    #[error("{} matches {} runs: {}{}", quoted(.0), .1.len(), .1[..NAMED.min(.1.len())].join(", "), if .1.len() > NAMED { ", …" } else { "" })]
    Several(String, Vec<String>),
    /// The run cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
}

impl Runs {
    /// Finds a run by the names of [`find_kept`](Self::find_kept), or by the path of its folder.
    ///
    /// # Errors
    /// If there is not exactly one such run, or it cannot be read.
    pub(crate) fn find(&self, name: &str) -> Result<KeptRun, FindError> {
        // A file of this name, which may have come with the repository, is not what the name means.
        if is_relative(name) {
            return self.find_kept(name);
        }
        if let Some(run) = RunId::new(name).and_then(|id| self.open(&id).ok()) {
            return Ok(run);
        }
        let path = Path::new(name);
        if path.is_file() {
            return Err(FindError::File(path.to_owned()));
        }
        if path.join(super::folder::RECORD).is_file() {
            return Ok(KeptRun::read(path)?);
        }
        self.find_kept(name)
    }

    /// The run that a run is compared with: of the earlier runs of its target that have a suite in common with it, the last one that ran
    /// all of its cases, else the last one of whole suites, else the last one. Of a run that judged the answers of a run again, that run.
    /// Runs that recorded have no verdicts and do not count.
    pub(crate) fn before(&self, run: &KeptRun) -> Option<KeptRun> {
        if run.record().target.kind == TargetRecord::RUN {
            return self.open(&RunId::new(&run.record().target.name)?).ok();
        }
        let suites = |run: &KeptRun| run.record().suites.iter().map(|suite| suite.path.clone()).collect::<Vec<_>>();
        let of_run = suites(run);
        let is_earlier = |other: &KeptRun| {
            other.record().mode == RunMode::Run
                && other.record().target.name == run.record().target.name
                && suites(other).iter().any(|suite| of_run.contains(suite))
        };
        let earlier = self.list().into_iter().skip_while(|other| other.id() != run.id()).skip(1);
        let earlier: Vec<KeptRun> = earlier.filter(is_earlier).collect();
        let selected = |run: &KeptRun| -> BTreeSet<(String, String)> {
            let of_suite = |suite: &SuiteRecord| {
                suite.cases.iter().map(|case| (suite.path.clone(), case.id.clone())).collect::<Vec<_>>()
            };
            run.record().suites.iter().flat_map(of_suite).collect()
        };
        let of_run = selected(run);
        // A run of a few cases does not judge the others.
        let is_whole = |other: &&KeptRun| other.record().not_run == Some(0) && !other.record().cancelled;
        let covers = |other: &&KeptRun| is_whole(other) && selected(other).is_superset(&of_run);
        let has_whole_suites = |other: &&KeptRun| other.record().suites.iter().all(|suite| !suite.part);
        earlier.iter().find(covers).or_else(|| earlier.iter().find(has_whole_suites)).or(earlier.first()).cloned()
    }

    /// Refuses a damaged last run: an earlier one must not pass for it.
    ///
    /// # Errors
    /// If the run that `latest` points at is there, and cannot be read.
    fn refuse_damaged(&self) -> Result<(), RunError> {
        let opened = self.opened().ok().zip(self.latest_id());
        let folder = opened.and_then(|(opened, id)| Some((opened.enter(id.as_str()).ok()?, id)));
        if let Some((folder, id)) = folder.filter(|(folder, _)| folder.metadata(RECORD).is_ok()) {
            KeptRun::listed(&self.reach, &self.path, id, &folder)?;
        }
        Ok(())
    }

    /// Finds a kept run of this workspace by its id, a part of its id, or a name: `latest` is the last run, `target:NAME` the last one of
    /// a target, `label:NAME=VALUE` the last one with a label, and `branch:NAME` the last one on a git branch. `~1` after such a name
    /// means the run before it, `~2` the one before that.
    ///
    /// # Errors
    /// If there is not exactly one such run, or it cannot be read.
    pub(crate) fn find_kept(&self, name: &str) -> Result<KeptRun, FindError> {
        if name == LATEST {
            self.refuse_damaged()?;
            return self.latest().ok_or_else(|| FindError::NoRuns(self.path().to_owned()));
        }
        let mut found: Vec<KeptRun> = self.list();
        if is_relative(name) {
            return relative(found, name, self.path());
        }
        if let Some(exact) = found.iter().position(|run| *run.id() == *name) {
            return Ok(found.swap_remove(exact));
        }
        found.retain(|run| !name.is_empty() && run.id().as_str().contains(name));
        match found.len() {
            0 => Err(FindError::Unknown(name.to_owned())),
            1 => Ok(found.remove(0)),
            _ => Err(FindError::Several(name.to_owned(), found.iter().map(|run| run.id().to_string()).collect())),
        }
    }

    /// How the cases of the suite at `path` ended in the last runs, the last run first. The paths of suites count from
    /// `root`. Runs that are unchanged since they were read are taken from `known`. Runs that continue, and runs that cannot
    /// be read, are left out.
    pub(crate) fn past(&self, root: &Path, path: &Path, known: &[Arc<PastRun>]) -> Vec<Arc<PastRun>> {
        let mut past = Vec::new();
        let mut left = MAX_BYTES;
        for run in self.list() {
            let Some(suite) = run.record().suites.iter().position(|suite| root.join(&suite.path) == path) else {
                continue;
            };
            let stamp = run.stamp();
            let Some(rest) = left.checked_sub(stamp.map_or(0, |(length, _)| length)) else { break };
            left = rest;
            match known.iter().find(|known| known.id() == run.id() && known.stamp == stamp) {
                Some(known) => past.push(Arc::clone(known)),
                None if run.state() == RunState::Running => continue,
                None => {
                    let Ok(cases) = cases(&run, suite) else { continue };
                    past.push(Arc::new(PastRun { cases, run, stamp }));
                }
            }
            if past.len() == MAX_RUNS {
                break;
            }
        }
        past
    }
}

/// How many of several runs a message names: one line of a terminal.
const NAMED: usize = 3;

/// The name of the last run.
pub(crate) const LATEST: &str = "latest";

/// What the names of last runs begin with.
const KINDS: [&str; 2] = ["branch", "target"];

/// Whether the name is that of a last run, or of one before it.
fn is_relative(name: &str) -> bool {
    let has_kind = || name.split_once(':').is_some_and(|(kind, _)| KINDS.contains(&kind));
    name == LATEST || name.strip_prefix(LATEST).is_some_and(|rest| rest.starts_with('~')) || has_kind()
}

/// The run with that relative name among `runs`, the last one of which comes first. They are in the folder at `path`.
fn relative(runs: Vec<KeptRun>, name: &str, path: &Path) -> Result<KeptRun, FindError> {
    if runs.is_empty() {
        return Err(FindError::NoRuns(path.to_owned()));
    }
    let back = name.rsplit_once('~').and_then(|(base, back)| Some((base, back.parse::<usize>().ok()?)));
    let (base, back) = back.unwrap_or((name, 0));
    let runs: Vec<KeptRun> = match base.split_once(':') {
        None if base == LATEST => runs,
        None => return Err(FindError::Unknown(name.to_owned())),
        Some((kind, wanted)) => {
            let kind = KINDS.into_iter().find(|known| *known == kind).unwrap_or_default();
            let runs: Vec<KeptRun> = runs.into_iter().filter(|run| has(run, kind, wanted)).collect();
            if runs.is_empty() {
                return Err(FindError::NoSuch { kind, name: wanted.to_owned() });
            }
            runs
        }
    };
    let count = runs.len();
    runs.into_iter().nth(back).ok_or_else(|| FindError::Fewer { name: name.to_owned(), count })
}

/// Whether a run has that branch or target.
fn has(run: &KeptRun, kind: &str, wanted: &str) -> bool {
    let record = run.record();
    match kind {
        "target" => record.target.name == wanted,
        _ => record.git.as_ref().and_then(|git| git.branch.as_deref()) == Some(wanted),
    }
}

/// The number of runs of a suite that are read.
const MAX_RUNS: usize = 50;
/// The limit of the `cases.jsonl` files that are read, in bytes. The last runs are read first.
const MAX_BYTES: u64 = 64 << 20;

/// The memory for each byte of `run.json`, in bytes.
const OF_RECORD: u64 = 3;
/// The memory for a case that ended, in bytes.
const OF_CASE: u64 = 1 << 10;

/// How the cases of one suite ended in one kept run that does not continue.
#[derive(Debug)]
pub(crate) struct PastRun {
    run: KeptRun,
    /// The state of `cases.jsonl` when it was read.
    stamp: Option<(u64, SystemTime)>,
    /// The cases that ended.
    pub(crate) cases: Vec<PastCase>,
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PastCase {
    /// The id.
    pub(crate) id: String,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Why it could not be judged.
    pub(crate) reason: Option<String>,
    /// The answer, if it has one.
    pub(crate) answer: Option<AnswerRecord>,
}

impl PastRun {
    /// The run.
    pub(crate) fn run(&self) -> &KeptRun {
        &self.run
    }

    /// No less than the memory that it takes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        OF_RECORD * self.run.length() + OF_CASE * self.cases.len() as u64
    }

    /// The id.
    pub(crate) fn id(&self) -> &RunId {
        self.run.id()
    }

    /// The name of the target.
    pub(crate) fn target(&self) -> &str {
        &self.run.record().target.name
    }

    /// Whether the target was asked, and not replayed from transcripts.
    pub(crate) fn is_live(&self) -> bool {
        self.run.record().target.is_live()
    }

    /// When it ended; for an interrupted run, when its last case ended.
    pub(crate) fn ended(&self) -> Option<SystemTime> {
        let ended = self.run.record().ended_at.as_deref().and_then(moment);
        let modified = self.stamp.map(|(_, modified)| modified);
        // Records have seconds, and transcripts may be written in the same second.
        let precise = ended.zip(modified).filter(|(ended, modified)| {
            modified.duration_since(*ended).is_ok_and(|later| later < Duration::from_secs(1))
        });
        precise.map(|(_, modified)| modified).or(ended).or(modified)
    }
}

fn cases(run: &KeptRun, suite: usize) -> Result<Vec<PastCase>, RunError> {
    let lines = run.lines()?.into_iter();
    let ended = lines.filter(|line| line.suite == suite);
    let case = |line: crate::runs::CaseLine| PastCase {
        id: line.case,
        status: line.status,
        reason: line.result.reason.clone(),
        answer: line.answer,
    };
    Ok(ended.map(case).collect())
}
