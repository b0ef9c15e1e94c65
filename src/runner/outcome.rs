//! A run as its events describe it, and what it leaves behind. A thread keeps each case that ended, and only then lets its event go on. Reports are made from it.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::config::Config;
use crate::events::{
    CaseFinished, CaseRef, Event, Grade, Policy, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteNotRun,
    SuiteStarted, Warning, average_score,
};
use crate::runs::{
    CaseHashes, CaseLine, CaseRecord, EndedCase, KeptRun, OpenRun, Redact, RunError, RunId, RunRecord, RunState, Runs,
    SuiteRecord, TargetRecord, hash_of,
};
use crate::text::Span;
use crate::transcript::Origin;
use crate::verdict::{AnswerSummary, CaseResult, Status};
use crate::{clock, files};

use super::Plan;
use super::case::{JudgedAttempt, guarded, judge_answer};
use super::run::PlannedCase;

/// A run: its first and its last event, its suites and its cases. The runs of several workspaces can be one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    suites: Vec<SuiteStarted>,
    /// The cases in the order in which they finished.
    cases: Vec<CaseFinished>,
    /// The indexes in `cases` by suite.
    of_suite: HashMap<String, Vec<usize>>,
    not_run: Vec<SuiteNotRun>,
}

impl Run {
    /// Notes that the answers are of several versions of the program.
    pub(crate) fn set_mixed(&mut self) {
        if let Some(program) = self.started.as_mut().and_then(|started| started.program.as_mut()) {
            program.push_str(TargetRecord::MIXED);
        }
    }

    /// Adds the next event.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.suites.extend(started.suites.iter().cloned());
                self.started.get_or_insert_with(|| started.clone());
            }
            Event::RunFinished(finished) => self.finish(finished),
            Event::CaseFinished(case) => {
                self.of_suite.entry(case.case.suite.clone()).or_default().push(self.cases.len());
                self.cases.push(CaseFinished { answer: None, ..(**case).clone() });
            }
            Event::SuiteNotRun(suite) => self.not_run.push(suite.clone()),
            Event::CaseStarted(_) | Event::CaseProgress(_) | Event::InterruptedRun(_) | Event::Warning(_) => {}
        }
    }

    fn finish(&mut self, last: &RunFinished) {
        let Some(all) = &mut self.finished else {
            self.finished = Some(last.clone());
            return;
        };
        all.cancelled |= last.cancelled;
        all.duration_ms += last.duration_ms;
        all.not_run += last.not_run;
        all.failures += last.failures;
        all.errors += last.errors;
        all.skipped.extend(last.skipped.iter().cloned());
        all.suites.extend(last.suites.iter().cloned());
        all.summary = RunSummary::of(self.cases.iter().map(|case| &*case.result));
    }

    /// What its answers took, as a line.
    pub(crate) fn took(&self) -> Option<String> {
        self.finished.as_ref()?.summary.answers.as_ref().map(AnswerSummary::line)
    }

    /// The last event of a run with these cases. `skipped` are the cases without a result.
    pub(super) fn end(&self, duration_ms: u64, cancelled: bool, skipped: Vec<CaseRef>) -> RunFinished {
        let suite = |suite: &SuiteStarted| SuiteFinished {
            suite: suite.suite.clone(),
            not_run: self.unfinished(suite),
            summary: RunSummary::of(self.results_of(&suite.suite)),
        };
        let (failures, errors) = self.policy().count(self.results());
        RunFinished {
            cancelled,
            failures,
            skipped,
            errors: errors + usize::from(cancelled),
            duration_ms,
            not_run: self.suites.iter().map(|suite| self.unfinished(suite)).sum(),
            summary: RunSummary::of(self.results()),
            suites: self.suites.iter().map(suite).collect(),
        }
    }

    /// The first event, if it has been emitted.
    pub(crate) fn started(&self) -> Option<&RunStarted> {
        self.started.as_ref()
    }

    /// The last event, if it has been emitted.
    pub(crate) fn finished(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// Which results make the run fail.
    pub(crate) fn policy(&self) -> Policy {
        self.started.as_ref().map(|started| started.policy).unwrap_or_default()
    }

    /// The suites of all runs.
    pub(crate) fn suites(&self) -> &[SuiteStarted] {
        &self.suites
    }

    /// The number of cases of a suite that have no result.
    pub(crate) fn unfinished(&self, suite: &SuiteStarted) -> usize {
        // Two inputs may have one path in events, such as a file and standard input in its name.
        suite.total.saturating_sub(self.of_suite.get(&suite.suite).map_or(0, Vec::len))
    }

    /// The cases of a suite that have no result.
    pub(crate) fn skipped_of(&self, suite: &str) -> Vec<&CaseRef> {
        let skipped = self.finished.iter().flat_map(|finished| &finished.skipped);
        skipped.filter(|case| case.suite == suite).collect()
    }

    /// The mean soft score of the cases that ask for one.
    pub(crate) fn average_score(&self) -> Option<String> {
        average_score(self.results())
    }

    /// The suites that cannot be run.
    pub(crate) fn not_run(&self) -> &[SuiteNotRun] {
        &self.not_run
    }

    /// The finished cases of a suite in the suite's order. `suite` is its path in events.
    pub(crate) fn cases_of(&self, suite: &str) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.of_suite.get(suite).into_iter().flatten().map(|at| &self.cases[*at]).collect();
        cases.sort_by_key(|case| case.case.index);
        cases
    }

    /// All finished cases, suite by suite and in the order of each.
    pub(crate) fn cases(&self) -> Vec<&CaseFinished> {
        self.suites.iter().flat_map(|suite| self.cases_of(&suite.suite)).collect()
    }

    /// All results, in the order in which the cases finished.
    pub(crate) fn results(&self) -> impl Iterator<Item = &CaseResult> + Clone {
        self.cases.iter().map(|case| &*case.result)
    }

    fn results_of(&self, suite: &str) -> impl Iterator<Item = &CaseResult> + Clone {
        self.of_suite.get(suite).into_iter().flatten().map(|at| &*self.cases[*at].result)
    }

    /// The cases that did not pass, or that make the run fail although they did: flaky ones.
    pub(crate) fn open(&self) -> impl Iterator<Item = &CaseFinished> {
        let policy = self.policy();
        let is_open =
            move |case: &&CaseFinished| case.status != Status::Pass || policy.grade(&case.result) != Grade::Passed;
        self.cases().into_iter().filter(is_open)
    }

    /// The cases that did not pass: first `FAIL`, then `ERROR`, then `PARTIAL`.
    pub(crate) fn not_passed(&self) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.cases().into_iter().filter(|case| case.status != Status::Pass).collect();
        cases.sort_by_key(|case| case.status.place());
        cases
    }
}

/// What a run leaves behind. Call [`finish`](Self::finish) after writing the result files.
#[derive(Debug)]
#[must_use = "write the result files, then finish the run"]
pub(crate) struct Outcome {
    /// The run, with its last event.
    pub(crate) run: Run,
    /// The source of the answers.
    pub(crate) origin: Origin,
    /// The folder of the result files; `None` if there are none.
    pub(crate) results: Option<PathBuf>,
    /// The run in its folder, if it is kept.
    pub(crate) kept: Option<OpenRun>,
    /// Whether the target was given secrets, which may be in its answers in a form that is not found.
    pub(crate) has_secrets: bool,
}

impl Outcome {
    /// Writes the end of the run into its folder. Without this call the run counts as interrupted. Returns the run if it is
    /// kept.
    ///
    /// # Errors
    /// If the end cannot be written.
    pub(crate) fn finish(self) -> Result<Option<OpenRun>, RunError> {
        let (Some(mut kept), Some(finished)) = (self.kept, self.run.finished) else { return Ok(None) };
        kept.finish(&finished)?;
        Ok(Some(kept))
    }
}

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
    pub(super) begun: HashMap<usize, Vec<JudgedAttempt>>,
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
    suites.iter_mut().for_each(|suite| suite.part |= keeping.is_part);
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
    run.go_on(suites)?;
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
) -> Result<Vec<JudgedAttempt>, RunError> {
    let judged = |line: &CaseLine| {
        let answer = kept.answer(line)?.ok_or_else(|| line.result.reason.clone().unwrap_or_default().into());
        let mut judged = judge_answer(&plan.suite_of(case).text, case, answer, config, None, None);
        judged.result.duration_ms = line.result.duration_ms;
        Ok(judged)
    };
    let attempts: Vec<JudgedAttempt> = attempts.iter().map(judged).collect::<Result<_, RunError>>()?;
    Ok(if attempts.iter().any(|attempt| attempt.result.stale) { Vec::new() } else { attempts })
}

/// The suites of a plan as a record has them.
pub(super) fn suite_records(plan: &Plan, config: &Config, root: &Path) -> Vec<SuiteRecord> {
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
