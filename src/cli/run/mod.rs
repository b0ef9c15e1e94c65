//! `run`: runs suites, shows what happens, and writes the results.

mod batch;
mod keep;
mod present;
mod repeat;
mod reports;
mod shard;
mod target;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::events::{Event, Grade};
use crate::files::Access;
use crate::git::{self, Head};
use crate::processes::{end_programs_with_this_process, gone, hide_from_programs, leave_nothing_running};
use crate::report::{Written, write_results};
use crate::runner::{self, Outcome, Run};
use crate::runs::{GitRecord, OpenRun, RunMode};
use crate::targets::Cancel;

use super::args::{Format, RunArgs};
use super::output::refuse_outputs;
use super::{Console, ExitStatus, OrRefuse as _, Refusal};
use batch::{Batch, Batches};
use present::Presenter;

pub(super) use shard::merge;

/// Runs the suites that `args` name, and prints the outcome.
pub(super) fn run(args: &RunArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    if args.self_test {
        return Ok(super::texts::self_test(console));
    }
    let paths: Vec<PathBuf> = args.eval_file.iter().chain(&args.paths).cloned().collect();
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths };
    if args.list {
        return super::list::list_cases(&paths, args.stdin_filename.as_deref(), &args.select, Format::Text, console);
    }
    refuse_reports(args)?;
    let continued;
    let (args, batches) = match (&args.resume, &args.answers_of) {
        (Some(name), _) => {
            let run = batch::again(args, name, &paths, console)?;
            continued = run.resumed(args)?;
            (&continued, run.batch(&continued, console)?)
        }
        (None, Some(name)) => (args, batch::again(args, name, &paths, console)?.batch(args, console)?),
        (None, None) => (args, batch::prepare(args, &paths, console)?),
    };
    if batches.status == ExitStatus::Misused {
        return Ok(ExitStatus::Misused);
    }
    let runtime = runtime().map_err(|fault| format!("cannot start: {fault}")).or_unusable()?;
    hide_from_programs();
    end_programs_with_this_process();
    let cancel = Cancel::new();
    if let Some(process) = args.ends_with {
        let cancel = cancel.clone();
        runtime.spawn(async move {
            gone(process).await;
            leave_nothing_running();
            cancel.cancel();
        });
    }
    let (secrets, live) = (batches.have_secrets(), batches.live_targets());
    let Batches { batches, not_run, mut status } = batches;
    // It opens the reports. To open a pipe waits for its reader, and until then a signal just ends this process.
    let mut presenter = Presenter::new(args, Access::private_if(secrets), live, console);
    drop(runtime.spawn(listen_for_interrupts(cancel.clone())));
    not_run.into_iter().for_each(|suite| presenter.take(&Event::SuiteNotRun(suite)));
    for batch in batches {
        if !cancel.is_cancelled() {
            status = status.max(run_batch(args, batch, &runtime, &cancel, &mut presenter));
        }
    }
    if cancel.is_cancelled() {
        status = ExitStatus::Interrupted;
    }
    let written = presenter.close(status);
    // On Windows, threads read the pipes of programs. A program that escaped its job could hold a pipe open, and ends only with this
    // process.
    runtime.shutdown_background();
    // The process ends, and freeing each part of each result takes time.
    std::mem::forget(presenter);
    Ok(status.max(written))
}

/// Refuses a page that cannot be made, and reports over files that are read.
fn refuse_reports(args: &RunArgs) -> Result<(), Refusal> {
    let inputs = args.paths.iter().chain(&args.eval_file).chain(&args.config).chain(&args.stdin_filename);
    refuse_outputs(args.report.iter().filter_map(|it| it.path.as_deref()), inputs.map(|path| &**path), false)?;
    if args.no_results && args.report.iter().any(|report| report.format == Format::Html) {
        let fault = "`--report html` is made from the kept run, and `--no-results` keeps none; remove one of them";
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    Ok(())
}

/// The threads of a run at its start: two workers, the thread that keeps the run, one that reads a file.
const THREADS: usize = 4;

/// The runtime, if the system allows the threads that a run needs. The library panics, or waits forever, without them.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let (sender, wait) = std::sync::mpsc::channel::<()>();
    let wait = Arc::new(std::sync::Mutex::new(wait));
    let start = |_| {
        let wait = Arc::clone(&wait);
        // All wait for the end of the sender, so that all exist at once.
        let hold = move || drop(wait.lock().map(|wait| wait.recv()));
        std::thread::Builder::new().spawn(hold)
    };
    let started: Result<Vec<_>, _> = (0..THREADS).map(start).collect();
    drop(sender);
    for thread in started.map_err(|fault| std::io::Error::other(format!("cannot start a thread: {fault}")))? {
        let _ = thread.join();
    }
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

fn run_batch(
    args: &RunArgs,
    batch: Batch,
    runtime: &tokio::runtime::Runtime,
    cancel: &Cancel,
    presenter: &mut Presenter<'_>,
) -> ExitStatus {
    let Batch { plan, target, config, mut options } = batch;
    if let Some(kept) = &mut options.kept {
        kept.record.git = git::head(&kept.root).map(|Head { commit, branch }| GitRecord { commit, branch });
    }
    let runs = options.kept.as_ref().map(|kept| kept.runs.clone());
    let events = |event: &Event| presenter.take(event);
    let run = runner::run(plan, target, Arc::clone(&config), options, cancel, events);
    let outcome = match runtime.block_on(run) {
        Ok(outcome) => outcome,
        Err(fault) => {
            presenter.complain(&format!("{fault}; `--no-results` runs without keeping anything"));
            return ExitStatus::Unusable;
        }
    };
    let (status, written) = write(outcome, args, presenter);
    if let Some(written) = written {
        presenter.made(written, Arc::clone(&config));
    }
    if let Some(runs) = runs
        && let Err(fault) = runs.collect_garbage(&config.run.keep, SystemTime::now())
    {
        presenter.complain(&fault.to_string());
    }
    status
}

/// Writes the results of a run, and shows where they are. Returns the exit status of the run, and the run if it is kept.
fn write(mut outcome: Outcome, args: &RunArgs, presenter: &mut Presenter<'_>) -> (ExitStatus, Option<OpenRun>) {
    let mut status = status_of(&outcome.run, args);
    if let Some(session) = &args.options.session {
        outcome.origin.session = Some(session.clone());
    }
    presenter.keep(&outcome);
    match write_results(&outcome) {
        Ok(written) => {
            if let Some(kept) = &mut outcome.kept {
                kept.add_results(written.iter().flat_map(Written::names));
            }
            presenter.written(&written);
        }
        Err(fault) => {
            presenter.complain(&fault.to_string());
            status = status.max(ExitStatus::Unusable);
        }
    }
    if let Some(kept) = &outcome.kept {
        let fewer = kept.is_broken().then(|| (kept.len(), outcome.run.results().count()));
        status = if fewer.is_some() { status.max(ExitStatus::Unusable) } else { status };
        presenter.kept(kept.folder(), fewer);
    }
    match outcome.finish() {
        Ok(written) => (status, written),
        Err(fault) => {
            presenter.complain(&fault.to_string());
            (status.max(ExitStatus::Unusable), None)
        }
    }
}

fn status_of(run: &Run, args: &RunArgs) -> ExitStatus {
    let statuses = run.results().map(|case| match run.policy().grade(case) {
        Grade::NotJudged => ExitStatus::NotJudged,
        _ if args.options.mode == RunMode::Record => ExitStatus::Passed,
        Grade::Failed => ExitStatus::Failed,
        Grade::Passed => ExitStatus::Passed,
    });
    statuses.max().unwrap_or(ExitStatus::Passed)
}

/// Cancels the run on Ctrl-C or another signal that asks the program to end. A second one exits at once.
async fn listen_for_interrupts(cancel: Cancel) {
    let mut asked = Asked::new();
    asked.next().await;
    cancel.cancel();
    asked.next().await;
    std::process::exit(130);
}

#[cfg(unix)]
struct Asked {
    signals: Vec<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { signals: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
    }

    async fn next(&mut self) {
        let waiting = self.signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(waiting).await;
    }
}

#[cfg(windows)]
struct Asked {
    interrupt: Option<tokio::signal::windows::CtrlC>,
    interrupt_by_break: Option<tokio::signal::windows::CtrlBreak>,
    close: Option<tokio::signal::windows::CtrlClose>,
}

#[cfg(windows)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { interrupt: ctrl_c().ok(), interrupt_by_break: ctrl_break().ok(), close: ctrl_close().ok() }
    }

    /// Completes on Ctrl-C, on Ctrl-Break, and when the console is closed: then Windows ends the program 5 s later.
    async fn next(&mut self) {
        let Self { interrupt, interrupt_by_break, close } = self;
        tokio::select! {
            Some(Some(())) = async { Some(interrupt.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(interrupt_by_break.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(close.as_mut()?.recv().await) } => {}
            else => std::future::pending().await,
        }
    }
}
