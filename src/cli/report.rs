//! `report`: a kept run as one HTML page.

use std::path::Path;

use crate::compare::{Comparison, Side};
use crate::diagnostic::quoted;
use crate::files;
use crate::report::html::{Page, PageSource, html};
use crate::runs::{CaseLine, KeptRun, RunMode, Runs, Source, SourceCase};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::Status;

use super::args::ReportArgs;
use super::input::Workspaces;
use super::selection::runs_of;
use super::{Console, ExitStatus, history};

/// The number of runs in the histories.
const RUNS: usize = 50;

/// Why there is no page: a lower-case fragment.
type Fault = (ExitStatus, String);

/// Writes the page of a run.
pub(super) fn report(args: &ReportArgs, console: &mut Console) -> ExitStatus {
    match page(args) {
        Err((status, fault)) => {
            console.complain(fault);
            status
        }
        Ok(text) if args.html == Path::new("-") => {
            console.out.write_text(&text);
            ExitStatus::Passed
        }
        Ok(text) => match files::replace(&args.html, text.as_bytes()) {
            Ok(()) => {
                console.tell(format_args!("report: {}", args.html.display()));
                ExitStatus::Passed
            }
            Err(fault) => {
                console.complain(fault);
                ExitStatus::Unusable
            }
        },
    }
}

fn page(args: &ReportArgs) -> Result<String, Fault> {
    let place = args.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = Workspaces::new().of_place(place).map_err(|fault| (ExitStatus::Misused, fault))?;
    let folder = runs_of(args.results.as_deref(), &loaded);
    let find = |name: &String| folder.find_kept(name).map_err(|fault| (ExitStatus::NothingSelected, fault.to_string()));
    let mut given = args.runs.iter().map(find).collect::<Result<Vec<KeptRun>, Fault>>()?;
    let is_alone = given.len() < 2;
    let run = match given.pop() {
        Some(run) => run,
        None => find(&"latest".to_owned())?,
    };
    if run.record().mode == RunMode::Record {
        let fault = format!("the run {} was made by `eval-ls record`, so it has no verdicts", quoted(run.id()));
        return Err((ExitStatus::Misused, fault));
    }
    let earlier = if is_alone { before(&folder, &run).into_iter().collect() } else { given };
    let comparison = if earlier.is_empty() {
        None
    } else {
        let (then, now) = (sources(&earlier)?, sources(std::slice::from_ref(&run))?);
        Some(Comparison::new(&Side::of(&then), &Side::of(&now)))
    };
    let lines = run.lines().map_err(unusable)?;
    let target = &run.record().target.name;
    let history = history::read(&folder, Some(target), RUNS, Some(run.id()))?;
    let wanted = Wanted::by(&loaded.config);
    // A page without an answer still has the verdict.
    let answer = |run: &KeptRun, line: &CaseLine| -> Option<Transcript> {
        run.answer(line).ok().flatten().and_then(|answer| answer.viewed(&wanted).ok())
    };
    let passed = |suite: &str, case: &str| -> Option<(String, Transcript)> {
        let history = history.cases.iter().find(|known| known.suite == suite && known.case == case)?;
        let point = history.points.iter().rev().find(|point| point.status == Status::Pass && point.run != run.id())?;
        let then = folder.open(&point.run).ok()?;
        let lines = then.lines().ok()?;
        let line = lines.iter().find(|line| {
            line.case == case && then.record().suites.get(line.suite).is_some_and(|known| known.path == suite)
        })?;
        Some((point.run.clone(), answer(&then, line)?))
    };
    let source = PageSource {
        run: &run,
        lines: &lines,
        history: &history,
        comparison: comparison.as_ref(),
        answer: &answer,
        passed: &passed,
    };
    Ok(html(&Page::new(&source)))
}

fn unusable(fault: impl ToString) -> Fault {
    (ExitStatus::Unusable, fault.to_string())
}

/// The run of the same target before a run, if they have a suite in common.
fn before(folder: &Runs, run: &KeptRun) -> Option<KeptRun> {
    let runs = folder.list().into_iter().skip_while(|other| other.id() != run.id()).skip(1);
    let suites = |run: &KeptRun| run.record().suites.iter().map(|suite| suite.path.clone()).collect::<Vec<_>>();
    let of_run = suites(run);
    let mut runs = runs.filter(|other| {
        other.record().mode == RunMode::Run
            && other.record().target.name == run.record().target.name
            && suites(other).iter().any(|suite| of_run.contains(suite))
    });
    runs.next()
}

fn sources(runs: &[KeptRun]) -> Result<Vec<(Source, Vec<SourceCase>)>, Fault> {
    let sources = runs.iter().map(|run| {
        let source = Source::Run(Box::new(run.clone()));
        let cases = source.cases().map_err(unusable)?;
        Ok((source, cases))
    });
    sources.collect()
}
