use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::clock::moment;
use crate::diagnostic::quoted;
use crate::runs::{
    AnswerRecord, CaseHashes, KeptRun, RunError, RunId, RunMode, RunState, Runs, SuiteRecord, TargetRecord,
};
use crate::verdict::Status;

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
        /// Its name.
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
    /// It is a file. Result files do not have what decides whether a case was edited.
    #[error("{} is a file, and runs are folders; name the folder of a run, such as `results/runs/latest`", quoted(&.0.display().to_string()))]
    File(PathBuf),
    /// No id starts with the name.
    #[error("there is no run {}; `eval-ls runs` lists them", quoted(.0))]
    Unknown(String),
    /// Several ids match the name.
    #[error("{} matches {} runs: {}{}", quoted(.0), .1.len(), .1[..NAMED.min(.1.len())].join(", "), if .1.len() > NAMED { ", …" } else { "" })]
    Several(String, Vec<String>),
    /// It cannot be read.
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

    /// Finds a kept run of this workspace by its id, a part of its id, or a name: `latest` is the last run, `target:NAME` the last one of
    /// a target, `label:NAME=VALUE` the last one with a label, and `branch:NAME` the last one on a git branch. `~1` after such a name
    /// means the run before it, `~2` the one before that.
    ///
    /// # Errors
    /// If there is not exactly one such run, or it cannot be read.
    pub(crate) fn find_kept(&self, name: &str) -> Result<KeptRun, FindError> {
        if name == LATEST {
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
const KINDS: [&str; 3] = ["branch", "target", "label"];

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

/// Whether a run has that branch, target or label.
fn has(run: &KeptRun, kind: &str, wanted: &str) -> bool {
    let record = run.record();
    match kind {
        "branch" => record.git.as_ref().and_then(|git| git.branch.as_deref()) == Some(wanted),
        "target" => record.target.name == wanted,
        _ => wanted.split_once('=').is_some_and(|(name, value)| record.labels.get(name).is_some_and(|of| of == value)),
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
    /// Its id.
    pub(crate) id: String,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Why it could not be judged.
    pub(crate) reason: Option<String>,
    /// Its answer, if it has one.
    pub(crate) answer: Option<AnswerRecord>,
    /// Its hashes in that run.
    pub(crate) hashes: Option<CaseHashes>,
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

    /// Its id.
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

    /// When it started.
    pub(crate) fn started(&self) -> Option<SystemTime> {
        moment(&self.run.record().started_at)
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
        hashes: run.record().hashes(suite, line.index).cloned(),
        id: line.case,
        status: line.status,
        reason: line.result.reason.clone(),
        answer: line.answer,
    };
    Ok(ended.map(case).collect())
}
