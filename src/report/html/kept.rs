use std::collections::HashSet;

use crate::compare::{Comparison, Side};
use crate::config::Config;
use crate::history::{History, HistoryError};
use crate::runs::{AnswerRecord, CaseLine, KeptRun, RunError, RunId, RunMode, Runs, Source, SourceCase};
use crate::text::counted;
use crate::transcript::{Transcript, Wanted};
use crate::verdict::Status;

use super::model::name_of;
use super::{Page, PageSource, html};

/// The number of runs in the histories. More do not fit beside a case.
const RUNS: usize = 50;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// The run has no verdicts.
    #[error("the run {0} was made by `eval-ls record`, so it has no verdicts")]
    Recorded(RunId),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A run cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
}

/// The page of a run in the folder `runs`, as one HTML document. It is compared with the runs `earlier`; if there are none, with the
/// run of its target before it.
///
/// # Errors
/// If the run has no verdicts, or a run cannot be read.
pub(crate) fn page_of(runs: &Runs, run: &KeptRun, earlier: Vec<KeptRun>, config: &Config) -> Result<String, PageError> {
    page(runs, run, earlier, None, config)
}

/// The page of a suite: that of its last `run`, with the last answer of each of its `cases` that the run did not ask. `suite` is its path
/// in the records of runs.
///
/// # Errors
/// As [`page_of`].
pub(crate) fn page_of_suite(
    runs: &Runs,
    run: &KeptRun,
    suite: &str,
    cases: &[String],
    config: &Config,
) -> Result<String, PageError> {
    page(runs, run, Vec::new(), Some((suite, cases)), config)
}

fn page(
    runs: &Runs,
    run: &KeptRun,
    earlier: Vec<KeptRun>,
    of_suite: Option<(&str, &[String])>,
    config: &Config,
) -> Result<String, PageError> {
    if run.record().mode == RunMode::Record {
        return Err(PageError::Recorded(run.id().clone()));
    }
    let then = if earlier.is_empty() {
        let before: Vec<_> = runs.before(run).into_iter().collect();
        match sources(&before) {
            // Another process removes it meanwhile.
            Err(error) if error.is_gone() => Vec::new(),
            then => then?,
        }
    } else {
        sources(&earlier)?
    };
    let comparison = if then.is_empty() {
        None
    } else {
        let now = sources(std::slice::from_ref(run))?;
        Some(Comparison::new(&Side::of(&then), &Side::of(&now)))
    };
    let with: Vec<String> = then.iter().map(|(source, _)| source_name(source)).collect();
    let comparison = comparison.as_ref().map(|comparison| (comparison, with.join("; ")));
    let lines = run.lines()?;
    let (others, note) = match of_suite {
        Some((suite, cases)) => others(runs, run, suite, cases, &lines),
        None => (Vec::new(), partial(run)),
    };
    let history = History::read(runs, Some(&run.record().target.name), RUNS, Some(run.id()))?;
    let wanted = Wanted::by(config);
    // A page without an answer still has the verdict.
    let answer = |run: &KeptRun, line: &CaseLine| -> Option<Transcript> {
        run.answer(line).ok().flatten().and_then(|answer| answer.viewed(&wanted).ok())
    };
    let attempt = |run: &KeptRun, line: &CaseLine, record: &AnswerRecord| -> Option<Transcript> {
        run.recorded_answer(&line.case, record).ok().and_then(|answer| answer.viewed(&wanted).ok())
    };
    let passed = |suite: &str, case: &str| -> Option<(String, Transcript)> {
        let history = history.cases.iter().find(|known| known.suite == suite && known.case == case)?;
        let point = history.points.iter().rev().find(|point| point.status == Status::Pass && point.run != *run.id())?;
        let then = runs.open(&point.run).ok()?;
        let lines = then.lines().ok()?;
        let line = lines.iter().find(|line| {
            line.case == case && then.record().suites.get(line.suite).is_some_and(|known| known.path == suite)
        })?;
        Some((name_of(&then), answer(&then, line)?))
    };
    let source = PageSource {
        run,
        lines: &lines,
        history: &history,
        others: &others,
        note,
        comparison,
        answer: &answer,
        attempt: &attempt,
        passed: &passed,
    };
    Ok(html(&Page::new(&source)))
}

/// The last line of each of these cases of a suite that `run` did not ask, and what to say about them.
fn others(
    runs: &Runs,
    run: &KeptRun,
    suite: &str,
    cases: &[String],
    lines: &[CaseLine],
) -> (Vec<(KeptRun, CaseLine)>, String) {
    let is_of = |run: &KeptRun, line: &CaseLine| {
        !line.cancelled && run.record().suites.get(line.suite).is_some_and(|known| known.path == suite)
    };
    let asked: HashSet<&str> = lines.iter().filter(|line| is_of(run, line)).map(|line| &*line.case).collect();
    let mut missing: HashSet<&str> = cases.iter().map(|id| &**id).filter(|id| !asked.contains(id)).collect();
    if missing.is_empty() {
        return (Vec::new(), String::new());
    }
    let mut others = Vec::new();
    let earlier = runs.list().into_iter().skip_while(|other| other.id() != run.id()).skip(1);
    for earlier in earlier.filter(|run| run.record().mode == RunMode::Run).take(RUNS) {
        // A run that is removed meanwhile has no lines any more.
        for line in earlier.lines().unwrap_or_default() {
            if is_of(&earlier, &line) && missing.remove(&*line.case) {
                others.push((earlier.clone(), line));
            }
        }
        if missing.is_empty() {
            break;
        }
    }
    let place = |line: &CaseLine| cases.iter().position(|id| *id == line.case);
    others.sort_by_key(|(_, line)| place(line));
    let answered = match (others.len(), cases.len() - asked.len()) {
        (1, 1) => "the other one has an earlier answer".to_owned(),
        (all, open) if all == open => "the others have earlier answers".to_owned(),
        (0, _) => "the others have no answer".to_owned(),
        (some, open) => {
            format!("{some} of the other {open} {} an earlier answer", if some == 1 { "has" } else { "have" })
        }
    };
    let note = format!("The last run asked {} of {}; {answered}.", asked.len(), counted(cases.len(), "case"));
    (others, note)
}

/// What a page of a run that did not ask whole suites says.
fn partial(run: &KeptRun) -> String {
    let parts = run.record().suites.iter().filter(|suite| suite.part && !suite.cases.is_empty()).count();
    match parts {
        0 => String::new(),
        _ if run.record().suites.len() == 1 => "This run asked only a part of the suite.".to_owned(),
        parts => format!("This run asked only a part of {}.", counted(parts, "suite")),
    }
}

fn source_name(source: &Source) -> String {
    match source {
        Source::Run(run) => name_of(run),
        source => source.name(),
    }
}

fn sources(runs: &[KeptRun]) -> Result<Vec<(Source, Vec<SourceCase>)>, RunError> {
    runs.iter().map(|run| Source::Run(Box::new(run.clone())).read()).collect()
}
