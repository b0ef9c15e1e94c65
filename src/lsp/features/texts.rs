//! Answers as text: the transcript and the result of a case (`eval-ls/transcript`, `eval-ls/result`), and its answer in a run of its baseline
//! (`eval-ls/baselineAnswer`). Answers that are accepted become transcripts.

use std::path::Path;
use std::sync::Arc;

use similar::TextDiff;

use crate::analysis::challenges::suite_page;
use crate::analysis::verdicts::{case_result, suite_result};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{BaselineAnswer, ResultParams, TextParams, TextResult};
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::runs::{Baseline, CaseHashes, CaseLine, KeptRun, RunId, Runs};
use crate::transcript::{Transcript, TranscriptError, Wanted};
use crate::verdict::Status;
use crate::workspace::root_of_file;

/// Why an answer cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AcceptFault {
    #[error("no unsaved answer for case {0}")]
    NoAnswer(String),
    #[error("all answers of this suite are transcripts already")]
    NoAnswers,
    #[error("save the suite first: its location determines where its transcripts go")]
    NoFile,
    #[error(transparent)]
    Write(#[from] TranscriptError),
}

/// The transcript of a case as JSON: the newest, or the one on disk.
pub(crate) fn transcript(suite: &Snapshot, params: &TextParams) -> Option<TextResult> {
    let TextParams { case, kept, .. } = params;
    let answer = if *kept == Some(true) { suite.answers.kept(case) } else { suite.answers.of(case) }?;
    Some(match &answer.file {
        Some(file) => TextResult { text: file.text.as_str().to_owned(), uri: uris::from_path(&file.path) },
        None => TextResult { text: answer.transcript.as_ref().ok()?.to_json(), uri: None },
    })
}

/// The result of a case, or of all, as Markdown.
pub(crate) fn result(suite: &Snapshot, params: &ResultParams) -> Option<TextResult> {
    let is_kept = params.kept == Some(true);
    let answers = if is_kept { Arc::new(suite.answers.only_kept()) } else { Arc::clone(&suite.answers) };
    let text = match &params.case {
        Some(case) => case_result(&suite.document, &answers, case)?,
        None => suite_result(&suite.document, &answers, &name(suite)),
    };
    Some(TextResult { text, uri: None })
}

/// The challenges of a suite, as Markdown.
pub(crate) fn challenges(suite: &Snapshot) -> TextResult {
    TextResult { text: suite_page(&suite.document, &suite.answers, &name(suite)), uri: None }
}

fn name(suite: &Snapshot) -> String {
    let name = suite.document.path().and_then(|path| path.file_name());
    name.map_or_else(|| suite.uri.as_str().to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Accepts the answer in memory: stores it as the case's transcript.
///
/// # Errors
/// If there is none, or it cannot be written.
pub(crate) fn accept(suite: &Snapshot, case: &str) -> Result<(), AcceptFault> {
    let transcript = suite.answers.live(case).and_then(|answer| answer.transcript.as_ref().ok());
    let transcript = transcript.ok_or_else(|| AcceptFault::NoAnswer(quoted(case)))?;
    let path = suite.document.path().ok_or(AcceptFault::NoFile)?;
    let config = suite.answers.config();
    let is_private = transcript.target.as_deref().is_some_and(|target| config.passes_variables(target));
    suites::store(path, config).private(is_private).write(transcript)?;
    Ok(())
}

/// The answers of a suite that are not transcripts yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToAccept {
    /// The ids of their cases.
    ids: Vec<String>,
    /// How many of them replace a transcript.
    pub(crate) replaced: usize,
    /// How many of them do not pass.
    pub(crate) not_passed: usize,
}

impl ToAccept {
    /// Looks for the answers of a suite.
    ///
    /// # Errors
    /// If no answer remains to be accepted.
    pub(crate) fn of(suite: &Snapshot) -> Result<ToAccept, AcceptFault> {
        let store = suites::store(suite.document.path().ok_or(AcceptFault::NoFile)?, suite.answers.config());
        let mut found = ToAccept::default();
        for (index, placed) in suite.document.suite().cases.iter().enumerate() {
            let Some(id) = placed.case.id.as_ref().map(|id| &id.value) else { continue };
            let answer = suite.answers.live(id).filter(|answer| answer.file.is_none());
            let Some(Ok(transcript)) = answer.map(|answer| &answer.transcript) else { continue };
            // The session may not have read a file yet that was just accepted.
            if store.holds(transcript) {
                continue;
            }
            let verdict = suite.document.verdict(index, &suite.answers);
            found.ids.push(id.clone());
            found.replaced += usize::from(store.path(id).is_file());
            found.not_passed += usize::from(verdict.is_none_or(|verdict| verdict.status() != Status::Pass));
        }
        if found.ids.is_empty() { Err(AcceptFault::NoAnswers) } else { Ok(found) }
    }

    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Accepts them.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn accept(&self, suite: &Snapshot) -> Result<(), AcceptFault> {
        self.ids.iter().try_for_each(|id| accept(suite, id))
    }
}

/// The lines around a difference.
const AROUND: usize = 3;

/// Why there is nothing to compare.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaselineFault {
    #[error("case {0} has no answer yet; run it first")]
    NoAnswer(String),
    #[error("save the suite first: its location determines where its baselines are")]
    NoFile,
    #[error("no baseline has the case {case}: {looked_for}; `eval-ls baseline accept` makes a kept run the baseline")]
    NoBaseline { case: String, looked_for: String },
    #[error(
        "the baseline of {case} comes from the run {run}, which is not kept here, and a baseline has no answers; run the suite \
         until the case passes, or make a kept run the baseline with `eval-ls baseline accept`"
    )]
    NotKept { case: String, run: String },
}

/// An answer of an earlier run.
struct Earlier {
    transcript: Transcript,
    /// Where it comes from.
    description: String,
}

/// The answer of a case in a run of its baseline, the last run first and one that passed before others. If no such run is kept,
/// the last answer that passed the current text of the case.
///
/// # Errors
/// If there is neither, or the case has no baseline.
pub(crate) fn baseline_answer(suite: &Snapshot, case: &str) -> Result<BaselineAnswer, BaselineFault> {
    let Earlier { transcript, description } = earlier(suite, case)?;
    Ok(BaselineAnswer { text: transcript.to_json(), description })
}

/// The answer of the baseline beside the last answer, as a unified diff.
///
/// # Errors
/// As [`baseline_answer`], and if the case has no answer now.
pub(crate) fn baseline_differences(suite: &Snapshot, case: &str) -> Result<String, BaselineFault> {
    let Earlier { transcript, description } = earlier(suite, case)?;
    let now = suite.answers.of(case).and_then(|answer| answer.transcript.as_ref().ok());
    let now = now.ok_or_else(|| BaselineFault::NoAnswer(quoted(case)))?;
    let ended = |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (then, now) = (ended(&transcript.response), ended(&now.response));
    if then == now {
        return Ok(format!("The last answer is the same as this one: {description}\n"));
    }
    let diff = TextDiff::configure().timeout(std::time::Duration::from_millis(200)).diff_lines(&then, &now);
    Ok(diff.unified_diff().context_radius(AROUND).header(&description, "last answer").to_string())
}

fn earlier(suite: &Snapshot, case: &str) -> Result<Earlier, BaselineFault> {
    let path = suite.document.path().ok_or(BaselineFault::NoFile)?;
    let answer = suite.answers.of(case).ok_or_else(|| BaselineFault::NoAnswer(quoted(case)))?;
    let config = suite.answers.config();
    let Some(baseline) = suite.answers.baselines().of(answer, case) else {
        let target = answer.target().unwrap_or(crate::config::REPLAY);
        let file = Baseline::path(path, target);
        let looked_for = match file.exists() {
            true => format!("`{}` does not have it", file.display()),
            false => format!("`{}` does not exist", file.display()),
        };
        return Err(BaselineFault::NoBaseline { case: quoted(case), looked_for });
    };
    let root = &root_of_file(path);
    let kept = Kept { runs: suites::kept_runs(root, config), root, path, case };
    let wanted = Wanted::by(config);
    let mut found: Vec<(KeptRun, CaseLine)> =
        baseline.runs.iter().rev().filter_map(|run| kept.line(kept.run(&run.id)?)).collect();
    found.sort_by_key(|(_, line)| line.status != Status::Pass);
    let of_baseline = found.iter().find_map(|(run, line)| {
        let description = format!("baseline ({}, run {})", line.status, run.id());
        Some(Earlier { transcript: viewed(run, line, &wanted)?, description })
    });
    of_baseline.or_else(|| kept.passed(suite, baseline.target, &wanted)).ok_or_else(|| BaselineFault::NotKept {
        case: quoted(case),
        run: baseline.runs.last().map(|run| quoted(&run.id)).unwrap_or_default(),
    })
}

/// The kept runs of a case.
struct Kept<'a> {
    runs: Runs,
    root: &'a Path,
    path: &'a Path,
    case: &'a str,
}

impl Kept<'_> {
    /// The run with that id.
    fn run(&self, id: &str) -> Option<KeptRun> {
        self.runs.open(&RunId::new(id)?).ok()
    }

    /// How the case ended in a run, if the run has its answer.
    fn line(&self, run: KeptRun) -> Option<(KeptRun, CaseLine)> {
        let suite = run.record().suites.iter().position(|suite| self.root.join(&suite.path) == self.path)?;
        let mut lines = run.lines().ok()?.into_iter();
        let line = lines.find(|line| line.suite == suite && line.case == self.case && line.answer.is_some())?;
        Some((run, line))
    }

    /// The last answer of the target that passed the case with its current text.
    fn passed(&self, suite: &Snapshot, target: &str, wanted: &Wanted) -> Option<Earlier> {
        let mut cases = suite.document.suite().cases.iter();
        let placed = cases.find(|placed| placed.case.id.as_ref().is_some_and(|id| id.value == self.case))?;
        let text = suite.document.text().slice(placed.span());
        let now = CaseHashes::of(&placed.case, text, suite.answers.config());
        let runs = self.runs.list().into_iter().filter(|run| run.record().target.name == target);
        let mut passed = runs.filter_map(|run| self.line(run)).filter(|(run, line)| {
            line.status == Status::Pass && run.hashes(line.suite, line.index).is_some_and(|then| *then == now)
        });
        passed.find_map(|(run, line)| {
            let description =
                format!("last answer that passed (run {}), because no run of the baseline is kept", run.id());
            Some(Earlier { transcript: viewed(&run, &line, wanted)?, description })
        })
    }
}

fn viewed(run: &KeptRun, line: &CaseLine, wanted: &Wanted) -> Option<Transcript> {
    run.answer(line).ok()??.viewed(wanted).ok()
}
