//! `runs`: the kept runs of a workspace, and how a case ended in them.

use std::time::SystemTime;

use crate::cli::args::{Format, RunsArgs, RunsCommand};
use crate::cli::selection::opened;
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal, columns, did_you_mean};
use crate::clock::moment;
use crate::config::{CaseGlob, removed};
use crate::diagnostic::quoted;
use crate::history::{CaseHistory, History, HistoryError, Point};
use crate::runs::{ListedRun, RunMode, RunState, Runs};
use crate::text::{counted, seconds, visible_start, visible_text};
use crate::wording::{SHOWN_ID, age};

/// Lists or removes runs.
pub(super) fn runs(args: &RunsArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let (_, runs) = opened(&args.place)?;
    match &args.command {
        None if args.cases.is_empty() => list(&runs, args.format, console),
        None => of_cases(&runs, args, console),
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

/// A run as a line: id, age, target, cases, suites, duration, labels.
fn row(run: &ListedRun, now: SystemTime) -> [String; 7] {
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
    let labels = record.labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let target = format!("{verb} {}", record.target.name);
    let cells = [record.id.clone(), age, target, cases, suites, duration, labels.join(" ")];
    cells.map(visible_text)
}

/// The most runs of which a case has a line.
const MOST_RUNS: usize = 50;

/// Shows how cases ended, run by run.
fn of_cases(runs: &Runs, args: &RunsArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let globs = args.cases.iter().map(|case| case.parse::<CaseGlob>()).collect::<Result<Vec<_>, _>>().or_misused()?;
    let history = History::read(runs, args.target.as_deref(), MOST_RUNS, None);
    let mut history = history.map_err(|fault| Refusal::new(status_of(&fault), fault))?;
    for fault in &history.left_out {
        console.tell(format_args!("warning: {fault}; the run is left out"));
    }
    let known: Vec<String> = history.cases.iter().map(|case| case.case.clone()).collect();
    if let Some(unknown) = globs.iter().find(|glob| !known.iter().any(|id| glob.matches(id))) {
        let (name, runs) = (quoted(unknown.as_str()), counted(history.runs, "run"));
        let gone = removed(unknown.as_str()).map(|instead| format!("; as a command {instead}"));
        let hint =
            || did_you_mean(unknown.as_str(), known.iter().filter(|_| !unknown.is_pattern()).map(String::as_str));
        let fault = format!(
            "no case {name} ended in the last {runs} of {}{}",
            quoted(&history.target),
            gone.unwrap_or_else(hint)
        );
        return Err(Refusal::new(ExitStatus::NothingSelected, fault));
    }
    let meant = CaseGlob::meant(&globs, known.iter().map(String::as_str));
    history.cases.retain(|case| meant.contains(case.case.as_str()));
    match args.format {
        Format::Json => console.out.write_json(&history.cases),
        _ => {
            let (runs, target) = (counted(history.runs, "run"), quoted(&history.target));
            console.out.write_line(&format!("{runs} of the target {target}"));
            history.cases.iter().for_each(|case| console.out.write_text(&case_text(case)));
        }
    }
    Ok(ExitStatus::Passed)
}

/// A headline, and a line for each run, the last one first.
fn case_text(case: &CaseHistory) -> String {
    let word = case.points.last().map(Point::word).unwrap_or_default();
    let since =
        if case.since.runs == 1 { "in the last run".to_owned() } else { format!("for {} runs", case.since.runs) };
    let rows = case.points.iter().rev().map(|point| {
        let attempts =
            if point.judged > 1 { format!("{} of {} passed", point.passed, point.judged) } else { String::new() };
        let reason = point.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default();
        let why = if point.failed.is_empty() { reason.to_owned() } else { point.failed.join(", ") };
        let edited = if point.edits.is_empty() { String::new() } else { format!("edited: {}", point.edits.join(", ")) };
        [format!("  {}", point.run), point.word(), attempts, why, edited].map(|cell| visible_text(&cell))
    });
    format!(
        "\n{}  {word} {since}  ({})\n{}",
        visible_start(&case.case, SHOWN_ID),
        visible_text(&case.suite),
        columns(rows)
    )
}

/// The exit status if there is no history.
pub(super) fn status_of(fault: &HistoryError) -> ExitStatus {
    match fault {
        HistoryError::NoRun(_) | HistoryError::NoRunOf(_) => ExitStatus::NothingSelected,
        HistoryError::Unreadable(_) => ExitStatus::Unusable,
    }
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
