//! A run: its options, its jobs, which run one case after the other until none is left, and what the jobs share.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::config::{Config, HumanDuration};
use crate::diagnostic::quoted;
use crate::events::{CaseFinished, Event, Policy, Warning};
use crate::runs::{CaseLine, OpenRun, RunError};
use crate::targets::{Cancel, Context, Deadline, Progress, Target, TargetError};
use crate::transcript::{Store, Transcript};
use crate::verdict::{CaseResult, Quarantine, RepeatRule};
use crate::{clock, files};

use super::case::{JudgedCase, NoAnswer, PATIENCE};
use super::case_run::{CaseRun, Enough};
use super::keeper::{self, CaseEvent, Earlier, Keeper, ToKeep, suite_records};
use super::merge::{interrupted_run, run_finished, run_started};
use super::{Keeping, Plan, RunResult, Since, SuiteResult, plan};

/// Runs the cases of `plan` with `target` and passes each event to `emit` as it happens. An error in a case becomes the
/// result of that case. Prints nothing and writes no report.
///
/// `cancel` stops the running cases, which end in `ERROR`, and starts no other case. Dropping the future stops everything
/// and leaves the run in its folder as interrupted.
///
/// # Errors
/// If the folder of the run cannot be created or opened. No case has been run then.
pub(crate) async fn run(
    plan: Plan,
    target: Arc<dyn Target>,
    config: Arc<Config>,
    mut options: Options,
    cancel: &Cancel,
    mut emit: impl FnMut(&Event),
) -> Result<RunResult, RunError> {
    let (clock, now) = (Instant::now(), clock::now());
    let transcripts = plan.suites.iter().filter(|_| options.record).map(|suite| Store::new(&suite.path, &config));
    for folder in transcripts.map(|store| store.folder().to_owned()).chain(options.results.clone()) {
        files::remove_drafts(&folder, now.into());
    }
    let interrupted = options
        .kept
        .as_ref()
        .filter(|kept| kept.resume.is_none())
        .map(|kept| interrupted_run(&plan, &kept.runs, || suite_records(&plan, &config, &kept.root)));
    let (kept, earlier) = match &options.kept {
        None => (None, Earlier::default()),
        Some(keeping) => {
            let (run, earlier) = keeper::open(keeping, &plan, &config, target.is_live())?;
            (Some(run), earlier)
        }
    };
    let started_at = kept.as_ref().map_or_else(|| rfc3339(now), |run| run.record().started_at.clone());
    let fewer = target.most_jobs().filter(|(most, _)| *most < options.jobs);
    if let Some((most, _)) = fewer {
        options.jobs = most;
    }
    let folder = kept.as_ref().map(OpenRun::folder);
    let started = run_started(&plan, &*target, &config, &options, &started_at, folder);
    let program = started.program.clone();
    emit(&Event::RunStarted(started));
    if let Some((most, why)) = fewer {
        let cases =
            if most.get() == 1 { "one case at a time is".to_owned() } else { format!("{most} cases at a time are") };
        let message = format!("{cases} run with the target {}, because {why}", quoted(target.name()));
        emit(&Event::Warning(Warning { message }));
    }
    for message in plan::precondition_notices(&plan, &*target, &config) {
        emit(&Event::Warning(Warning { message }));
    }
    for event in interrupted.into_iter().flatten() {
        emit(&event);
    }
    let enough = Enough::new(options.max_failures);
    let mut results: Vec<Option<Arc<CaseResult>>> = vec![None; plan.len()];
    for (index, event) in resumed(&plan, earlier.ended) {
        // A run that had stopped by itself is continued to get the rest of it.
        if target.is_live() && !earlier.had_stopped {
            enough.note(&event.result, options.policy);
        }
        results[index] = Some(Arc::clone(&event.result));
        emit(&Event::CaseFinished(Box::new(event)));
    }

    // A shard may have no case.
    let unusable = match results.iter().any(Option::is_none) {
        true => {
            let unusable = set_up(&*target, &options, cancel).await.err().map(NoAnswer::from);
            unusable.map(|why| why.without_secrets(&*target))
        }
        false => None,
    };
    let shared = Arc::new(Shared {
        todo: (0..plan.len()).filter(|index| results[*index].is_none()).collect(),
        plan,
        target,
        config,
        options,
        cancel: cancel.clone(),
        next: AtomicUsize::new(0),
        begun: Mutex::new(earlier.begun),
        enough,
        named: Mutex::default(),
        unusable,
    });
    let forward = |index: usize, event: Event| {
        if let Event::CaseFinished(finished) = &event {
            results[index] = Some(Arc::clone(&finished.result));
        }
        emit(&event);
    };
    let kept = run_jobs(&shared, kept, forward).await;
    let left = shared.plan.len() - results.iter().flatten().count();
    if let Some(why) = shared.enough.why().filter(|_| left > 0) {
        let message = format!(
            "{why}, so {} not run",
            if left == 1 { "1 case is".to_owned() } else { format!("{left} cases are") }
        );
        emit(&Event::Warning(Warning { message }));
    }
    // A target that does not stop in time is given up.
    let _ = tokio::time::timeout(PATIENCE, shared.target.tear_down()).await;

    let result = RunResult { program, ..result(shared, results, kept, started_at, clock.elapsed()) };
    emit(&Event::RunFinished(run_finished(&result)));
    Ok(result)
}

/// The events of the cases that had ended before the run was interrupted, in the order of the plan.
fn resumed(plan: &Plan, mut ended: HashMap<usize, CaseLine>) -> Vec<(usize, CaseFinished)> {
    let event = |(index, case)| {
        let line = ended.remove(&index)?;
        let finished = CaseFinished {
            case: plan.case_ref(case),
            status: line.status,
            cancelled: false,
            resumed: true,
            duration_ms: line.duration_ms,
            transcript: line.transcript,
            not_stored: None,
            answer: None,
            result: line.result,
        };
        Some((index, finished))
    };
    plan.cases.iter().enumerate().filter_map(event).collect()
}

async fn set_up(target: &dyn Target, options: &Options, cancel: &Cancel) -> Result<(), TargetError> {
    let deadline = Deadline::start(options.timeout, cancel);
    let context = Context { deadline, progress: Progress::ignored() };
    let overdue = async {
        let stop = context.deadline.reached().await;
        tokio::time::sleep(PATIENCE).await;
        stop
    };
    tokio::select! {
        ready = target.set_up(&context) => ready,
        stop = overdue => Err(stop.into()),
    }
}

/// Runs the jobs and forwards their events, each with the index of its case in the plan. Returns the kept run.
async fn run_jobs(
    shared: &Arc<Shared>,
    kept: Option<OpenRun>,
    mut forward: impl FnMut(usize, Event),
) -> Option<OpenRun> {
    let is_live = shared.target.is_live();
    let count = if is_live { shared.options.jobs } else { shared.options.replay_jobs.unwrap_or_else(cores) };
    let (forward_to, mut receiver) = unbounded_channel();
    let (to_keep, arriving) = unbounded_channel();
    // Stored answers are there at once, so their events can have the order of the plan.
    let order = shared.todo.iter().copied().filter(|_| !is_live).collect();
    let keeper = Keeper { run: kept, order, forward: forward_to };
    let mut keeper = tokio::task::spawn_blocking(move || keeper.keep(arriving));
    let mut jobs = JoinSet::new();
    let events = Events::new(to_keep.clone(), count.get());
    for job in 0..count.get().min(shared.todo.len()) {
        let work = work(Arc::clone(shared), job, events.clone());
        if is_live {
            jobs.spawn(work);
        } else {
            // It reads files and judges, and waits for nothing else.
            jobs.spawn_blocking(move || Handle::current().block_on(work));
        }
    }
    drop(events);
    let mut forward = |(index, event): (usize, Event)| forward(index, event);
    // Waits for the jobs and not for the channel: a target may still hold a sender.
    loop {
        tokio::select! {
            biased;
            Some(event) = receiver.recv() => forward(event),
            joined = jobs.join_next() => if joined.is_none() { break },
        }
    }
    let _ = to_keep.send(ToKeep::Stop);
    let kept = loop {
        tokio::select! {
            biased;
            Some(event) = receiver.recv() => forward(event),
            run = &mut keeper => break run.ok().flatten(),
        }
    };
    while let Ok(event) = receiver.try_recv() {
        forward(event);
    }
    kept
}

fn cores() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn result(
    shared: Arc<Shared>,
    results: Vec<Option<Arc<CaseResult>>>,
    kept: Option<OpenRun>,
    started_at: String,
    duration: Duration,
) -> RunResult {
    let shared = Arc::into_inner(shared).expect("only the jobs shared it, and they are done");
    let cases = shared.plan.cases.iter().zip(&results);
    let skipped = cases.filter(|(_, result)| result.is_none()).map(|(case, _)| shared.plan.case_ref(case)).collect();
    let suites = shared.plan.suites.into_iter();
    let mut suites: Vec<SuiteResult> =
        suites.map(|suite| SuiteResult { path: suite.path, cases: Vec::new(), not_run: 0 }).collect();
    for (case, result) in shared.plan.cases.iter().zip(results) {
        let suite = &mut suites[case.suite];
        match result {
            Some(result) => suite.cases.push(result),
            None => suite.not_run += 1,
        }
    }
    RunResult {
        target: shared.target.name().to_owned(),
        live: shared.target.is_live(),
        program: None,
        origin: shared.target.origin(),
        started_at,
        duration_ms: millis(duration),
        cancelled: shared.cancel.is_cancelled(),
        policy: shared.options.policy,
        suites,
        results: shared.options.results,
        skipped,
        kept,
        has_secrets: shared.target.is_private(),
    }
}

/// A time in whole seconds of UTC.
pub(super) fn rfc3339(at: OffsetDateTime) -> String {
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).expect("the current year is between 0 and 9999")
}

/// Runs cases until none is left or the run is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, events: Events) {
    let mut session = None;
    loop {
        let permit = events.permit().await;
        let may_start = !shared.cancel.is_cancelled() && shared.enough.why().is_none();
        let next = || shared.todo.get(shared.next.fetch_add(1, Ordering::Relaxed)).copied();
        let Some(index) = may_start.then(next).flatten() else { break };
        CaseRun { shared: &shared, job, session: &mut session, index, events: &events }.run(permit).await;
    }
    if let Some(session) = session {
        // A session that does not close in time is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}

/// The state that the jobs of a run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) cancel: Cancel,
    /// The attempts at cases that had begun before the run was interrupted, by the index of the case.
    pub(super) begun: Mutex<HashMap<usize, Vec<JudgedCase>>>,
    /// The indexes of the cases to run.
    pub(super) todo: Vec<usize>,
    /// The place in `todo` that is taken next.
    pub(super) next: AtomicUsize,
    /// Decides when no further case is started.
    pub(super) enough: Enough,
    /// The unknown keys of answers that a warning has named.
    pub(super) named: Mutex<BTreeSet<String>>,
    /// Why no case can be run, if the target could not be set up.
    pub(super) unusable: Option<NoAnswer>,
}

impl Shared {
    /// The warnings about keys of these answers that no warning has named.
    pub(super) fn unknown_keys<'a>(&self, answers: impl Iterator<Item = &'a Transcript>) -> Vec<String> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = answers.filter(|_| self.target.is_live()).flat_map(|answer| answer.extra.keys());
        let new = keys.filter(|key| named.len() < MOST_NAMED && named.insert((*key).clone()));
        new.map(|key| {
            let (key, target) = (quoted(key), quoted(self.target.name()));
            format!("answers of {target} have the key {key}, which no check reads; transcripts keep it under `extra`")
        })
        .collect()
    }
}

/// The most unknown keys that warnings name. More are values used as keys.
const MOST_NAMED: usize = 20;

/// How many cases may run or wait for the disk, if there are not more jobs. A disk that stalls must not fill the memory.
const WAITING: usize = 64;

/// Where the jobs send their events: to the thread that keeps the run.
#[derive(Clone)]
pub(super) struct Events {
    sender: UnboundedSender<ToKeep>,
    waiting: Arc<Semaphore>,
}

impl Events {
    /// For that number of jobs.
    pub(super) fn new(sender: UnboundedSender<ToKeep>, jobs: usize) -> Events {
        Events { sender, waiting: Arc::new(Semaphore::new(WAITING.max(2 * jobs))) }
    }

    /// Waits until a case may start.
    pub(super) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.waiting).acquire_owned().await.ok()
    }

    /// Sends an event of the case with that index.
    pub(super) fn send(&self, index: usize, event: Event) {
        self.send_with(CaseEvent { index, event, ended: None });
    }

    /// Sends an event with what the case left behind. The receiver is gone only if the run itself is.
    pub(super) fn send_with(&self, event: CaseEvent) {
        let _ = self.sender.send(ToKeep::Event(Box::new(event)));
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// How often a case passed in a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaselineCounts {
    /// The attempts that did not fail.
    pub(crate) passed: usize,
    /// All attempts.
    pub(crate) attempts: usize,
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The number of cases that run at once.
    pub(crate) jobs: NonZeroUsize,
    /// The number of threads that judge stored answers; `None` means one for each core. The events have the order that one
    /// thread gives them.
    pub(crate) replay_jobs: Option<NonZeroUsize>,
    /// The time limit of one case, setup prompts included.
    pub(crate) timeout: HumanDuration,
    /// How often a case of a live target that gave no answer is asked again.
    pub(crate) retry_errors: usize,
    /// How often cases of a live target run, by their index in the plan; the others run once.
    pub(crate) repeats: HashMap<usize, RepeatRule>,
    /// The quarantine of cases whose rule counts for a while, by their index in the plan.
    pub(crate) quarantine: HashMap<usize, Quarantine>,
    /// How often cases passed in the baseline, by their index in the plan; those that it does not have are absent.
    pub(crate) baseline: HashMap<usize, BaselineCounts>,
    /// After how many cases that did not pass no further case of a live target is started.
    pub(crate) max_failures: Option<NonZeroUsize>,
    /// What has happened to the targets of stored answers since.
    pub(crate) since: Since,
    /// Whether to store the answers of a live target as transcripts.
    pub(crate) record: bool,
    /// Whether each `case-finished` event contains the answer.
    pub(crate) hand_over: bool,
    /// Which results make the run fail.
    pub(crate) policy: Policy,
    /// The folder of the result files. `None` means that there are none.
    pub(crate) results: Option<PathBuf>,
    /// How the run is kept. `None` means that it is not kept.
    pub(crate) kept: Option<Keeping>,
}

impl Options {
    /// The configuration's settings for runs with the target called `target`.
    pub(crate) fn new(config: &Config, target: &str) -> Self {
        Self {
            jobs: config.run.jobs,
            replay_jobs: None,
            timeout: config.targets.get(target).map_or(config.run.timeout, |target| config.timeout(target)),
            retry_errors: config.run.retry_errors,
            repeats: HashMap::new(),
            quarantine: HashMap::new(),
            baseline: HashMap::new(),
            max_failures: None,
            since: Since::default(),
            record: false,
            hand_over: false,
            policy: Policy { strict: false, stale: config.run.stale, flaky: config.run.flaky },
            results: None,
            kept: None,
        }
    }
}
