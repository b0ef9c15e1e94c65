use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::runs::{CaseHashes, CaseLine, KeptRun, RunRecord, RunState, SuiteRecord};
use crate::verdict::{CaseResult, CheckLists, Repeat, Status, Took};

use super::State;

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(super) name: SideName,
    /// In the order of the run.
    pub(super) cases: Vec<Observed>,
    /// The suites, by path.
    suites: HashMap<String, SuiteSeen>,
}

/// Where a side comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SideName {
    /// The id of the run.
    pub(crate) run: String,
    /// The start of the run.
    pub(crate) started_at: String,
    /// The target of the run.
    pub(crate) target: String,
    /// The git branch and commit, if they are known.
    pub(crate) branch: Option<String>,
    /// The commit.
    pub(crate) commit: Option<String>,
    /// Whether the run is of several versions of its program.
    pub(crate) mixed: bool,
    /// Whether some selected cases have not ended.
    pub(crate) incomplete: bool,
}

/// A case of a side.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) suite: String,
    pub(super) id: String,
    pub(super) category: String,
    pub(super) hashes: CaseHashes,
    pub(super) attempts: Vec<Attempt>,
}

/// One answer to a case with its verdict.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) status: Status,
    pub(super) stale: bool,
    pub(super) score: Option<f64>,
    /// By id. A check that is not defined is neither.
    pub(super) checks: BTreeMap<String, Option<bool>>,
    pub(super) reason: Option<String>,
    pub(super) answer: Option<String>,
    pub(super) took: Took,
    /// Whether a later answer of its target did not pass.
    pub(super) older: bool,
}

/// A suite of the run.
#[derive(Clone, Debug, Default)]
struct SuiteSeen {
    hash: String,
    /// Whether the run selected only a part of its cases.
    part: bool,
    selected: BTreeSet<String>,
}

impl Side {
    /// The side of a run with its cases.
    pub(crate) fn of(run: &KeptRun, lines: &[CaseLine]) -> Side {
        Side::new(run.record(), run.state() == RunState::Ended, lines)
    }

    pub(super) fn new(run: &RunRecord, has_ended: bool, lines: &[CaseLine]) -> Side {
        let seen = |suite: &SuiteRecord| {
            let selected = suite.cases.iter().map(|case| case.id.clone()).collect();
            (suite.path.clone(), SuiteSeen { hash: suite.hash.clone(), part: suite.part, selected })
        };
        Side {
            name: SideName::of(run, has_ended),
            cases: lines.iter().map(|line| Observed::of(run, line)).collect(),
            suites: run.suites.iter().map(seen).collect(),
        }
    }

    /// The case with that id in the suite at that path, or in a suite whose file has the same name.
    pub(super) fn case(&self, suite: &str, id: &str) -> Option<&Observed> {
        let mut same_id = self.cases.iter().filter(|case| case.id == id);
        let exact = same_id.clone().find(|case| case.suite == suite);
        exact.or_else(|| same_id.find(|case| file_name(&case.suite) == file_name(suite)))
    }

    /// Whether this side selected a case of the other side and did not run it, or selected only a part of the suite.
    pub(super) fn left_out(&self, other: &Side, suite: &str, id: &str) -> bool {
        let same_name =
            || self.suites.iter().find(|(path, _)| file_name(path) == file_name(suite)).map(|(_, seen)| seen);
        let Some(seen) = self.suites.get(suite).or_else(same_name) else { return false };
        let is_same_text =
            other.suites.get(suite).is_some_and(|theirs| theirs.hash == seen.hash && !seen.hash.is_empty());
        seen.selected.contains(id) || seen.part || is_same_text
    }
}

impl SideName {
    fn of(run: &RunRecord, has_ended: bool) -> SideName {
        SideName {
            run: run.id.clone(),
            started_at: run.started_at.clone(),
            target: run.target.name.clone(),
            branch: run.git.as_ref().and_then(|git| git.branch.clone()),
            commit: run.git.as_ref().and_then(|git| git.commit.clone()),
            mixed: run.target.mixed,
            incomplete: !has_ended || run.not_run.is_some_and(|count| count > 0),
        }
    }
}

impl Observed {
    fn of(run: &RunRecord, line: &CaseLine) -> Observed {
        let result = &line.result;
        Observed {
            suite: run.suites.get(line.suite).map(|suite| suite.path.clone()).unwrap_or_default(),
            id: line.case.clone(),
            category: result.category.clone(),
            hashes: run.hashes(line.suite, line.index).cloned().unwrap_or_default(),
            attempts: match &result.repeats {
                // The attempts of a case without a verdict do not decide its status.
                Some(repeats) if result.status != Status::Error => repeats
                    .attempts
                    .iter()
                    .map(|repeat| Attempt { older: is_older(result), ..Attempt::repeated(repeat, result.stale) })
                    .collect(),
                _ => vec![Attempt::of(result, line.answer.as_ref().map(|answer| answer.sha256.clone()))],
            },
        }
    }

    /// The attempts that were judged.
    pub(super) fn judged(&self) -> impl Iterator<Item = &Attempt> + Clone {
        self.attempts.iter().filter(|attempt| attempt.status != Status::Error)
    }

    pub(super) fn state(&self) -> State {
        let judged = self.judged().count();
        let scores: Vec<f64> = self.judged().filter_map(|attempt| attempt.score).collect();
        State {
            statuses: self.attempts.iter().map(|attempt| attempt.status).collect(),
            passed: self.judged().filter(|attempt| attempt.status == Status::Pass).count(),
            judged,
            soft_score: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
            stale: self.attempts.iter().any(|attempt| attempt.stale || attempt.older),
            reason: self.attempts.iter().rev().find_map(|attempt| attempt.reason.clone()),
            took: self.judged().map(|attempt| attempt.took).collect(),
        }
    }
}

impl Attempt {
    fn of(result: &CaseResult, answer: Option<String>) -> Attempt {
        Attempt {
            status: result.status,
            stale: result.stale,
            score: result.metrics.scoring.soft_score.shown(),
            checks: by_id(&result.checks),
            reason: result.reason.clone(),
            answer,
            took: Took { duration_ms: result.duration_ms, usage: result.usage },
            older: is_older(result),
        }
    }

    /// One of several attempts, of which only the verdict is known.
    fn repeated(repeat: &Repeat, stale: bool) -> Attempt {
        Attempt {
            status: repeat.status,
            stale,
            score: repeat.soft_score,
            checks: by_id(&repeat.checks),
            reason: repeat.reason.clone(),
            answer: None,
            took: repeat.took(),
            older: false,
        }
    }
}

fn is_older(result: &CaseResult) -> bool {
    result.newer.as_ref().is_some_and(|newer| newer.answer.is_some())
}

fn by_id(lists: &CheckLists) -> BTreeMap<String, Option<bool>> {
    let of = |ids: &[String], passed: Option<bool>| ids.iter().map(|id| (id.clone(), passed)).collect::<Vec<_>>();
    let unknown = lists.unknown_ui.iter().map(|hint| (format!("ui:{hint}"), None));
    of(&lists.failed, Some(false)).into_iter().chain(of(&lists.passed, Some(true))).chain(unknown).collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
