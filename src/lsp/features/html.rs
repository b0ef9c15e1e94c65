//! HTML pages, as `report` makes them: of a kept run (`eval-ls/report`), and of the last answer of a case with its verdict
//! (`eval-ls/transcriptPage`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{JudgedCase, PastVerdict, SinceBaseline};
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{CheckPlace, SuiteOfRun, TranscriptPage};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::report::html::{
    self, PageError, PastLine, TranscriptHead, TranscriptSource, page_of, page_of_suite, transcript_html,
};
use crate::runs::{KeptRun, RunError, RunId, RunMode, RunState};
use crate::wording::{age, main_reason};

/// The workspaces whose runs are shown: their root and configuration.
pub(crate) type Workspaces = BTreeMap<PathBuf, Arc<Config>>;

/// A kept run, and the root from which the paths of its suites count.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    run: KeptRun,
    root: PathBuf,
    config: Arc<Config>,
}

/// Why a page about a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunFault {
    #[error("{0} is not a run of this workspace")]
    Unknown(String),
    #[error(transparent)]
    Unreadable(#[from] RunError),
    #[error("no run has ended yet; run a suite first")]
    NoRun,
    #[error(transparent)]
    NoReport(#[from] PageError),
}

impl Opened {
    /// Opens the run in `folder`, which must be one of these workspaces' runs.
    ///
    /// # Errors
    /// If it is not, or cannot be read.
    pub(crate) fn open(folder: &Path, workspaces: &Workspaces) -> Result<Opened, RunFault> {
        let unknown = || RunFault::Unknown(quoted(&folder.display().to_string()));
        let id = folder.file_name().and_then(RunId::of_name).ok_or_else(unknown)?;
        let of_folder = |(root, config): (&PathBuf, &Arc<Config>)| {
            let runs = suites::kept_runs(root, config);
            (Some(runs.path()) == folder.parent()).then(|| (runs, root.clone(), Arc::clone(config)))
        };
        let (runs, root, config) = workspaces.iter().find_map(of_folder).ok_or_else(unknown)?;
        let run = runs.open(&id)?;
        Ok(Opened { run, root, config })
    }

    /// Opens the last run that has ended and has verdicts, of the suite at `suite` if it is given.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn last(workspaces: &Workspaces, suite: Option<&Path>) -> Result<Opened, RunFault> {
        let last = workspaces.iter().filter_map(|(root, config)| {
            let mut runs = suites::kept_runs(root, config).list().into_iter();
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
    pub(crate) fn html(&self) -> Result<String, RunFault> {
        Ok(page_of(&suites::kept_runs(&self.root, &self.config), &self.run, Vec::new(), &self.config)?)
    }

    /// The HTML page of the suite at `path`, which is one of the run, with the last answer of each of its `cases`.
    ///
    /// # Errors
    /// As [`Opened::html`].
    pub(crate) fn html_of_suite(&self, path: &Path, cases: &[String]) -> Result<String, RunFault> {
        let suite = self.run.record().suites.iter().find(|suite| self.root.join(&suite.path) == path);
        let Some(suite) = suite else { return self.html() };
        let runs = suites::kept_runs(&self.root, &self.config);
        Ok(page_of_suite(&runs, &self.run, &suite.path, cases, &self.config)?)
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.run.folder()
    }

    /// Its id.
    pub(crate) fn id(&self) -> &RunId {
        self.run.id()
    }

    /// When it started: a date and time of RFC 3339, in UTC.
    pub(crate) fn started_at(&self) -> &str {
        &self.run.record().started_at
    }

    /// The suites of the run.
    pub(crate) fn suites(&self) -> Vec<SuiteOfRun> {
        let of_run = self.run.record().suites.iter().filter_map(|suite| {
            Some(SuiteOfRun { uri: uris::from_path(&self.root.join(&suite.path))?, label: suite.path.clone() })
        });
        of_run.collect()
    }
}

/// How many earlier verdicts a page has. They fit on one line.
const PAST: usize = 5;

/// The page of a case; `None` if the suite has no such case, or it has no answer.
pub(crate) fn transcript_page(suite: &Snapshot, case: &str, now: SystemTime) -> Option<TranscriptPage> {
    let cases = &suite.document.suite().cases;
    let index = cases.iter().position(|placed| placed.case.id.as_ref().is_some_and(|id| id.value == case))?;
    let verdict = suite.document.verdict(index, &suite.answers)?;
    let page = html::TranscriptPage::new(TranscriptSource {
        transcript: verdict.answer.transcript.as_ref().ok(),
        checks: verdict.checks_by_place().into_iter().map(|check| (check.result, check.nearest)).collect(),
        terms: verdict.terms(),
        head: head(suite, index, case, &verdict, now),
    });
    let placed = &cases[index];
    let range = |span| suite.range(placed.absolute(span));
    let id = placed.case.id.as_ref()?;
    Some(TranscriptPage {
        html: transcript_html(&page),
        data: serde_json::to_string(&page).ok()?,
        range: range(id.span),
        checks: verdict
            .checks_by_place()
            .into_iter()
            .map(|check| CheckPlace { check: check.result.id.clone(), range: check.span.map(range) })
            .collect(),
    })
}

fn head(suite: &Snapshot, index: usize, case: &str, verdict: &JudgedCase, now: SystemTime) -> TranscriptHead {
    let since = suite.document.since_baseline(index, verdict, &suite.answers);
    let is_new = verdict.answer.file.is_none() && verdict.answer.transcript.is_ok();
    let is_stored = suite.answers.is_stored(case);
    let judged = verdict.verdict.as_ref().filter(|judged| judged.error.is_none());
    TranscriptHead {
        uri: suite.uri.as_str().to_owned(),
        case: case.to_owned(),
        status: verdict.status(),
        headline: verdict.reason().unwrap_or_else(|| verdict.headline().reasons()),
        about: about(verdict, is_stored, now),
        acceptable: is_new && !is_stored,
        replaces: is_new && !is_stored && suite.answers.kept(case).is_some_and(|kept| kept.transcript.is_ok()),
        reason: verdict.error().filter(|reason| reason.trim().contains('\n')).map(str::to_owned),
        baseline: since.as_ref().and_then(SinceBaseline::was).map(|(_, was)| format!("The case {was}.")),
        soft_score: judged.map(|judged| judged.soft_score.value),
        threshold: judged.and_then(|judged| judged.soft_score.threshold),
        history: suite.answers.history().last(case).iter().take(PAST).map(|past| line(past, now)).collect(),
    }
}

/// Where the answer comes from, and what keeps the verdict from being about the current text.
fn about(verdict: &JudgedCase, is_stored: bool, now: SystemTime) -> Vec<String> {
    let answer = &verdict.answer;
    let mut parts = Vec::new();
    parts.extend(verdict.label_before().map(|before| format!("the checks are about the previous answer: {before}")));
    parts.extend(answer.target().map(|target| format!("by {target}")));
    let duration = answer.transcript.as_ref().ok().and_then(|transcript| transcript.duration_ms);
    parts.extend(duration.map(|milliseconds| format!("took {:.1} s", milliseconds as f64 / 1000.0)));
    parts.extend(answer.moment.map(|moment| age(moment, now)));
    parts.push(match &answer.file {
        Some(file) => format!("stored in {}", file.path.file_name().unwrap_or_default().to_string_lossy()),
        None if is_stored => "the same answer as the stored one".to_owned(),
        None => "not accepted as the transcript".to_owned(),
    });
    if verdict.outdated {
        parts.push("stale: about the text before it was broken".to_owned());
    }
    parts
}

fn line(past: &PastVerdict, now: SystemTime) -> PastLine {
    let mut about = format!("by {}", past.target);
    about.extend(past.at.map(|at| format!(", {}", age(at, now))));
    about.extend(past.reason.as_ref().map(|reason| format!(": {}", main_reason(reason))));
    PastLine { status: past.status, about }
}
