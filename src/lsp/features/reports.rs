//! Reports for people: the HTML page of a kept run (`eval-ls/report`) and of the last answer of a case (`eval-ls/transcriptPage`), as `report`
//! makes them, and the status page (`eval-ls.showStatus`): the server's state, and why each document is or is not a suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::JudgedCase;
use crate::analysis::symbols::MOST_WITH_KEYS;
use crate::config::{CONFIG_FILE, Config, MAX_CONFIG_BYTES, TargetKind};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{CheckPlace, SuiteOfRun, TranscriptPage};
use crate::lsp::session::open_document::{DocumentStatus, Snapshot, StatusReport};
use crate::lsp::session::suites;
use crate::lsp::session::transcripts::{MAX_BYTES, MAX_MEMORY, Memory};
use crate::lsp::transport::QUICK_PLACES;
use crate::report::html::{self, PageError, TranscriptHead, TranscriptSource, page_of, transcript_html};
use crate::runs::{KeptRun, RunError, RunId, RunMode, RunState};
use crate::text::{counted, seconds};
use crate::wording::{Line, Markup, age, reasons};

/// The workspaces whose runs are shown: their root and configuration.
pub(crate) type Workspaces = BTreeMap<PathBuf, Arc<Config>>;

/// A kept run, and the root from which the paths of its suites count.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) run: KeptRun,
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
        let runs = suites::kept_runs(&self.root, &self.config);
        Ok(page_of(&runs, &self.run, None, &self.config)?)
    }

    /// The suites of the run.
    pub(crate) fn suites(&self) -> Vec<SuiteOfRun> {
        let of_run = self.run.record().suites.iter().filter_map(|suite| {
            Some(SuiteOfRun { uri: uris::from_path(&self.root.join(&suite.path))?, label: suite.path.clone() })
        });
        of_run.collect()
    }
}

/// The page of a case; `None` if the suite has no such case, or it has no answer.
pub(crate) fn transcript_page(suite: &Snapshot, case: &str, now: SystemTime) -> Option<TranscriptPage> {
    let cases = &suite.document.suite().cases;
    let index = cases.iter().position(|placed| placed.case.id.as_ref().is_some_and(|id| id.value == case))?;
    let verdict = suite.document.verdict(index, &suite.answers)?;
    let page = html::TranscriptPage::new(TranscriptSource {
        transcript: verdict.answer.transcript.as_ref().ok(),
        checks: verdict.checks_by_place().into_iter().map(|check| check.result).collect(),
        terms: verdict.terms(),
        head: head(suite, case, &verdict, now),
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

fn head(suite: &Snapshot, case: &str, verdict: &JudgedCase, now: SystemTime) -> TranscriptHead {
    let is_new = verdict.answer.file.is_none() && verdict.answer.transcript.is_ok();
    let is_stored = suite.answers.is_stored(case);
    let soft_score = &verdict.result.metrics.scoring.soft_score;
    TranscriptHead {
        uri: suite.uri.as_str().to_owned(),
        case: case.to_owned(),
        status: verdict.status(),
        headline: verdict.reason().unwrap_or_else(|| reasons(&verdict.result)),
        about: about(verdict, is_stored, now),
        acceptable: is_new && !is_stored,
        replaces: is_new && !is_stored && suite.answers.kept(case).is_some_and(|kept| kept.transcript.is_ok()),
        reason: verdict.error().filter(|reason| reason.trim().contains('\n')).map(str::to_owned),
        soft_score: soft_score.value,
        threshold: soft_score.value.and(soft_score.threshold),
    }
}

/// Where the answer comes from, and what keeps the verdict from being about the current text.
fn about(verdict: &JudgedCase, is_stored: bool, now: SystemTime) -> Vec<String> {
    let answer = &verdict.answer;
    let mut parts = Vec::new();
    parts.extend(verdict.label_before().map(|before| format!("the checks are about the previous answer: {before}")));
    parts.extend(answer.target().map(|target| format!("by {target}")));
    let duration = answer.transcript.as_ref().ok().and_then(|transcript| transcript.duration_ms);
    parts.extend(duration.map(|milliseconds| format!("took {}", seconds(milliseconds))));
    parts.extend(answer.moment.map(|moment| age(moment, now)));
    parts.push(match &answer.file {
        Some(file) => format!("stored in {}", file.path.file_name().unwrap_or_default().to_string_lossy()),
        None if is_stored => "the same answer as the stored one".to_owned(),
        None => "not accepted as the transcript".to_owned(),
    });
    parts.extend(verdict.outdated.then(|| "about the text before its syntax error".to_owned()));
    parts
}

/// The report as Markdown.
pub(crate) fn status_page(report: &StatusReport) -> String {
    let mut page = Markup::default();
    page.paragraph(Line::new(concat!("# eval-ls ", env!("CARGO_PKG_VERSION"))));
    let trust = if report.is_trusted {
        "The editor trusts the workspace; each target asks for approval before its first run"
    } else {
        "The editor does not trust the workspace; runs are disabled"
    };
    page.item(0, Line::new(trust));
    page.item(0, Line::new(format!("{} cases running or queued", report.running)));
    page.item(
        0,
        Line::new(format!(
            "Limits: {} KiB for {CONFIG_FILE}; {} MiB for a transcript; {} MiB of memory for the answers of all open suites, of \
             which {} are in use; {QUICK_PLACES} large results at a time",
            MAX_CONFIG_BYTES >> 10,
            MAX_BYTES >> 20,
            MAX_MEMORY >> 20,
            mebibytes(report.memory),
        )),
    );
    for folder in &report.folders {
        page.item(0, Line::new("Workspace folder: ").code(&folder.display().to_string()));
    }
    let open: Vec<Snapshot> = report.documents.iter().filter_map(|document| document.suite.clone()).collect();
    for path in suites::closed(&report.folders, &open).filter(|path| suites::is_too_large(path)) {
        let text = "is too large to be read while it is not open, so no list has its cases";
        page.item(0, Line::new("The suite ").code(&path.display().to_string()).say(format!(" {text}")));
    }
    for document in &report.documents {
        reported(&mut page, document);
    }
    page.to_markdown() + "\n"
}

fn reported(page: &mut Markup, document: &DocumentStatus) {
    page.paragraph(Line::new("## ").code(document.uri.as_str()));
    page.item(0, Line::default().message(&document.why));
    let config = &document.configuration.config;
    match document.configuration.folder() {
        Some(folder) => {
            let path = folder.join(CONFIG_FILE).display().to_string();
            page.item(0, Line::new("Configuration: ").code(&path));
            let errors = document.configuration.errors().count();
            if errors > 0 {
                let errors = counted(errors, "error");
                page.item(1, Line::new(format!("{errors} in the configuration; runs are disabled until fixed")));
            }
        }
        None => page.item(0, Line::new(format!("No {CONFIG_FILE} in its folder or above: the defaults apply"))),
    }
    let Some(suite) = &document.suite else { return };
    for (name, target) in &config.targets {
        let kind = match &target.kind {
            TargetKind::Replay => "replays transcripts",
            TargetKind::Command(_) => "runs a program",
            TargetKind::Browser(_) => "drives a browser",
        };
        let chosen = if *name == document.target { " (selected)" } else { "" };
        page.item(0, Line::new("Target ").code(name).say(format!(" {kind}{chosen}")));
    }
    if !config.targets.contains_key(&document.target) {
        page.item(0, Line::new("The selected target ").code(&document.target).say(" does not exist"));
    }
    let cases = &suite.document.suite().cases;
    let kept = suites::ids(&suite.document).filter(|id| suite.answers.kept(id).is_some()).count();
    let live = suites::ids(&suite.document).filter(|id| suite.answers.live(id).is_some()).count();
    let answered = format!("{} cases; {kept} have a transcript on disk, {live} an answer in memory", cases.len());
    page.item(0, Line::new(answered));
    if cases.len() > MOST_WITH_KEYS {
        page.item(
            1,
            Line::new(format!("The outline has no keys of `expected`: the suite has more than {MOST_WITH_KEYS} cases")),
        );
    }
    if let Some(path) = suite.document.path() {
        let store = suites::store(path, config);
        page.item(0, Line::new("Transcripts: ").code(&store.folder().display().to_string()));
        if store.folder().exists() && !store.is_inside() {
            page.item(1, Line::new("The folder is outside of the workspace, so the editor does not read it"));
        }
        page.item(1, Line::new(memory(document.memory)));
    }
}

/// `Memory for answers: 4.2 MiB; 1 file or answer is left out, because it is too large`
fn memory(memory: Memory) -> String {
    let left_out = match memory.left_out {
        0 => String::new(),
        1 => "; 1 file or answer is left out, because it is too large".to_owned(),
        count => format!("; {count} files or answers are left out, because they are too large"),
    };
    format!("Memory for answers: {}{left_out}", mebibytes(memory.bytes))
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
