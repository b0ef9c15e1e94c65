//! `compare`: better or worse, between two runs.

use crate::cli::args::{CompareArgs, FailOn, Format};
use crate::cli::selection::opened;
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::compare::{CaseChange, Change, Comparison, Side};
use crate::diagnostic::quoted;
use crate::report::comparison::{markdown, text};
use crate::runs::{LATEST, Runs};
use crate::wording::command_for_case;

/// Compares two sides, and prints what changed.
pub(super) fn compare(args: &CompareArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let comparison = compared(args)?;
    match args.format {
        Format::Md => console.out.write_text(&markdown(&comparison)),
        Format::Json => console.out.write_json(&comparison),
        _ => {
            console.out.write_text(&text(&comparison));
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
    let side = |name: &str| -> Result<Side, Refusal> {
        let run = runs.find(name).or_nothing_selected()?;
        Ok(Side::of(&run, &run.lines().or_unusable()?))
    };
    let comparison = Comparison::new(&side(&before)?, &side(&args.after)?);
    if comparison.before.run == comparison.after.run {
        let fault = format!("both sides are `{}`; `eval-ls runs` lists the runs", comparison.after.run);
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
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

fn status(args: &CompareArgs, comparison: &Comparison) -> ExitStatus {
    let fails = |on: &FailOn| match on {
        FailOn::Regressed => comparison.count(Change::Regressed) > 0 || comparison.totals.is_worse,
        FailOn::Vanished => comparison.count(Change::Vanished) > 0,
        FailOn::NotRun => comparison.count(Change::NotRun) > 0,
        FailOn::Never => false,
    };
    if args.fail_on.iter().any(fails) {
        ExitStatus::Failed
    } else if comparison.cases.iter().any(CaseChange::is_error) {
        ExitStatus::NotJudged
    } else {
        ExitStatus::Passed
    }
}
