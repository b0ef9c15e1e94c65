//! The events that describe a run as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::events::{Event, RunStarted, SuiteStarted};
use crate::runs::{EndedCase, Merged, OpenRun, Redact, RunError, Runs};
use crate::verdict::Versions;

use super::{Outcome, Run};

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
    mut on_event: impl FnMut(&Event),
) -> Result<Outcome, RunError> {
    let (record, shard) = (&merged.record, &merged.shard);
    let mut kept = match runs {
        None => None,
        Some(runs) => {
            // The shards have no secrets in them any more, and the folder stays private.
            let redact: Option<Redact> = shard.has_secrets.then(|| Arc::new(|_: &mut _| ()) as Redact);
            Some(OpenRun::create(runs, record.clone(), redact, true)?)
        }
    };
    let names: Vec<String> =
        record.suites.iter().map(|suite| given(root, &suite.path, &suite.given).display().to_string()).collect();
    let mut run = Run::default();
    let mut emit = |event: Event| {
        run.take(&event);
        on_event(&event);
    };
    let started = names.iter().zip(&record.suites);
    emit(Event::RunStarted(RunStarted {
        format: RunStarted::FORMAT.to_owned(),
        versions: Versions::current(),
        started_at: record.started_at.clone(),
        target: record.target.name.clone(),
        live: record.target.is_live(),
        program: record.target.program(),
        jobs: merged.jobs,
        timeout_ms: shard.timeout_ms,
        record: false,
        policy: record.policy,
        run: kept.as_ref().map(|kept| kept.folder().display().to_string()),
        total: record.total(),
        suites: started.map(|(name, suite)| SuiteStarted { suite: name.clone(), total: suite.cases.len() }).collect(),
    }));
    for (run, line) in merged.cases() {
        let mut case = Box::new(line.event(names[line.suite].clone(), false));
        if let Some(kept) = &mut kept {
            let answer =
                |answer: &Option<_>| answer.as_ref().map(|answer| run.recorded_answer(&line.case, answer)).transpose();
            let (suite, attempts) = (line.suite, line.attempts.iter().map(answer).collect::<Result<_, _>>()?);
            let picture = run.picture(line, u64::MAX).and_then(Result::ok);
            let ended = EndedCase { suite, case, attempt: None, answer: answer(&line.answer)?, attempts, picture };
            kept.add(&ended)?;
            case = ended.case;
        }
        emit(Event::CaseFinished(case));
    }
    let last = Event::RunFinished(run.end(record.duration_ms.unwrap_or_default(), false, Vec::new()));
    run.take(&last);
    on_event(&last);
    let (origin, has_secrets) = (shard.origin.clone(), shard.has_secrets);
    Ok(Outcome { run, origin, results: results.map(Path::to_owned), kept, has_secrets })
}

/// The path of a suite as it was given, if it still means the same file.
fn given(root: &Path, path: &str, given: &str) -> PathBuf {
    let (path, given) = (root.join(path), PathBuf::from(given));
    let is_same = std::path::absolute(&given).is_ok_and(|absolute| absolute == path);
    if is_same { given } else { path }
}
