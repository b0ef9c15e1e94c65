//! How each case ended in the kept runs of one target: since when, how often, how stable.
//!
//! [`History::of`] turns runs into one [`CaseHistory`] for each case. [`History::read`] chooses the runs. `docs/runs.md#history`
//! documents it.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use serde::Serialize;

use crate::diagnostic::quoted;
use crate::runs::{CaseHashes, CaseLine, KeptRun, RunError, RunId, RunMode, RunState, Runs};
use crate::verdict::Status;

/// The histories of all cases.
#[derive(Debug)]
pub(crate) struct History {
    /// The target that answered.
    pub(crate) target: String,
    /// The number of runs.
    pub(crate) runs: usize,
    /// The cases, in the order of the last run that has them.
    pub(crate) cases: Vec<CaseHistory>,
    /// Why runs of the target are left out: each could not be read.
    pub(crate) left_out: Vec<RunError>,
}

/// How one case ended, run by run. As JSON it is what `eval-ls runs CASE --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CaseHistory {
    /// The path of its suite, from the folder of `eval-ls.toml`.
    pub(crate) suite: String,
    /// Its id.
    pub(crate) case: String,
    /// One for each run in which it ended, the first run first. Never empty.
    pub(crate) points: Vec<Point>,
    /// How often it changed between passing and not passing since its last edit. Runs without a verdict do not count.
    pub(crate) flips: usize,
    /// Since when it has its present status.
    pub(crate) since: Since,
}

/// How a case ended in one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Point {
    /// The run's id.
    pub(crate) run: RunId,
    /// Its start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// The git commit, if it is known.
    pub(crate) commit: Option<String>,
    /// The status of the verdict.
    pub(crate) status: Status,
    /// Whether some judged attempts have another status than others.
    pub(crate) flaky: bool,
    /// The attempts that passed.
    pub(crate) passed: usize,
    /// The attempts that were judged.
    pub(crate) judged: usize,
    /// What was edited since the run before: `prompts`, `expectations`, `hints`.
    pub(crate) edits: Vec<&'static str>,
    /// The ids of the checks that failed.
    pub(crate) failed: Vec<String>,
    /// Why it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// Since when a case has its present status.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Since {
    /// The id of the first run with that status.
    pub(crate) run: RunId,
    /// The start of that run.
    pub(crate) started_at: String,
    /// The number of runs since then, that run included.
    pub(crate) runs: usize,
}

/// The points of a case so far, and its hashes in the last of these runs.
type Found<'a> = (Vec<Point>, Option<&'a CaseHashes>);

impl History {
    /// The histories in the runs of `target`, each with its lines, the first run first. Cases that were cancelled are left
    /// out.
    pub(crate) fn of(target: &str, runs: &[(KeptRun, Vec<CaseLine>)]) -> History {
        let mut found: HashMap<(&str, &str), Found<'_>> = HashMap::new();
        // By suite and place in the last run that has the case; later runs come first.
        let mut order: BTreeMap<(usize, usize, usize), (&str, &str)> = BTreeMap::new();
        for (age, (run, lines)) in runs.iter().enumerate() {
            for line in lines {
                let Some(suite) = run.record().suites.get(line.suite) else { continue };
                let name = (suite.path.as_str(), line.case.as_str());
                let (points, last) = found.entry(name).or_default();
                let hashes = run.record().hashes(line.suite, line.index);
                let edits = match (hashes, *last) {
                    (Some(now), Some(then)) => now.edits_since(then),
                    _ => Vec::new(),
                };
                points.push(Point::of(run, line, edits));
                *last = hashes;
                order.insert((runs.len() - age, line.suite, line.index), name);
            }
        }
        let cases = order.into_values().filter_map(|name| {
            let (points, _) = found.remove(&name)?;
            CaseHistory::of(name, points)
        });
        History { target: target.to_owned(), runs: runs.len(), cases: cases.collect(), left_out: Vec::new() }
    }

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
        // The process that has run `until` may still hold its lock.
        let is_over = |run: &KeptRun| until == Some(run.id()) || run.state() != RunState::Running;
        let is_judged = |run: &KeptRun| run.record().mode == RunMode::Run && is_over(run);
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

impl CaseHistory {
    fn of((suite, case): (&str, &str), points: Vec<Point>) -> Option<CaseHistory> {
        let edited = points.iter().rposition(|point| !point.edits.is_empty()).unwrap_or(0);
        let (last, present) = (points.last()?, &points[edited..]);
        let same = |point: &&Point| (point.status, point.flaky) == (last.status, last.flaky);
        let latest_first: Vec<&Point> = present.iter().rev().collect();
        let runs = streak(&latest_first, same);
        let first = &points[points.len() - runs];
        let since = Since { run: first.run.clone(), started_at: first.started_at.clone(), runs };
        let judged: Vec<bool> = present
            .iter()
            .filter(|point| point.status != Status::Error)
            .map(|point| point.status == Status::Pass)
            .collect();
        let flips = judged.windows(2).filter(|pair| pair[0] != pair[1]).count();
        Some(CaseHistory { suite: suite.to_owned(), case: case.to_owned(), flips, since, points })
    }
}

impl Point {
    fn of(run: &KeptRun, line: &CaseLine, edits: Vec<&'static str>) -> Point {
        let (record, result) = (run.record(), &line.result);
        let statuses: Vec<Status> = match &result.repeats {
            None => vec![line.status],
            Some(repeats) => repeats.attempts.iter().map(|attempt| attempt.status).collect(),
        };
        let count = |is: fn(Status) -> bool| statuses.iter().filter(|status| is(**status)).count();
        Point {
            run: run.id().clone(),
            started_at: record.started_at.clone(),
            commit: record.git.as_ref().and_then(|git| git.commit.clone()),
            status: line.status,
            flaky: result.repeats.as_ref().is_some_and(|repeats| repeats.flaky),
            passed: count(|status| status == Status::Pass),
            judged: count(|status| status != Status::Error),
            edits,
            failed: result.checks.failed.clone(),
            reason: result.reason.clone(),
        }
    }

    /// The status for people: `FLAKY` if the attempts disagree.
    pub(crate) fn word(&self) -> String {
        if self.flaky { "FLAKY".to_owned() } else { self.status.to_string() }
    }
}

/// How a case ended before it got its present status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Was {
    /// The status of the verdicts.
    pub(crate) status: Status,
    /// The number of consecutive runs with that status, at least 1.
    pub(crate) runs: usize,
}

impl Was {
    /// How a case ended before it got the status `now`. `past` has its statuses since its last edit, the last run first. `None` if it had
    /// no other status.
    pub(crate) fn before(now: Status, past: &[Status]) -> Option<Was> {
        let earlier = &past[streak(past, |status| *status == now)..];
        let status = *earlier.first()?;
        Some(Was { status, runs: streak(earlier, |other| *other == status) })
    }
}

/// The number of elements at the start that are alike.
pub(super) fn streak<T>(latest_first: &[T], is_alike: impl Fn(&T) -> bool) -> usize {
    latest_first.iter().take_while(|one| is_alike(one)).count()
}

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

#[cfg(test)]
mod model_tests {
    use Status::{Error, Fail, Pass};

    use super::*;

    #[test]
    fn the_status_before_and_how_long_it_lasted() {
        let was = |status, runs| Some(Was { status, runs });
        assert_eq!(Was::before(Fail, &[Pass, Pass, Pass, Fail]), was(Pass, 3));
        assert_eq!(Was::before(Fail, &[Fail, Pass, Error, Pass]), was(Pass, 1));
        assert_eq!(Was::before(Pass, &[Pass, Pass]), None);
        assert_eq!(Was::before(Pass, &[]), None);
    }
}
