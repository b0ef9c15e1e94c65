//! `runs`: the kept runs of a workspace.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::clock::moment;
use crate::runs::{ListedRun, RunError, RunMode, RunState, Runs};
use crate::text::{counted, visible_text};
use crate::wording::age;
use crate::workspace::LoadedConfig;

use super::args::{Format, RunsArgs, RunsCommand};
use super::input::Workspaces;
use super::selection::runs_of;
use super::{Console, ExitStatus, OrRefuse as _, Refusal, columns};

/// Lists or removes runs.
pub(super) fn runs(args: &RunsArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let place = args.path.clone().unwrap_or_else(|| PathBuf::from("."));
    let loaded = Workspaces::new().of_place(Path::new(&place)).or_misused()?;
    let runs = runs_of(args.results.as_deref(), &loaded);
    match &args.command {
        None => list(&runs, args.format, console),
        Some(RunsCommand::Rm { runs: names }) => Ok(remove(&runs, names, console)),
        Some(RunsCommand::Gc) => collect_garbage(&runs, &loaded, console),
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

/// A run as a line: id, age, target, cases, suites, duration, labels.
fn row(run: &ListedRun, now: SystemTime) -> [String; 7] {
    let record = &run.record;
    let age = moment(&record.started_at).map_or_else(String::new, |at| age(at, now));
    let verb = if record.mode == RunMode::Record { "record" } else { "run" };
    let cases = match (&record.summary, run.state) {
        // It asked for answers, and judged them only to decide which to store.
        (Some(summary), RunState::Ended) if record.mode == RunMode::Record => counted(summary.total, "case"),
        (Some(summary), RunState::Ended) => summary.line(),
        (_, RunState::Running) => format!("running, {} of {} cases", run.ended, record.total()),
        _ => format!("interrupted, {} of {} cases", run.ended, record.total()),
    };
    let name = |path: &str| {
        path.rsplit('/').next().unwrap_or_default().trim_end_matches(".json").trim_end_matches(".evals").to_owned()
    };
    let suites: Vec<String> =
        record.suites.iter().filter(|suite| !suite.cases.is_empty()).map(|suite| name(&suite.path)).collect();
    let suites = if suites.len() > FEW_SUITES { counted(suites.len(), "suite") } else { suites.join(", ") };
    let duration = record.duration_ms.map_or_else(String::new, |ms| format!("{:.1} s", ms as f64 / 1000.0));
    let labels = record.labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let target = format!("{verb} {}", record.target.name);
    let cells = [record.id.clone(), age, target, cases, suites, duration, labels.join(" ")];
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

fn collect_garbage(runs: &Runs, loaded: &LoadedConfig, console: &mut Console) -> Result<ExitStatus, Refusal> {
    if !runs.may_remove() {
        return Err(Refusal::new(ExitStatus::Unusable, RunError::Outside(runs.path().to_owned())));
    }
    let removed = runs.collect_garbage(&loaded.config.run.keep, SystemTime::now()).or_unusable()?;
    removed.runs.iter().for_each(|id| console.out.write_line(&format!("removed {id}")));
    if removed.runs.is_empty() {
        console.tell("no run is removed: `[run] keep` keeps all");
    }
    Ok(ExitStatus::Passed)
}
