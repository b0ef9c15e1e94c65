//! `baseline accept`: makes runs the baseline of their suites. Nothing else writes a baseline.

use std::path::{Path, PathBuf};

use crate::cli::args::{BaselineAcceptArgs, BaselineArgs, BaselineCommand};
use crate::cli::input::{Contents, Input, near};
use crate::cli::selection::{opened, suite_file};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::compare::{Side, baseline};
use crate::diagnostic::quoted;
use crate::runner::SuiteInput;
use crate::runs::{Baseline, BaselineRun, KeptRun, RunMode, RunState, Source, SourceCase};
use crate::text::{counted, visible_text};
use crate::workspace::is_linked_out;

/// Runs the command.
pub(super) fn baseline_command(args: &BaselineArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let BaselineCommand::Accept(args) = &args.command;
    accept(args, console).map(|()| ExitStatus::Passed)
}

fn accept(args: &BaselineAcceptArgs, console: &mut Console) -> Result<(), Refusal> {
    let (loaded, folder) = opened(&args.place)?;
    let mut runs: Vec<KeptRun> = Vec::new();
    for name in &args.runs {
        let run = folder.find_kept(name).or_nothing_selected()?;
        check(&run, &runs).or_misused()?;
        runs.push(run);
    }
    let mut results: Vec<(Source, Vec<SourceCase>)> = Vec::new();
    for run in &runs {
        let source = Source::Run(Box::new(run.clone()));
        let cases = source.cases().or_unusable()?;
        results.push((source, cases));
    }
    let side = Side::of(&results);
    let target = &runs[0].record().target.name;
    let mut suites: Vec<(&str, PathBuf)> = Vec::new();
    for (run, suite) in runs.iter().flat_map(|run| run.record().suites.iter().map(move |suite| (run, suite))) {
        if !suite.cases.is_empty() && !suites.iter().any(|(known, _)| *known == suite.path) {
            let file = suite_file(run, suite, &loaded.root, false);
            suites.push((&suite.path, file.or_unusable()?));
        }
    }
    for (suite, file) in suites {
        let path = Baseline::path(&file, target);
        let (baselines, beside) = (path.parent().unwrap_or(&path), file.parent().unwrap_or(&file));
        if is_linked_out(baselines, beside, &loaded.root) {
            let baselines = quoted(&near(baselines));
            let fault =
                format!("{baselines} is a link out of the workspace, so no baseline is written there; remove it");
            return Err(Refusal::new(ExitStatus::Unusable, fault));
        }
        let mut new = baseline(&side, suite, target, runs.iter().map(of_run).collect());
        if new.cases.is_empty() {
            console.complain(format_args!("{}: no case has a verdict, so there is no baseline", quoted(suite)));
            continue;
        }
        let accepted = new.cases.len();
        let earlier = Baseline::read(&path).or_unusable()?;
        keep_others(&mut new, earlier, &file);
        let kept = new.cases.len() - accepted;
        new.write(&path).or_unusable()?;
        let kept = if kept > 0 { format!("; {kept} stay as they were") } else { String::new() };
        let line = format!("{}: {} of {}{kept}", near(&path), counted(accepted, "case"), counted(runs.len(), "run"));
        console.out.write_line(&visible_text(line));
    }
    Ok(())
}

/// Whether a run can be part of a baseline with the others.
fn check(run: &KeptRun, others: &[KeptRun]) -> Result<(), String> {
    let id = run.id();
    if run.record().mode == RunMode::Record {
        return Err(format!("the run {id} recorded transcripts; a baseline needs verdicts of `eval-ls run`"));
    }
    match run.state() {
        RunState::Ended => {}
        RunState::Running => return Err(format!("the run {id} is still running")),
        RunState::Interrupted => {
            return Err(format!("the run {id} was interrupted; `eval-ls run --resume={id}` ends it"));
        }
    }
    if others.iter().any(|other| other.id() == id) {
        return Err(format!("the run {id} is given twice"));
    }
    let target = |run: &KeptRun| run.record().target.name.clone();
    match others.first().filter(|first| target(first) != target(run)) {
        None => Ok(()),
        Some(first) => Err(format!(
            "the runs {} and {id} have different targets: {} and {}; accept them one by one",
            first.id(),
            quoted(&target(first)),
            quoted(&target(run))
        )),
    }
}

fn of_run(run: &KeptRun) -> BaselineRun {
    let record = run.record();
    let commit = record.git.as_ref().and_then(|git| git.commit.clone());
    BaselineRun { id: record.id.clone(), started_at: record.started_at.clone(), commit }
}

/// Adds the cases of an earlier baseline that the runs do not have and that are still in the suite, in its order.
fn keep_others(new: &mut Baseline, earlier: Option<Baseline>, file: &Path) {
    let Ok(Contents::Text(text)) = Input::File(file.to_owned()).read() else { return };
    let suite = SuiteInput::parse(file, text).suite;
    let ids: Vec<&str> =
        suite.cases.iter().filter_map(|case| case.case.id.as_ref()).map(|id| id.value.as_str()).collect();
    let place = |id: &str| ids.iter().position(|known| *known == id);
    for case in earlier.into_iter().flat_map(|earlier| earlier.cases) {
        if place(&case.id).is_some() && !new.cases.iter().any(|known| known.id == case.id) {
            new.cases.push(case);
        }
    }
    new.cases.sort_by_key(|case| place(&case.id).unwrap_or(usize::MAX));
}
