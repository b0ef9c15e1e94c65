//! `compare`: better or worse, between two runs. `baseline accept`: makes runs the baseline of their suites; nothing
//! else writes a baseline.

use std::path::{Path, PathBuf};

use crate::cli::args::{BaselineAcceptArgs, CompareArgs, Format};
use crate::cli::input::{Input, near};
use crate::cli::selection::{opened, suite_file};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::compare::{CaseChange, Change, Comparison, Side, baseline};
use crate::diagnostic::quoted;
use crate::report::comparison::{markdown, text};
use crate::runner::SuiteInput;
use crate::runs::{Baseline, BaselineRun, CaseLine, KeptRun, LATEST, RunError, RunMode, RunState, Runs};
use crate::text::{counted, visible_text};
use crate::wording::command_for_case;
use crate::workspace::is_linked_out;

/// The runs of a side, each with its cases.
type Results = Vec<(KeptRun, Vec<CaseLine>)>;

/// Compares two sides, and prints what changed.
pub(super) fn compare(args: &CompareArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let comparison = compared(args)?;
    match args.format {
        Format::Md => console.out.write_text(&markdown(&comparison, args.statistics)),
        Format::Json => console.out.write_json(&comparison),
        _ => {
            console.out.write_text(&text(&comparison, args.statistics));
            let worse = comparison.cases.iter().find(|case| case.change == Change::Regressed);
            if let Some(worse) = worse {
                console.tell(format_args!("next: {}", command_for_case("show", &worse.case)));
            }
        }
    }
    Ok(status(args, &comparison))
}

fn compared(args: &CompareArgs) -> Result<Comparison, Refusal> {
    let (_, runs) = opened(&args.place)?;
    let before = match &args.before {
        Some(before) => before.clone(),
        None => run_before_last(&runs)?,
    };
    let (before, after) = (read(&runs, &before)?, read(&runs, &args.after)?);
    let names = |side: &Results| side.iter().map(|(run, _)| run.id().to_string()).collect::<Vec<_>>();
    if names(&before) == names(&after) {
        let both = quoted(&names(&after).join(", "));
        return Err(Refusal::new(ExitStatus::Misused, format!("both sides are {both}; `eval-ls runs` lists the runs")));
    }
    let comparison = Comparison::new(&Side::of(&before), &Side::of(&after));
    if comparison.cases.is_empty() {
        return Err(Refusal::new(ExitStatus::NothingSelected, "no case has ended in these runs"));
    }
    Ok(comparison)
}

/// The id of the run of the same target before the last one.
fn run_before_last(runs: &Runs) -> Result<String, Refusal> {
    let last = runs.find_kept(LATEST).or_nothing_selected()?;
    runs.before(&last).map(|before| before.id().to_string()).ok_or_else(|| {
        let (id, target) = (last.id(), quoted(&last.record().target.name));
        let fault = format!(
            "no run of the target {target} with the same suites is kept before {id}; run them again, or name two runs"
        );
        Refusal::new(ExitStatus::NothingSelected, fault)
    })
}

/// The runs of one side with their cases.
fn read(runs: &Runs, names: &str) -> Result<Results, Refusal> {
    let mut side = Results::new();
    // The path of a folder may have a comma.
    let names: Vec<&str> = if Path::new(names).exists() { vec![names] } else { names.split(',').collect() };
    for name in names {
        let run = runs.find(name).or_nothing_selected()?;
        if side.iter().any(|(known, _)| known.id() == run.id()) {
            return Err(Refusal::new(ExitStatus::Misused, format!("the run {} is given twice", run.id())));
        }
        let lines = run.lines().or_unusable()?;
        side.push((run, lines));
    }
    Ok(side)
}

fn status(args: &CompareArgs, comparison: &Comparison) -> ExitStatus {
    let mut failing = args.fail_on.iter().copied().flatten();
    if failing.any(|change| comparison.count(*change) > 0) {
        ExitStatus::Failed
    } else if comparison.cases.iter().any(CaseChange::has_lost_its_verdict) {
        ExitStatus::NotJudged
    } else {
        ExitStatus::Passed
    }
}

/// Makes runs the baseline of their suites.
pub(super) fn accept(args: &BaselineAcceptArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let (loaded, folder) = opened(&args.place)?;
    let mut runs: Vec<KeptRun> = Vec::new();
    for name in &args.runs {
        let run = folder.find_kept(name).or_nothing_selected()?;
        check(&run, &runs).or_misused()?;
        runs.push(run);
    }
    let results = runs.iter().map(|run| Ok((run.clone(), run.lines()?)));
    let results: Results = results.collect::<Result<_, RunError>>().or_unusable()?;
    let side = Side::of(&results);
    let target = &runs[0].record().target.name;
    let mut suites: Vec<(&str, PathBuf)> = Vec::new();
    for (run, suite) in runs.iter().flat_map(|run| run.record().suites.iter().map(move |suite| (run, suite))) {
        if !suite.cases.is_empty() && !suites.iter().any(|(known, _)| *known == suite.path) {
            let file = suite_file(run, suite, &loaded.root, false);
            suites.push((&suite.path, file.or_unusable()?));
        }
    }
    let mut status = ExitStatus::Passed;
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
            status = ExitStatus::NotJudged;
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
    Ok(status)
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
    let Ok(text) = Input::File(file.to_owned()).text() else { return };
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
