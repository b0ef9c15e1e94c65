//! The events that describe a run as a whole.

use std::path::Path;

use crate::targets::Target;

use super::job::millis;
use super::journal::{Leftover, claim_leftovers};
use super::{JournalError, Options, Plan, RunResult, SuiteResult};
use crate::events::{Event, InterruptedRun, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteStarted, Warning};

pub(super) fn run_started(plan: &Plan, target: &dyn Target, options: &Options, started_at: &str) -> RunStarted {
    let suites = plan.suites.iter().enumerate();
    let suites = suites.map(|(index, suite)| SuiteStarted { suite: suite.shown_path(), total: plan.len_of(index) });
    RunStarted {
        started_at: started_at.to_owned(),
        target: target.name().to_owned(),
        live: target.is_live(),
        jobs: options.jobs.get(),
        timeout_ms: millis(options.timeout.get()),
        record: options.record && target.is_live(),
        total: plan.len(),
        suites: suites.collect(),
    }
}

/// The events about earlier runs of the suite that were interrupted, and about journals that cannot be claimed.
pub(super) fn interrupted_runs(suite: &Path, folder: Option<&Path>) -> Vec<Event> {
    let Some(folder) = folder else { return Vec::new() };
    let event = |leftover: Result<Leftover, JournalError>| match leftover {
        Ok(leftover) => Event::InterruptedRun(InterruptedRun {
            suite: suite.display().to_string(),
            started_at: leftover.started_at,
            finished: leftover.finished,
            results: leftover.path.display().to_string(),
        }),
        Err(error) => Event::Warning(Warning { message: error.to_string() }),
    };
    claim_leftovers(folder, suite).into_iter().map(event).collect()
}

pub(super) fn run_finished(outcome: &RunResult) -> RunFinished {
    let suite = |suite: &SuiteResult| SuiteFinished {
        suite: suite.path.display().to_string(),
        not_run: suite.not_run,
        summary: RunSummary::of(&suite.cases),
    };
    RunFinished {
        cancelled: outcome.cancelled,
        duration_ms: outcome.duration_ms,
        not_run: outcome.not_run(),
        summary: RunSummary::of(outcome.cases()),
        suites: outcome.suites.iter().map(suite).collect(),
    }
}
