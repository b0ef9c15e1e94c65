use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::clock::moment;
use crate::verdict::Status;

use super::{AnswerRecord, CaseHashes, KeptRun, RunError, RunId, RunState, Runs};

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

impl Runs {
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
    let ended = lines.filter(|line| line.suite == suite && !line.cancelled);
    let case = |line: super::CaseLine| PastCase {
        hashes: run.hashes(suite, line.index).cloned(),
        id: line.case,
        status: line.status,
        reason: line.result.reason.clone(),
        answer: line.answer,
    };
    Ok(ended.map(case).collect())
}
