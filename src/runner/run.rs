use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::targets::{Cancel, Context, Deadline, Progress, Target, TargetError};
use crate::verdict::CaseResult;

use super::case::{NoAnswer, PATIENCE};
use super::emitted::{interrupted_runs, run_finished, run_started};
use super::job::{CaseEvent, Shared, millis, work};
use super::journal::{self, Header, Journal};
use super::preconditions;
use super::{JournalError, Options, Plan, RunResult, SuiteResult};
use crate::events::{Event, Warning};

/// Runs the cases of `plan` with `target` and passes each event to `emit` as it happens. An error in a case becomes the
/// result of that case. Prints nothing and writes no report.
///
/// `cancel` stops the running cases, which end in `ERROR`, and starts no other case. Dropping the future stops everything
/// and leaves the journals on disk.
///
/// # Errors
/// If the journal of a live target's run cannot be created. No case has been run then.
pub(crate) async fn run(
    plan: Plan,
    target: Arc<dyn Target>,
    config: Arc<Config>,
    mut options: Options,
    cancel: &Cancel,
    mut emit: impl FnMut(&Event),
) -> Result<RunResult, JournalError> {
    let (clock, now) = (Instant::now(), OffsetDateTime::now_utc());
    let started_at = rfc3339(now);
    let folders: Vec<Option<PathBuf>> = plan.suites.iter().map(|suite| results_of(&suite.path, &options)).collect();
    let mut journals = Vec::new();
    for (index, (suite, folder)) in plan.suites.iter().zip(&folders).enumerate() {
        // A replay is quick to repeat, so it needs no journal.
        let folder = folder.as_deref().filter(|_| target.is_live() && plan.len_of(index) > 0);
        let header = Header {
            format: journal::FORMAT.to_owned(),
            suite: suite.shown_path(),
            target: target.name().to_owned(),
            started_at: started_at.clone(),
            total: plan.len_of(index),
        };
        journals.push(folder.map(|folder| Journal::create(folder, &suite.path, &header, now)).transpose()?);
    }
    let fewer = target.most_jobs().filter(|(most, _)| *most < options.jobs);
    if let Some((most, _)) = fewer {
        options.jobs = most;
    }
    emit(&Event::RunStarted(run_started(&plan, &*target, &options, &started_at)));
    if let Some((most, why)) = fewer {
        let cases =
            if most.get() == 1 { "one case at a time is".to_owned() } else { format!("{most} cases at a time are") };
        let message = format!("{cases} run with the target {}, because {why}", quoted(target.name()));
        emit(&Event::Warning(Warning { message }));
    }
    for message in preconditions::notices(&plan, &*target, &config) {
        emit(&Event::Warning(Warning { message }));
    }
    for (suite, folder) in plan.suites.iter().zip(&folders) {
        for event in interrupted_runs(&suite.path, folder.as_deref()) {
            emit(&event);
        }
    }

    let unusable = set_up(&*target, &options, cancel).await.err().map(NoAnswer::from);
    let shared = Arc::new(Shared {
        journals: journals.into_iter().map(|journal| journal.map(Mutex::new)).collect(),
        plan,
        target,
        config,
        options,
        cancel: cancel.clone(),
        next: AtomicUsize::new(0),
        unusable,
    });
    let results = run_jobs(&shared, &mut emit).await;
    // A target that does not stop in time is given up.
    let _ = tokio::time::timeout(PATIENCE, shared.target.tear_down()).await;

    let result = result(shared, folders, results, started_at, clock.elapsed());
    emit(&Event::RunFinished(run_finished(&result)));
    Ok(result)
}

/// The folder of the results of the suite at `path`.
fn results_of(path: &Path, options: &Options) -> Option<PathBuf> {
    let results = options.results.as_ref()?;
    Some(path.parent().unwrap_or(Path::new("")).join(results))
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

/// Runs the jobs and forwards their events. The results are indexed as the cases in the plan.
async fn run_jobs(shared: &Arc<Shared>, emit: &mut impl FnMut(&Event)) -> Vec<Option<CaseResult>> {
    let (sender, mut receiver) = unbounded_channel();
    let mut jobs = JoinSet::new();
    for job in 0..shared.options.jobs.get().min(shared.plan.len()) {
        jobs.spawn(work(Arc::clone(shared), job, sender.clone()));
    }
    drop(sender);
    let mut results: Vec<Option<CaseResult>> = vec![None; shared.plan.len()];
    let mut forward = |(index, event): CaseEvent| {
        if let Event::CaseFinished(finished) = &event {
            results[index] = Some(finished.result.clone());
        }
        emit(&event);
    };
    // Waits for the jobs and not for the channel: a target may still hold a sender.
    loop {
        tokio::select! {
            biased;
            Some(event) = receiver.recv() => forward(event),
            joined = jobs.join_next() => if joined.is_none() { break },
        }
    }
    while let Ok(event) = receiver.try_recv() {
        forward(event);
    }
    results
}

fn result(
    shared: Arc<Shared>,
    folders: Vec<Option<PathBuf>>,
    results: Vec<Option<CaseResult>>,
    started_at: String,
    duration: Duration,
) -> RunResult {
    let shared = Arc::into_inner(shared).expect("only the jobs shared it, and they are done");
    let mut suites: Vec<SuiteResult> = Vec::new();
    for ((suite, results), journal) in shared.plan.suites.into_iter().zip(folders).zip(shared.journals) {
        let journal = journal.map(|journal| journal.into_inner().unwrap_or_else(PoisonError::into_inner));
        suites.push(SuiteResult { path: suite.path, results, cases: Vec::new(), not_run: 0, journal });
    }
    for (case, result) in shared.plan.cases.iter().zip(results) {
        let suite = &mut suites[case.suite];
        match result {
            Some(result) => suite.cases.push(result),
            None => suite.not_run += 1,
        }
    }
    RunResult {
        target: shared.target.name().to_owned(),
        origin: shared.target.origin(),
        started_at,
        duration_ms: millis(duration),
        cancelled: shared.cancel.is_cancelled(),
        suites,
    }
}

/// A time in whole seconds of UTC.
fn rfc3339(at: OffsetDateTime) -> String {
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).expect("the current year is between 0 and 9999")
}
