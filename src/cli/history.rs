//! `history`: how cases ended in the kept runs.

use std::path::Path;

use crate::config::CaseGlob;
use crate::diagnostic::{nearest, quoted};
use crate::history::History;
use crate::report::history_text;
use crate::runs::{CaseLine, KeptRun, RunMode, RunState, Runs};

use super::args::{HistoryArgs, HistoryFormat};
use super::input::Workspaces;
use super::selection::{is_meant, runs_of};
use super::{Console, ExitStatus};

/// Why there is no history: a lower-case fragment.
type Fault = (ExitStatus, String);

/// Prints the history of each case, or of some.
pub(super) fn history(args: &HistoryArgs, console: &mut Console) -> ExitStatus {
    match of_cases(args) {
        Err((status, fault)) => {
            console.complain(fault);
            status
        }
        Ok(history) => {
            match args.format {
                HistoryFormat::Text => console.out.write_text(&history_text(&history, !args.cases.is_empty())),
                HistoryFormat::Json => console.out.write_json(&history),
            }
            ExitStatus::Passed
        }
    }
}

fn of_cases(args: &HistoryArgs) -> Result<History, Fault> {
    let globs = args.cases.iter().map(|case| CaseGlob::new(case)).collect::<Result<Vec<_>, _>>();
    let globs = globs.map_err(|fault| (ExitStatus::Misused, fault.to_string()))?;
    let place = args.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = Workspaces::new().of_place(place).map_err(|fault| (ExitStatus::Misused, fault))?;
    let runs = runs_of(args.results.as_deref(), &loaded);
    let mut history = read(&runs, args.target.as_deref(), args.last.get(), None)?;
    let known: Vec<String> = history.cases.iter().map(|case| case.case.clone()).collect();
    if let Some(unknown) = globs.iter().find(|glob| !known.iter().any(|id| is_meant(glob, id))) {
        let (name, runs) = (quoted(unknown.as_str()), history.runs);
        let near = nearest(unknown.as_str(), known.iter().map(String::as_str)).filter(|_| !unknown.is_pattern());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {}?", quoted(near)));
        return Err((ExitStatus::NothingSelected, format!("no case {name} ended in the last {runs} runs{hint}")));
    }
    history.cases.retain(|case| globs.is_empty() || globs.iter().any(|glob| is_meant(glob, &case.case)));
    Ok(history)
}

/// The histories in the last `most` runs of a target that judged and do not continue. Runs after the run `until` are left out.
///
/// # Errors
/// If there is no such run, or one cannot be read.
pub(super) fn read(runs: &Runs, target: Option<&str>, most: usize, until: Option<&str>) -> Result<History, Fault> {
    let is_judged = |run: &KeptRun| run.record().mode == RunMode::Run && run.state() != RunState::Running;
    let listed = runs.list().into_iter().skip_while(|run| until.is_some_and(|until| run.id() != until));
    let mut kept: Vec<KeptRun> = listed.filter(is_judged).collect();
    let Some(last) = kept.first() else {
        let fault = format!("no run is kept in `{}`; `eval-ls run` keeps one", runs.path().display());
        return Err((ExitStatus::NothingSelected, fault));
    };
    let target = target.unwrap_or(&last.record().target.name).to_owned();
    kept.retain(|run| run.record().target.name == target);
    kept.truncate(most);
    if kept.is_empty() {
        let fault = format!("no run of the target {} is kept; `eval-ls runs` lists the runs", quoted(&target));
        return Err((ExitStatus::NothingSelected, fault));
    }
    let with_lines = |run: KeptRun| -> Result<(KeptRun, Vec<CaseLine>), Fault> {
        let lines = run.lines().map_err(|fault| (ExitStatus::Unusable, fault.to_string()))?;
        Ok((run, lines))
    };
    let kept: Vec<_> = kept.into_iter().rev().map(with_lines).collect::<Result<_, _>>()?;
    Ok(History::of(&target, &kept))
}
