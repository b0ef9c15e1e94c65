//! The events that describe a run as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{Config, TargetKind, plain_address};
use crate::events::{
    CaseFinished, CaseRef, Event, InterruptedRun, RunFinished, RunStarted, RunSummary, SuiteFinished, SuiteStarted,
};
use crate::runs::{EndedCase, Merged, OpenRun, OriginRecord, Redact, RunError, RunState, Runs, SuiteRecord};
use crate::targets::{Origin, Target};
use crate::verdict::Versions;

use super::run::millis;
use super::{Options, Plan, RunResult, SuiteResult};

/// The run that shards make together: emits the events that a run without shards emits, and keeps it in `runs` if that is
/// given. `results` is the folder of the result files.
///
/// # Errors
/// If an answer of a shard cannot be read or was changed, or if the run cannot be kept.
pub(crate) fn merge(
    merged: &Merged,
    root: &Path,
    runs: Option<&Runs>,
    results: Option<&Path>,
    mut emit: impl FnMut(&Event),
) -> Result<RunResult, RunError> {
    let (record, shard) = (&merged.record, &merged.shard);
    let mut kept = match runs {
        None => None,
        Some(runs) => {
            // The shards have no secrets in them any more, and the folder stays private.
            let redact: Option<Redact> = shard.has_secrets.then(|| Arc::new(|_: &mut _| ()) as Redact);
            Some(OpenRun::create_merged(runs, record.clone(), redact, true)?)
        }
    };
    let mut suites: Vec<SuiteResult> = record
        .suites
        .iter()
        .map(|suite| {
            let path = given(root, &suite.path, &suite.given);
            SuiteResult { path, cases: Vec::new(), not_run: 0 }
        })
        .collect();
    let names: Vec<String> = suites.iter().map(|suite| suite.path.display().to_string()).collect();
    let started = names.iter().zip(&record.suites);
    emit(&Event::RunStarted(RunStarted {
        format: RunStarted::FORMAT.to_owned(),
        versions: Versions::current(),
        started_at: record.started_at.clone(),
        target: record.target.name.clone(),
        live: record.target.is_live(),
        program: record.target.program(),
        jobs: merged.jobs,
        timeout_ms: shard.timeout_ms,
        record: false,
        policy: shard.policy,
        run: kept.as_ref().map(|kept| kept.folder().display().to_string()),
        total: record.total(),
        suites: started.map(|(name, suite)| SuiteStarted { suite: name.clone(), total: suite.cases.len() }).collect(),
    }));
    for (run, line) in merged.cases() {
        let finished = CaseFinished {
            case: CaseRef {
                suite: names[line.suite].clone(),
                case: line.case.clone(),
                index: line.index,
                range: line.range,
            },
            status: line.status,
            cancelled: false,
            resumed: false,
            duration_ms: line.duration_ms,
            transcript: line.transcript.clone(),
            not_stored: None,
            answer: None,
            result: Arc::clone(&line.result),
        };
        if let Some(kept) = &mut kept {
            let answer = run.answer(line)?;
            let attempts = line.attempts.iter();
            let attempts = attempts
                .map(|answer| answer.as_ref().map(|answer| run.recorded_answer(&line.case, answer)).transpose())
                .collect::<Result<Vec<_>, _>>()?;
            let picture = run.picture(line, u64::MAX).and_then(Result::ok);
            let (answer, picture) = (answer.as_ref(), picture.as_deref());
            kept.add(&EndedCase {
                suite: line.suite,
                case: &finished,
                attempt: None,
                answer,
                attempts: &attempts,
                picture,
            })?;
        }
        suites[line.suite].cases.push(Arc::clone(&line.result));
        emit(&Event::CaseFinished(Box::new(finished)));
    }
    let result = RunResult {
        target: record.target.name.clone(),
        live: record.target.is_live(),
        program: record.target.program(),
        origin: origin(&shard.origin),
        started_at: record.started_at.clone(),
        duration_ms: record.duration_ms.unwrap_or_default(),
        cancelled: false,
        policy: shard.policy,
        suites,
        results: results.map(Path::to_owned),
        skipped: Vec::new(),
        kept,
        has_secrets: shard.has_secrets,
    };
    emit(&Event::RunFinished(run_finished(&result)));
    Ok(result)
}

/// The path of a suite as it was given, if it still means the same file.
fn given(root: &Path, path: &str, given: &str) -> PathBuf {
    let (path, given) = (root.join(path), PathBuf::from(given));
    let is_same = std::path::absolute(&given).is_ok_and(|absolute| absolute == path);
    if is_same { given } else { path }
}

fn origin(record: &OriginRecord) -> Origin {
    let OriginRecord { session, telemetry_log_path, app_url, space_url } = record.clone();
    Origin { session, telemetry_log_path, app_url, space_url }
}

/// What a shard records of the source of its answers.
pub(crate) fn origin_record(origin: Origin) -> OriginRecord {
    let Origin { session, telemetry_log_path, app_url, space_url } = origin;
    OriginRecord { session, telemetry_log_path, app_url, space_url }
}

pub(super) fn run_started(
    plan: &Plan,
    target: &dyn Target,
    config: &Config,
    options: &Options,
    started_at: &str,
    folder: Option<&std::path::Path>,
) -> RunStarted {
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
