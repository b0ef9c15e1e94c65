//! A thread that keeps each case that ended, and only then lets its event go on.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::clock;
use crate::config::Config;
use crate::events::{Event, Warning};
use crate::files;
use crate::runs::{
    CaseHashes, CaseLine, CaseRecord, EndedCase, KeptRun, OpenRun, Redact, RunError, RunId, RunRecord, RunState, Runs,
    SuiteRecord, hash_of,
};
use crate::text::Span;

use super::Plan;
use super::case::guarded;
use super::case::{JudgedCase, judge_answer};
use super::plan::PlannedCase;

/// A message of a job about a case.
#[derive(Debug)]
pub(super) enum ToKeep {
    /// An event of the case with that index in the plan.
    Event(usize, Event),
    /// The case with that index, or an attempt at it, ended. The permit limits how many cases run or wait for the disk.
    Ended(usize, EndedCase, Option<OwnedSemaphorePermit>),
    /// All jobs have ended. A target that was given up may still hold a sender, so the channel need not close.
    Stop,
}

/// What becomes of the events of cases.
pub(super) struct Keeper {
    /// The run, if it is kept.
    pub(super) run: Option<OpenRun>,
    /// The cases whose events go on one case after the other, in this order; the events of other cases go on as they arrive.
    pub(super) order: VecDeque<usize>,
    pub(super) forward: UnboundedSender<(usize, Event)>,
}

impl Keeper {
    /// Keeps what arrives and forwards it, until it is stopped. Returns the run.
    pub(super) fn keep(mut self, mut events: UnboundedReceiver<ToKeep>) -> Option<OpenRun> {
        let mut early: HashMap<usize, Vec<ToKeep>> = HashMap::new();
        while let Some(arrived) = events.blocking_recv() {
            let (ToKeep::Event(index, _) | ToKeep::Ended(index, ..)) = &arrived else { break };
            if self.order.front().is_some_and(|next| next != index) {
                early.entry(*index).or_default().push(arrived);
                continue;
            }
            self.take(arrived);
            while let Some(events) = self.order.front().and_then(|next| early.remove(next)) {
                events.into_iter().for_each(|event| self.take(event));
            }
        }
        // A case that broke off has left a gap.
        early.into_values().flatten().for_each(|event| self.take(event));
        self.run
    }

    fn take(&mut self, arrived: ToKeep) {
        // The receiver is gone only if the run itself is.
        let send = |index, event| drop(self.forward.send((index, event)));
        match arrived {
            ToKeep::Event(index, event) => send(index, event),
            ToKeep::Ended(index, ended, _permit) => {
                let kept = self.run.as_mut().map(|run| guarded(|| run.add(&ended).map_err(|error| error.to_string())));
                if let Some(Err(fault) | Ok(Err(fault))) = kept {
                    let message = format!("the run is no longer kept: {fault}");
                    send(index, Event::Warning(Warning { message }));
                }
                if ended.attempt.is_none() {
                    if self.order.front() == Some(&index) {
                        self.order.pop_front();
                    }
                    send(index, Event::CaseFinished(ended.case));
                }
            }
            ToKeep::Stop => {}
        }
    }
}

/// How a run is kept.
#[derive(Clone)]
pub(crate) struct Keeping {
    /// The folder with the runs of the workspace.
    pub(crate) runs: Runs,
    /// The root of the workspace. Paths in the record are relative to it.
    pub(crate) root: PathBuf,
    /// The record without its suites.
    pub(crate) record: Box<RunRecord>,
    /// Removes secrets from all that is written.
    pub(crate) redact: Option<Redact>,
    /// The id of the interrupted run that this run continues.
    pub(crate) resume: Option<RunId>,
    /// Whether the texts have only some cases of their suites.
    pub(crate) is_part: bool,
}

impl std::fmt::Debug for Keeping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeping").field("runs", &self.runs).field("resume", &self.resume).finish_non_exhaustive()
    }
}

/// What an interrupted run had done, by the index of the case in the plan. A case whose text, prompts or hints have changed is not here.
#[derive(Default)]
pub(super) struct Earlier {
    /// The cases that had ended.
    pub(super) ended: HashMap<usize, CaseLine>,
    /// The attempts at the other cases.
    pub(super) begun: HashMap<usize, Vec<JudgedCase>>,
    /// Whether the run had stopped by itself, before all cases were asked.
    pub(super) had_stopped: bool,
}

/// Opens the folder of a run. If the run continues an interrupted one, returns what that has done.
pub(super) fn open(
    keeping: &Keeping,
    plan: &Plan,
    config: &Config,
    is_live: bool,
) -> Result<(OpenRun, Earlier), RunError> {
    let mut suites = suite_records(plan, config, &keeping.root);
    // The parts of a suite that several shards have are one suite when they are merged.
    let is_shard = keeping.record.shard.is_some();
    suites.iter_mut().for_each(|suite| suite.part = !is_shard && (suite.part || keeping.is_part));
    let redact = keeping.redact.clone();
    let Some(id) = &keeping.resume else {
        let started_at = clock::rfc3339(clock::now());
        let record = RunRecord { suites, started_at, ..RunRecord::clone(&keeping.record) };
        // A replay is quick to repeat, so it does not wait for the disk.
        return Ok((OpenRun::create(&keeping.runs, record, redact, is_live)?, Earlier::default()));
    };
    let kept = keeping.runs.open(id)?;
    let (mut run, lines) = OpenRun::resume(&keeping.runs, id, redact, is_live)?;
    let mut earlier = Earlier { had_stopped: kept.state() == RunState::Ended, ..Earlier::default() };
    let mut ended: HashMap<_, _> = lines.into_iter().map(|line| ((line.suite, line.index), line)).collect();
    let mut begun = kept.attempts()?;
    for (place, case) in plan.cases.iter().enumerate() {
        let now = &suites[case.suite];
        let Some(suite) = run.record().suites.iter().position(|then| then.path == now.path) else { continue };
        if record_of(now, case.index) != record_of(&run.record().suites[suite], case.index) {
            continue;
        }
        let at = (suite, case.index);
        if let Some(line) = ended.remove(&at) {
            earlier.ended.insert(place, line);
        } else if let Some(attempts) = begun.remove(&at) {
            earlier.begun.insert(place, attempts_of(&kept, &attempts, plan, case, config)?);
        }
    }
    run.go_on(suites, &keeping.record.target)?;
    Ok((run, earlier))
}

/// The record of the case with that index of a suite.
fn record_of(suite: &SuiteRecord, index: usize) -> Option<&CaseRecord> {
    let place = suite.cases.binary_search_by_key(&index, |case| case.index).ok()?;
    Some(&suite.cases[place])
}

/// The attempts at a case that the run `kept` has judged: their answers are judged again. None if an answer is one to other prompts,
/// because the case was edited and then interrupted again.
///
/// # Errors
/// If an answer cannot be read. Without it, its verdict would be lost.
fn attempts_of(
    kept: &KeptRun,
    attempts: &[CaseLine],
    plan: &Plan,
    case: &PlannedCase,
    config: &Config,
) -> Result<Vec<JudgedCase>, RunError> {
    let judged = |line: &CaseLine| {
        let answer = kept.answer(line)?.ok_or_else(|| line.result.reason.clone().unwrap_or_default().into());
        let mut judged = judge_answer(&plan.suite_of(case).text, case, answer, config, None, None);
        judged.result.duration_ms = line.result.duration_ms;
        Ok(judged)
    };
    let attempts: Vec<JudgedCase> = attempts.iter().map(judged).collect::<Result<_, RunError>>()?;
    Ok(if attempts.iter().any(|attempt| attempt.result.stale) { Vec::new() } else { attempts })
}

/// The suites of a plan as a record has them.
pub(crate) fn suite_records(plan: &Plan, config: &Config, root: &Path) -> Vec<SuiteRecord> {
    let mut records: Vec<SuiteRecord> = plan
        .suites
        .iter()
        .map(|suite| SuiteRecord {
            path: path_in(root, &suite.path),
            given: suite.shown_path(),
            hash: hash_of(suite.text.as_str()),
            part: false,
            cases: Vec::new(),
        })
        .collect();
    let cases: Vec<_> = plan.cases.par_iter().map(|case| case_record(plan, case, config)).collect();
    for (case, record) in plan.cases.iter().zip(cases) {
        records[case.suite].cases.push(record);
    }
    for (suite, record) in plan.suites.iter().zip(&mut records) {
        record.part = record.cases.len() < suite.suite.cases.len();
    }
    records
}

fn case_record(plan: &Plan, case: &PlannedCase, config: &Config) -> CaseRecord {
    let Span { start, end } = case.placed.span();
    let text = plan.suite_of(case).text.as_str();
    CaseRecord {
        index: case.index,
        id: case.id().unwrap_or_default().to_owned(),
        hashes: CaseHashes::of(&case.placed.case, text.get(start..end).unwrap_or_default(), config),
    }
}

/// The path relative to `root` with `/`; absolute if it is not below `root`.
fn path_in(root: &Path, path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    files::below(&absolute, root).unwrap_or_else(|| absolute.display().to_string())
}
