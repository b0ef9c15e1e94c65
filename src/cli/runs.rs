//! `runs`: the kept runs of a workspace.

use std::time::SystemTime;

use crate::cli::args::{Format, RunsArgs, RunsCommand};
use crate::cli::selection::opened;
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal, columns};
use crate::clock::moment;
use crate::runs::{ListedRun, RunMode, RunState, Runs};
use crate::text::{counted, seconds, visible_text};
use crate::wording::age;

/// Lists or removes runs.
pub(super) fn runs(args: &RunsArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let (_, runs) = opened(&args.place)?;
    match &args.command {
        None => list(&runs, args.format, console),
        Some(RunsCommand::Rm { runs: names }) => Ok(remove(&runs, names, console)),
    }
}

fn list(runs: &Runs, format: Format, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let summaries = runs.summaries().or_unusable()?;
    match format {
        Format::Json => console.out.write_json(&summaries),
        _ if summaries.is_empty() => {
            console.tell(format_args!("no run is kept in `{}`", runs.path().display()));
        }
        _ => console.out.write_text(&columns(summaries.iter().map(|run| row(run, SystemTime::now())))),
    }
    Ok(ExitStatus::Passed)
}

/// A run as a line: id, age, target, cases, suites, duration.
fn row(run: &ListedRun, now: SystemTime) -> [String; 6] {
    let record = &run.record;
    let age = moment(&record.started_at).map_or_else(String::new, |at| age(at, now));
    let verb = if record.mode == RunMode::Record { "record" } else { "run" };
    let cases = match (&record.summary, run.state) {
        // It asked for answers, and judged them only to decide which to store.
        (Some(summary), RunState::Ended) if record.mode == RunMode::Record => counted(summary.total, "case"),
        (Some(summary), RunState::Ended) => {
            let left = record.not_run.filter(|left| *left > 0);
            left.map_or_else(|| summary.line(), |left| format!("{}, {left} not run", summary.line()))
        }
        (_, RunState::Running) => format!("running, {} of {} cases", run.ended, record.total()),
        _ => format!("interrupted, {} of {} cases", run.ended, record.total()),
    };
    let name = |path: &str| {
        path.rsplit('/').next().unwrap_or_default().trim_end_matches(".json").trim_end_matches(".evals").to_owned()
    };
    let suites: Vec<String> =
        record.suites.iter().filter(|suite| !suite.cases.is_empty()).map(|suite| name(&suite.path)).collect();
    let suites = if suites.len() > FEW_SUITES { counted(suites.len(), "suite") } else { suites.join(", ") };
    let duration = record.duration_ms.map_or_else(String::new, seconds);
    let target = format!("{verb} {}", record.target.name);
    let cells = [record.id.clone(), age, target, cases, suites, duration];
    cells.map(visible_text)
}

/// How many suites a line names. One line of a terminal.
const FEW_SUITES: usize = 3;

fn remove(runs: &Runs, names: &[String], console: &mut Console) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    for name in names {
        let removed = runs.find_kept(name).or_nothing_selected();
        let removed = removed.and_then(|run| runs.remove(run.id()).or_unusable().map(|()| run.id().clone()));
        match removed {
            Ok(id) => console.out.write_line(&format!("removed {id}")),
            Err(refusal) => status = status.max(refusal.tell(console)),
        }
    }
    status
}
