//! `run`: runs suites, shows what happens, and writes the results.

mod batch;
mod browser;
mod interrupt;
mod present;

use std::path::PathBuf;

use crate::events::Event;
use crate::report::write_results;
use crate::runner::{self, RunResult};
use crate::targets::Cancel;
use crate::verdict::Status;

use super::args::{ListFormat, RunArgs, RunMode};
use super::{Console, ExitStatus};

use batch::{Batch, Batches};
use present::Presenter;

/// Runs the suites that `args` name, and prints the outcome.
pub(super) fn run(args: &RunArgs, console: &mut Console) -> ExitStatus {
    if args.self_test {
        return super::self_test::self_test(console);
    }
    let paths: Vec<PathBuf> = args.eval_file.iter().chain(&args.paths).cloned().collect();
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths };
    if args.list {
        return super::list::list_cases(&paths, args.stdin_filename.as_deref(), ListFormat::Text, console);
    }
    let Batches { batches, mut status } = match batch::prepare(args, &paths, console) {
        Ok(batches) => batches,
        Err(status) => return status,
    };
    if status == ExitStatus::Misused {
        return status;
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(fault) => {
            console.complain(format_args!("cannot start: {fault}"));
            return ExitStatus::Unusable;
        }
    };
    let cancel = Cancel::new();
    runtime.spawn(interrupt::listen(cancel.clone()));
    let mut presenter = Presenter::new(args.mode, args.format, console);
    for batch in batches {
        if cancel.is_cancelled() {
            break;
        }
        status = status.max(run_batch(args, batch, &runtime, &cancel, &mut presenter));
    }
    presenter.close();
    if cancel.is_cancelled() { ExitStatus::Interrupted } else { status }
}

fn run_batch(
    args: &RunArgs,
    batch: Batch,
    runtime: &tokio::runtime::Runtime,
    cancel: &Cancel,
    presenter: &mut Presenter<'_>,
) -> ExitStatus {
    let events = |event: &Event| presenter.take(event);
    let run = runner::run(batch.plan, batch.target, batch.config, batch.options, cancel, events);
    let outcome = match runtime.block_on(run) {
        Ok(outcome) => outcome,
        Err(fault) => {
            presenter.complain(&fault.to_string());
            return ExitStatus::Unusable;
        }
    };
    let mut status = status_of(&outcome, args);
    let mut outcome = outcome;
    if let Some(session) = &args.session {
        outcome.origin.session = Some(session.clone());
    }
    presenter.keep(&outcome);
    match write_results(&outcome) {
        Ok(written) => {
            presenter.written(&written);
            if let Err(fault) = outcome.reports_written() {
                presenter.complain(&fault.to_string());
            }
        }
        Err(fault) => {
            presenter.complain(&fault.to_string());
            for journal in outcome.suites.iter().filter_map(|suite| suite.journal()) {
                presenter.complain(&format!("the results are kept in {}", journal.display()));
            }
            status = status.max(ExitStatus::Unusable);
        }
    }
    status
}

fn status_of(outcome: &RunResult, args: &RunArgs) -> ExitStatus {
    let statuses = outcome.cases().map(|case| match case.status {
        Status::Error => ExitStatus::NotJudged,
        _ if args.mode == RunMode::Record => ExitStatus::Passed,
        Status::Pass => ExitStatus::Passed,
        Status::Partial if args.strict => ExitStatus::Failed,
        Status::Partial => ExitStatus::Passed,
        Status::Fail => ExitStatus::Failed,
    });
    statuses.max().unwrap_or(ExitStatus::Passed)
}
