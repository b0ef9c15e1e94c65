//! `history`: how cases ended in the kept runs.

use std::path::Path;

use crate::config::CaseGlob;
use crate::diagnostic::{nearest, quoted};
use crate::history::{History, HistoryError};
use crate::report::history_text;

use super::args::{Format, HistoryArgs};
use super::input::Workspaces;
use super::selection::runs_of;
use super::{Console, ExitStatus, OrRefuse as _, Refusal};

/// Prints the history of each case, or of some.
pub(super) fn history(args: &HistoryArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let history = of_cases(args)?;
    match args.format {
        Format::Json => console.out.write_json(&history),
        _ => console.out.write_text(&history_text(&history, !args.cases.is_empty(), args.statistics)),
    }
    Ok(ExitStatus::Passed)
}

fn of_cases(args: &HistoryArgs) -> Result<History, Refusal> {
    let globs = args.cases.iter().map(|case| CaseGlob::new(case)).collect::<Result<Vec<_>, _>>();
    let globs = globs.or_misused()?;
    let place = args.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = Workspaces::new().of_place(place).or_misused()?;
    let runs = runs_of(args.results.as_deref(), &loaded);
    let history = History::read(&runs, args.target.as_deref(), args.last.get(), None);
    let mut history = history.map_err(|fault| Refusal::new(status_of(&fault), fault))?;
    let known: Vec<String> = history.cases.iter().map(|case| case.case.clone()).collect();
    if let Some(unknown) = globs.iter().find(|glob| !known.iter().any(|id| glob.matches(id))) {
        let (name, runs) = (quoted(unknown.as_str()), history.runs);
        let near = nearest(unknown.as_str(), known.iter().map(String::as_str)).filter(|_| !unknown.is_pattern());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {}?", quoted(near)));
        return Err(Refusal::new(
            ExitStatus::NothingSelected,
            format!("no case {name} ended in the last {runs} runs{hint}"),
        ));
    }
    let meant = CaseGlob::meant(&globs, known.iter().map(String::as_str));
    history.cases.retain(|case| globs.is_empty() || meant.contains(case.case.as_str()));
    for case in &mut history.cases {
        case.gone = loaded.root.join(&case.suite).symlink_metadata().is_err();
    }
    history.cases.sort_by_key(|case| case.gone);
    Ok(history)
}

/// The exit status if there is no history.
pub(super) fn status_of(fault: &HistoryError) -> ExitStatus {
    match fault {
        HistoryError::NoRun(_) | HistoryError::NoRunOf(_) => ExitStatus::NothingSelected,
        HistoryError::Unreadable(_) => ExitStatus::Unusable,
    }
}
