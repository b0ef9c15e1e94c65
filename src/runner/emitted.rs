//! The events that describe a run as a whole.

use crate::config::{Config, TargetKind, plain_address};
use crate::runs::{RunState, Runs, SuiteRecord};
use crate::targets::Target;
use crate::verdict::Versions;

use super::shared::millis;
use super::{Options, Plan, RunResult, SuiteResult};
use crate::events::{Event, InterruptedRun, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteStarted};

pub(super) fn run_started(
    plan: &Plan,
    target: &dyn Target,
    config: &Config,
    options: &Options,
    started_at: &str,
    folder: Option<&std::path::Path>,
) -> RunStarted {
    let suites = plan.suites.iter().enumerate();
    let suites = suites.map(|(index, suite)| SuiteStarted { suite: suite.shown_path(), total: plan.len_of(index) });
    RunStarted {
        format: RunStarted::FORMAT.to_owned(),
        versions: Versions::current(),
        started_at: started_at.to_owned(),
        target: target.name().to_owned(),
        live: target.is_live(),
        program: program(config, target.name()).map(|program| target.secrets().redact(program)),
        jobs: options.jobs.get(),
        timeout_ms: millis(options.timeout.get()),
        record: options.record && target.is_live(),
        policy: options.policy,
        run: folder.map(|folder| folder.display().to_string()),
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
        let finished = lines.iter().filter(|line| line.suite == index && !line.cancelled).count();
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

pub(super) fn run_finished(outcome: &RunResult) -> RunFinished {
    let suite = |suite: &SuiteResult| SuiteFinished {
        suite: suite.path.display().to_string(),
        not_run: suite.not_run,
        summary: RunSummary::of(suite.cases.iter().map(|case| &**case)),
    };
    let (failures, errors) = outcome.policy.count(outcome.cases());
    RunFinished {
        cancelled: outcome.cancelled,
        failures,
        skipped: outcome.skipped.clone(),
        errors: errors + usize::from(outcome.cancelled),
        duration_ms: outcome.duration_ms,
        not_run: outcome.not_run(),
        summary: RunSummary::of(outcome.cases()),
        suites: outcome.suites.iter().map(suite).collect(),
    }
}
