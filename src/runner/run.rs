//! A run: its cases, its options, its jobs, which run one case after the other until none is left, and what the jobs share.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::config::{Config, HumanDuration, TargetKind, plain_address};
use crate::diagnostic::quoted;
use crate::events::{CaseFinished, CaseRef, Event, InterruptedRun, Policy, RunStarted, SuiteStarted, Warning};
use crate::filed::misfiled;
use crate::runs::{CaseLine, EndedCase, OpenRun, RunError, RunState, Runs, SuiteRecord, TargetRecord};
use crate::suite::{List, PlacedCase, Suite};
use crate::targets::{Cancel, Context, Deadline, Progress, Target, TargetError};
use crate::text::{Span, Text};
use crate::transcript::{Store, Transcript};
use crate::verdict::{RepeatRule, Versions};
use crate::{clock, files, syntax};

use super::case::{CaseRun, Enough, JudgedAttempt, NoAnswer, PATIENCE};
use super::outcome::{self, Earlier, Keeper, ToKeep, suite_records};
use super::{Keeping, Outcome, Run, Since};

/// Runs the cases of `plan` with `target` and passes each event to `on_event` as it happens. An error in a case becomes the
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
    mut on_event: impl FnMut(&Event),
) -> Result<Outcome, RunError> {
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
            let (run, earlier) = outcome::open(keeping, &plan, &config, target.is_live())?;
            (Some(run), earlier)
        }
    };
    let started_at = kept.as_ref().map_or_else(|| clock::rfc3339(now), |run| run.record().started_at.clone());
    let fewer = target.most_jobs().filter(|(most, _)| *most < options.jobs);
    if let Some((most, _)) = fewer {
        options.jobs = most;
    }
    let earlier_ms = kept.as_ref().and_then(|run| run.record().duration_ms).unwrap_or_default();
    let started = run_started(&plan, &*target, &config, &options, &started_at, kept.as_ref());
    let mut run = Run::default();
    let mut emit = |event: Event| {
        run.take(&event);
        on_event(&event);
    };
    emit(Event::RunStarted(started));
    if let Some((most, why)) = fewer {
        let cases =
            if most.get() == 1 { "one case at a time is".to_owned() } else { format!("{most} cases at a time are") };
        let message = format!("{cases} run with the target {}, because {why}", quoted(target.name()));
        emit(Event::Warning(Warning { message }));
    }
    for message in precondition_notices(&plan, &*target, &config) {
        emit(Event::Warning(Warning { message }));
    }
    for event in interrupted.into_iter().flatten() {
        emit(event);
    }
    let enough = Enough::new(options.max_failures, earlier.had_stopped);
    let mut has_ended = vec![false; plan.len()];
    for (index, event) in resumed(&plan, earlier.ended) {
        // A run that had stopped by itself is continued to get the rest of it.
        if target.is_live() && !earlier.had_stopped {
            enough.note(&event.result, options.policy);
        }
        has_ended[index] = true;
        emit(Event::CaseFinished(Box::new(event)));
    }

    let unusable = match has_ended.contains(&false) {
        true => {
            let unusable = set_up(&*target, &options, cancel).await.err().map(NoAnswer::from);
            unusable.map(|why| why.without_secrets(&*target))
        }
        false => None,
    };
    let shared = Arc::new(Shared {
        todo: (0..plan.len()).filter(|index| !has_ended[*index]).collect(),
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
        has_ended[index] |= matches!(event, Event::CaseFinished(_));
        emit(event);
    };
    let kept = run_jobs(&shared, kept, forward).await;
    let skipped: Vec<&PlannedCase> =
        shared.plan.cases.iter().zip(&has_ended).filter(|(_, has_ended)| !**has_ended).map(|(case, _)| case).collect();
    let left = skipped.len();
    if let Some(why) = shared.enough.why().filter(|_| left > 0) {
        let message = format!(
            "{why}, so {} not run",
            if left == 1 { "1 case is".to_owned() } else { format!("{left} cases are") }
        );
        emit(Event::Warning(Warning { message }));
    }
    // A target that does not stop in time is given up.
    let _ = tokio::time::timeout(PATIENCE, shared.target.tear_down()).await;

    let skipped = skipped.into_iter().map(|case| shared.plan.case_ref(case)).collect();
    let last = run.end(earlier_ms.saturating_add(millis(clock.elapsed())), cancel.is_cancelled(), skipped);
    let last = Event::RunFinished(last);
    run.take(&last);
    on_event(&last);
    let (origin, has_secrets) = (shared.target.origin(), shared.target.is_private());
    Ok(Outcome { run, origin, results: shared.options.results.clone(), kept, has_secrets })
}

/// The events of the cases that had ended before the run was interrupted, in the order of the plan.
fn resumed(plan: &Plan, mut ended: HashMap<usize, CaseLine>) -> Vec<(usize, CaseFinished)> {
    let event = |(index, case): (usize, &PlannedCase)| {
        let finished = ended.remove(&index)?.event(plan.suite_of(case).shown_path(), true);
        // Another case may have been edited since, so this one stands elsewhere.
        Some((index, CaseFinished { case: plan.case_ref(case), ..finished }))
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

fn run_started(
    plan: &Plan,
    target: &dyn Target,
    config: &Config,
    options: &Options,
    started_at: &str,
    kept: Option<&OpenRun>,
) -> RunStarted {
    // A run that was resumed may be of several versions of its program.
    let mixed = kept.map(|run| &run.record().target).filter(|target| target.mixed);
    let program = mixed.map_or_else(|| program(config, target.name()), TargetRecord::program);
    let suites = plan.suites.iter().enumerate();
    let suites = suites.map(|(index, suite)| SuiteStarted {
        suite: suite.shown_path(),
        total: plan.cases.iter().filter(|case| case.suite == index).count(),
    });
    RunStarted {
        format: RunStarted::FORMAT.to_owned(),
        versions: Versions::current(),
        started_at: started_at.to_owned(),
        target: target.name().to_owned(),
        live: target.is_live(),
        program: program.map(|program| target.secrets().redact(program)),
        jobs: options.jobs.get(),
        timeout_ms: millis(options.timeout.get()),
        record: options.record && target.is_live(),
        policy: options.policy,
        run: kept.map(|run| run.folder().display().to_string()),
        total: plan.len(),
        suites: suites.collect(),
    }
}

/// The program of a target with its arguments, or the address of its app without what may be secret.
fn program(config: &Config, target: &str) -> Option<String> {
    match &config.targets.get(target)?.kind {
        TargetKind::Replay => None,
        TargetKind::Command(command) => Some(command.command.join(" ")),
        TargetKind::Browser(browser) => Some(plain_address(&browser.url)).filter(|address| !address.is_empty()),
    }
}

/// The events about the last run if it was interrupted, one for each of its suites that this run has too.
pub(super) fn interrupted_run(plan: &Plan, runs: &Runs, suites: impl FnOnce() -> Vec<SuiteRecord>) -> Vec<Event> {
    let last = runs.latest().filter(|last| last.state() == RunState::Interrupted);
    let Some((last, lines)) = last.and_then(|last| last.lines().ok().map(|lines| (last, lines))) else {
        return Vec::new();
    };
    let suites = suites();
    let event = |(index, suite): (usize, &SuiteRecord)| {
        let place = suites.iter().position(|now| now.path == suite.path)?;
        let finished = lines.iter().filter(|line| line.suite == index).count();
        (finished > 0).then(|| {
            Event::InterruptedRun(InterruptedRun {
                suite: plan.suites[place].shown_path(),
                started_at: Some(last.record().started_at.clone()),
                finished,
                results: last.folder().join("cases.jsonl").display().to_string(),
                run: last.id().to_string(),
            })
        })
    };
    last.record().suites.iter().enumerate().filter_map(event).collect()
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
    pub(super) begun: Mutex<HashMap<usize, Vec<JudgedAttempt>>>,
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
        let target = quoted(self.target.name());
        let new = keys.map(|key| quoted(key)).filter(|key| named.len() < MOST_NAMED && named.insert(key.clone()));
        new.map(|key| {
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

    /// Sends an event of the case with that index. The receiver is gone only if the run itself is.
    pub(super) fn send(&self, index: usize, event: Event) {
        let _ = self.sender.send(ToKeep::Event(index, event));
    }

    /// Sends what the case with that index, or an attempt at it, left behind.
    pub(super) fn keep(&self, index: usize, ended: EndedCase, permit: Option<OwnedSemaphorePermit>) {
        let _ = self.sender.send(ToKeep::Ended(index, ended, permit));
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
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

/// A suite that can be run.
#[derive(Clone, Debug)]
pub(crate) struct SuiteInput {
    /// The file. The file on disk may have another text. Results and transcripts are beside it.
    pub(crate) path: PathBuf,
    /// The text.
    pub(crate) text: Text,
    /// The suite in the text.
    pub(crate) suite: Suite,
    /// Why the cases with errors are not asked, by their index.
    pub(crate) faults: BTreeMap<usize, String>,
    /// [`misfiled`], once a case has no stored answer.
    pub(crate) misfiled: OnceLock<HashMap<String, String>>,
}

/// The cases to run, in the order of the suites and of their cases.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) suites: Vec<SuiteInput>,
    pub(super) cases: Vec<PlannedCase>,
}

/// A case to run.
#[derive(Clone, Debug)]
pub(super) struct PlannedCase {
    /// The suite's index in the plan.
    pub(super) suite: usize,
    /// The index in the suite.
    pub(super) index: usize,
    pub(super) placed: PlacedCase,
}

/// Why no plan could be made: no case of the suites is selected, or they have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no case to run")]
pub(crate) struct NoCases;

impl SuiteInput {
    /// The suite at `path` with this text. Parts of the text that are not valid are ignored.
    pub(crate) fn parse(path: impl Into<PathBuf>, text: Text) -> Self {
        let parsed = syntax::parse(text.as_str());
        let suite = parsed.tree.root(text.as_str()).map_or_else(Suite::default, Suite::lower);
        Self { path: path.into(), suite, text, faults: BTreeMap::new(), misfiled: OnceLock::new() }
    }

    /// The path in messages and events.
    pub(super) fn shown_path(&self) -> String {
        self.path.display().to_string()
    }

    /// The reason, with the place of an answer to the prompts of the case if it is stored for no case.
    pub(super) fn explained(&self, why: NoAnswer, case: &PlannedCase, config: &Config) -> NoAnswer {
        let known = why.is_missing.then(|| self.misfiled.get_or_init(|| misfiled(&self.path, config)));
        let found = known.and_then(|known| known.get(case.id()?).cloned());
        NoAnswer { reason: found.unwrap_or(why.reason), ..why }
    }
}

impl Plan {
    /// The cases of these suites for which `is_selected` is true of the suite's index and the case's index in its suite.
    ///
    /// # Errors
    /// If there is no case to run.
    pub(crate) fn select(suites: Vec<SuiteInput>, is_selected: impl Fn(usize, usize) -> bool) -> Result<Plan, NoCases> {
        let mut cases: Vec<PlannedCase> = Vec::new();
        for (suite, input) in suites.iter().enumerate() {
            let placed = input.suite.cases.iter().cloned().enumerate().filter(|(index, _)| is_selected(suite, *index));
            cases.extend(placed.map(|(index, placed)| PlannedCase { suite, index, placed }));
        }
        if cases.is_empty() { Err(NoCases) } else { Ok(Plan { suites, cases }) }
    }

    /// The number of cases to run.
    pub(crate) fn len(&self) -> usize {
        self.cases.len()
    }

    /// The cases to run, each with its suite.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&SuiteInput, &PlacedCase)> {
        self.cases.iter().map(|case| (self.suite_of(case), &case.placed))
    }

    /// The case with that index, and its suite.
    pub(crate) fn case(&self, index: usize) -> Option<(&SuiteInput, &PlacedCase)> {
        self.cases.get(index).map(|case| (self.suite_of(case), &case.placed))
    }

    /// The suites, in the order in which they were given.
    pub(crate) fn suites(&self) -> &[SuiteInput] {
        &self.suites
    }

    /// The id and the category of each case, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.cases.iter().map(|case| {
            let category = case.placed.case.category.as_ref().map_or("general", |category| &category.value);
            (case.id().unwrap_or_default(), category)
        })
    }

    pub(super) fn suite_of(&self, case: &PlannedCase) -> &SuiteInput {
        &self.suites[case.suite]
    }

    /// The case's name in events.
    pub(super) fn case_ref(&self, case: &PlannedCase) -> CaseRef {
        let suite = self.suite_of(case);
        let placed = &case.placed;
        let start = Span::new(placed.start, placed.start + 1);
        let span = placed.case.id.as_ref().map_or(start, |id| placed.absolute(id.span));
        CaseRef {
            suite: suite.shown_path(),
            case: case.id().unwrap_or_default().to_owned(),
            index: case.index,
            range: suite.text.line_range(span),
        }
    }
}

impl PlannedCase {
    pub(super) fn id(&self) -> Option<&str> {
        self.placed.case.id.as_ref().map(|id| id.value.as_str())
    }
}

/// The notices for a run of `plan` with a target: one about the preconditions that nobody defined, and one about those that
/// this target cannot check. None if the target is not live: what was recorded is judged as it is.
pub(super) fn precondition_notices(plan: &Plan, target: &dyn Target, config: &Config) -> Vec<String> {
    if !target.is_live() {
        return Vec::new();
    }
    let texts = plan.cases.iter().flat_map(|case| case.placed.case.preconditions.iter().flat_map(List::entries));
    let texts: BTreeSet<&str> = texts.map(|text| text.value.as_str()).collect();
    let checked = config.targets.get(target.name()).map(|target| &target.preconditions);
    let (defined, undefined): (Vec<&str>, Vec<&str>) =
        texts.into_iter().partition(|text| config.preconditions.contains_key(*text));
    let unchecked: Vec<&str> =
        defined.into_iter().filter(|text| checked.is_none_or(|checked| !checked.contains_key(*text))).collect();
    let mut notices = Vec::new();
    if let Some((first, others)) = undefined.split_first() {
        let help = "define what it means under `[[preconditions]]` in eval-ls.toml";
        notices.push(format!("nothing checks the precondition {}{}; {help}", quoted(first), more(others)));
    }
    if let Some((first, others)) = unchecked.split_first() {
        let (first, target) = (quoted(first), quoted(target.name()));
        notices.push(format!(
            "the target {target} cannot take the steps of the precondition {first}{}; give it a `command`",
            more(others)
        ));
    }
    notices
}

fn more(others: &[&str]) -> String {
    if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) }
}
