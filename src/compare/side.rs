use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::runs::{CaseHashes, RunState, Source, SourceCase};
use crate::verdict::{CaseResult, CheckLists, Excerpt, Repeat, Status, Took};

use super::State;

/// The results of one run or of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(super) name: SideName,
    /// In the order of the runs.
    pub(super) cases: Vec<Observed>,
    /// The suites of kept runs, by path.
    suites: HashMap<String, SuiteSeen>,
}

/// Where a side comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SideName {
    /// The ids of the runs, or the paths of the result files.
    pub(crate) runs: Vec<String>,
    /// The start of the last run, if it is known.
    pub(crate) started_at: Option<String>,
    /// The target of the last run, if it is known.
    pub(crate) target: Option<String>,
    /// Its git branch and commit, if they are known.
    pub(crate) branch: Option<String>,
    /// The commit.
    pub(crate) commit: Option<String>,
    /// Whether some selected cases have not ended.
    pub(crate) incomplete: bool,
}

/// A case of a side.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) suite: String,
    pub(super) id: String,
    pub(super) category: String,
    pub(super) prompt: String,
    pub(super) outcome: String,
    pub(super) hashes: Option<CaseHashes>,
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
    pub(super) excerpt: Excerpt,
    pub(super) answer: Option<String>,
    pub(super) took: Took,
    /// Whether a later answer of its target did not pass.
    pub(super) older: bool,
}

/// A suite of a kept run.
#[derive(Clone, Debug, Default)]
struct SuiteSeen {
    hash: String,
    /// Whether each run selected only a part of its cases.
    part: bool,
    selected: BTreeSet<String>,
}

impl Side {
    /// The side of these runs with their cases, the last run at the end. Results of a case that was edited in between are
    /// left out: the last text of a case decides.
    pub(crate) fn of(runs: &[(Source, Vec<SourceCase>)]) -> Side {
        let mut side = Side::default();
        let mut places: HashMap<(String, String), usize> = HashMap::new();
        for (source, cases) in runs {
            side.name.add(source);
            if let Source::Run(run) = source {
                for suite in &run.record().suites {
                    let is_new = !side.suites.contains_key(&suite.path);
                    let seen = side.suites.entry(suite.path.clone()).or_default();
                    seen.part = suite.part && (is_new || seen.part);
                    seen.hash.clone_from(&suite.hash);
                    seen.selected.extend(suite.cases.iter().map(|case| case.id.clone()));
                }
            }
            for case in cases.iter().filter(|case| !case.cancelled) {
                let observed = Observed::of(case);
                match places.get(&(case.suite.clone(), case.result.id.clone())) {
                    None => {
                        places.insert((case.suite.clone(), case.result.id.clone()), side.cases.len());
                        side.cases.push(observed);
                    }
                    Some(place) => side.cases[*place].add(observed),
                }
            }
        }
        side
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

    /// The kinds of the checks of all cases: `must_say_any` of `must_say_any:yes`.
    pub(super) fn kinds(&self) -> BTreeSet<&str> {
        let checks = self.cases.iter().flat_map(|case| &case.attempts).flat_map(|attempt| attempt.checks.keys());
        checks.map(|id| kind(id)).collect()
    }
}

impl SideName {
    fn add(&mut self, source: &Source) {
        self.runs.push(source.name());
        match source {
            Source::File(file) => self.started_at = Some(file.generated_at.clone()).filter(|at| !at.is_empty()),
            Source::Run(run) => {
                let record = run.record();
                self.started_at = Some(record.started_at.clone());
                self.target = Some(record.target.name.clone());
                self.branch = record.git.as_ref().and_then(|git| git.branch.clone());
                self.commit = record.git.as_ref().and_then(|git| git.commit.clone());
                self.incomplete |= run.state() != RunState::Ended || record.not_run.is_some_and(|count| count > 0);
            }
        }
    }
}

impl Observed {
    fn of(case: &SourceCase) -> Observed {
        let result = &case.result;
        Observed {
            suite: case.suite.clone(),
            id: result.id.clone(),
            category: result.category.clone(),
            prompt: result.prompt.clone(),
            outcome: result.expected_outcome.clone(),
            hashes: case.hashes.clone(),
            attempts: match &result.repeats {
                // The attempts of a case without a verdict do not decide its status.
                Some(repeats) if result.status != Status::Error => repeats
                    .attempts
                    .iter()
                    .map(|repeat| Attempt { older: is_older(result), ..Attempt::repeated(repeat, result.stale) })
                    .collect(),
                _ => vec![Attempt::of(result, case.answer.clone())],
            },
        }
    }

    fn add(&mut self, later: Observed) {
        if self.prompt == later.prompt && self.outcome == later.outcome && self.hashes == later.hashes {
            self.attempts.extend(later.attempts);
        } else {
            *self = later;
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
            excerpt: result.snapshot_excerpt.clone(),
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
            excerpt: Excerpt::default(),
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

/// The part of a check's id before its entry.
pub(super) fn kind(id: &str) -> &str {
    id.split(':').next().unwrap_or(id)
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
