//! The kept runs of a workspace (`eval-ls/runs`, `eval-ls/runCases`), and the page of one of them (`eval-ls/report`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Answers};
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::events::RunSummary;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{CaseOfRun, KeptRun as Listed, RunCasesResult, RunsResult, SuiteOfRun};
use crate::lsp::session::fence;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::transcripts::MAX_MEMORY;
use crate::report::html::{PageError, page_of, page_of_suite};
use crate::runs::{CaseLine, KeptRun, RunError, RunId, RunMode, RunState};
use crate::transcript::Wanted;
use crate::verdict::Status;
use crate::wording::Headline;

/// The workspaces whose runs are listed: their root and configuration.
pub(in crate::lsp) type Workspaces = BTreeMap<PathBuf, Arc<Config>>;

/// A kept run, and the root from which the paths of its suites count.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Opened {
    run: KeptRun,
    lines: Vec<CaseLine>,
    root: PathBuf,
    config: Arc<Config>,
}

/// Why a page about a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(in crate::lsp) enum RunFault {
    #[error("{0} is not a run of this workspace")]
    Unknown(String),
    #[error(transparent)]
    Unreadable(#[from] RunError),
    #[error("the run has no answer of case {0}")]
    NoAnswer(String),
    #[error("no run has ended yet; run a suite first")]
    NoRun,
    #[error(transparent)]
    NoReport(#[from] PageError),
}

/// The runs of these workspaces, or only those of the suite at `suite`; the last run first.
pub(in crate::lsp) fn list(workspaces: &Workspaces, suite: Option<&Path>) -> RunsResult {
    let has_suite = |run: &KeptRun, root: &Path| {
        suite.is_none_or(|path| run.record().suites.iter().any(|suite| root.join(&suite.path) == path))
    };
    let runs = workspaces.iter().flat_map(|(root, config)| {
        let runs = fence::runs(root, config).list();
        runs.into_iter().filter(move |run| has_suite(run, root))
    });
    let mut runs: Vec<Listed> = runs.filter_map(|run| listed(&run)).collect();
    if workspaces.len() > 1 {
        runs.sort_by(|one, other| other.id.cmp(&one.id));
    }
    RunsResult { runs }
}

fn listed(run: &KeptRun) -> Option<Listed> {
    let record = run.record();
    let summary = match &record.summary {
        Some(summary) => summary.clone(),
        // A case that a person stopped has no error.
        None => summary(run.lines().ok()?.iter().filter(|line| !line.cancelled)),
    };
    let state = match run.state() {
        RunState::Ended => None,
        RunState::Running => Some("running"),
        RunState::Interrupted => Some("stopped"),
    };
    let counted = (summary.total > 0 || state.is_none()).then(|| summary.line());
    let counts: Vec<String> = counted.into_iter().chain(state.map(str::to_owned)).collect();
    let mut parts: Vec<String> = record.duration_ms.map(duration).into_iter().collect();
    parts.extend(record.labels.iter().map(|(name, value)| format!("{name}={value}")));
    Some(Listed {
        uri: uris::from_path(run.folder())?,
        id: record.id.clone(),
        state: run.state(),
        started_at: record.started_at.clone(),
        target: record.target.name.clone(),
        status: worst(&summary).filter(|_| run.state() != RunState::Interrupted),
        counts: counts.join(", "),
        description: parts.join(" · "),
    })
}

impl Opened {
    /// Opens the run in `folder`, which must be one of these workspaces' runs.
    ///
    /// # Errors
    /// If it is not, or cannot be read.
    pub(in crate::lsp) fn open(folder: &Path, workspaces: &Workspaces) -> Result<Opened, RunFault> {
        let unknown = || RunFault::Unknown(quoted(&folder.display().to_string()));
        let id = folder.file_name().and_then(RunId::of_name).ok_or_else(unknown)?;
        let of_folder = |(root, config): (&PathBuf, &Arc<Config>)| {
            let runs = fence::runs(root, config);
            (Some(runs.path()) == folder.parent()).then(|| (runs, root.clone(), Arc::clone(config)))
        };
        let (runs, root, config) = workspaces.iter().find_map(of_folder).ok_or_else(unknown)?;
        let run = runs.open(&id)?;
        let lines = run.lines()?.into_iter().filter(|line| !line.cancelled).collect();
        Ok(Opened { run, lines, root, config })
    }

    /// Opens the last run that has ended and has verdicts, of the suite at `suite` if it is given.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(in crate::lsp) fn last(workspaces: &Workspaces, suite: Option<&Path>) -> Result<Opened, RunFault> {
        let last = workspaces.iter().filter_map(|(root, config)| {
            let mut runs = fence::runs(root, config).list().into_iter();
            runs.find(|run| {
                let is_of_suite = |path: &Path| run.record().suites.iter().any(|suite| root.join(&suite.path) == path);
                run.record().mode == RunMode::Run && run.state() != RunState::Running && suite.is_none_or(is_of_suite)
            })
        });
        let last = last.max_by(|one, other| one.record().started_at.cmp(&other.record().started_at));
        Opened::open(last.ok_or(RunFault::NoRun)?.folder(), workspaces)
    }

    /// The run as the HTML page of `eval-ls report`.
    ///
    /// # Errors
    /// If it has no verdicts, or a run cannot be read.
    pub(in crate::lsp) fn html(&self) -> Result<String, RunFault> {
        Ok(page_of(&fence::runs(&self.root, &self.config), &self.run, Vec::new(), &self.config)?)
    }

    /// The HTML page of the suite at `path`, which is one of the run, with the last answer of each of its `cases`.
    ///
    /// # Errors
    /// As [`Opened::html`].
    pub(in crate::lsp) fn html_of_suite(&self, path: &Path, cases: &[String]) -> Result<String, RunFault> {
        let suite = self.run.record().suites.iter().find(|suite| self.root.join(&suite.path) == path);
        let Some(suite) = suite else { return self.html() };
        let runs = fence::runs(&self.root, &self.config);
        Ok(page_of_suite(&runs, &self.run, &suite.path, cases, &self.config)?)
    }

    /// Its folder.
    pub(in crate::lsp) fn folder(&self) -> &Path {
        self.run.folder()
    }

    /// Its id.
    pub(in crate::lsp) fn id(&self) -> &RunId {
        self.run.id()
    }

    /// When it started: a date and time of RFC 3339, in UTC.
    pub(in crate::lsp) fn started_at(&self) -> &str {
        &self.run.record().started_at
    }

    /// Its suites with their cases.
    pub(in crate::lsp) fn cases(&self) -> RunCasesResult {
        let suites = self.run.record().suites.iter().enumerate().filter_map(|(index, suite)| {
            let lines = || self.lines.iter().filter(move |line| line.suite == index);
            let summary = summary(lines());
            Some(SuiteOfRun {
                uri: uris::from_path(&self.root.join(&suite.path))?,
                label: suite.path.clone(),
                status: worst(&summary),
                description: summary.line(),
                cases: lines().map(case).collect(),
            })
        });
        RunCasesResult { suites: suites.collect() }
    }

    /// The suite with the answer of this run to a case instead of the last one. `suite` is one of its suites.
    pub(in crate::lsp) fn with_answer(&self, suite: Snapshot, case: &str) -> Snapshot {
        let config = Arc::clone(suite.answers.config());
        let wanted = Wanted::by(&config);
        let is_of_case = |line: &&CaseLine| {
            let of = self.run.record().suites.get(line.suite).map(|of| self.root.join(&of.path));
            line.case == case && of.as_deref() == suite.document.path()
        };
        let answer = |line: &CaseLine| {
            let answer = self.run.answer(line).ok()?.filter(|answer| answer.memory() <= MAX_MEMORY)?;
            Some(Arc::new(Answer::live(answer.viewed(&wanted).ok()?, SystemTime::now())))
        };
        let answer = self.lines.iter().rev().filter(is_of_case).find_map(answer);
        let live = answer.map(|answer| (case.to_owned(), answer)).into_iter().collect();
        Snapshot { answers: Arc::new(Answers::new(config, Arc::default(), live)), ..suite }
    }
}

fn case(line: &CaseLine) -> CaseOfRun {
    let reason = Headline::of(&line.result).short_reason();
    let parts = [reason, duration(line.duration_ms)];
    CaseOfRun {
        id: line.case.clone(),
        status: line.status,
        description: parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
        has_answer: line.answer.is_some(),
    }
}

fn summary<'a>(lines: impl Iterator<Item = &'a CaseLine> + Clone) -> RunSummary {
    RunSummary::of(lines.filter(|line| !line.cancelled).map(|line| &*line.result))
}

fn worst(summary: &RunSummary) -> Option<Status> {
    let counts = [
        (summary.fail, Status::Fail),
        (summary.error, Status::Error),
        (summary.partial, Status::Partial),
        (summary.pass, Status::Pass),
    ];
    counts.into_iter().find(|(count, _)| *count > 0).map(|(_, status)| status)
}

fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1000.0) }
}
