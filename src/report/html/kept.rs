use crate::compare::{Comparison, Side};
use crate::config::Config;
use crate::history::{History, HistoryError};
use crate::runs::{AnswerRecord, CaseLine, KeptRun, RunError, RunId, RunMode, Runs, Source, SourceCase};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::Status;

use super::{Page, PageSource, html};

/// The number of runs in the histories.
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
    let lines = run.lines()?;
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
        Some((point.run.to_string(), answer(&then, line)?))
    };
    let source = PageSource {
        run,
        lines: &lines,
        history: &history,
        comparison: comparison.as_ref(),
        answer: &answer,
        attempt: &attempt,
        passed: &passed,
    };
    Ok(html(&Page::new(&source)))
}

fn sources(runs: &[KeptRun]) -> Result<Vec<(Source, Vec<SourceCase>)>, RunError> {
    let sources = runs.iter().map(|run| {
        let source = Source::Run(Box::new(run.clone()));
        let cases = source.cases()?;
        Ok((source, cases))
    });
    sources.collect()
}
