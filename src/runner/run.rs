use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::runtime::Handle;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::clock;
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::events::{CaseFinished, Event, Warning};
use crate::files;
use crate::runs::{CaseLine, OpenRun, RunError};
use crate::targets::{Cancel, Context, Deadline, Progress, Target, TargetError};
use crate::transcript::Store;
use crate::verdict::CaseResult;

use super::case::{NoAnswer, PATIENCE};
use super::emitted::{interrupted_run, run_finished, run_started};
use super::enough::Enough;
use super::job::work;
use super::keeper::{Keeper, ToKeep};
use super::keeping::{self, Earlier, suite_records};
use super::preconditions;
use super::shared::{Events, Shared, millis};
use super::{Options, Plan, RunResult, SuiteResult};

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
            let (run, earlier) = keeping::open(keeping, &plan, &config, target.is_live())?;
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
    for message in preconditions::notices(&plan, &*target, &config) {
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
