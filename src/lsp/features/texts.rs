//! Answers as text: the transcript and the result of a case (`eval-ls/transcript`, `eval-ls/result`), and its answer in a run of its baseline
//! (`eval-ls/baselineAnswer`). Answers that are accepted become transcripts.

use std::path::Path;
use std::sync::Arc;

use similar::TextDiff;

use crate::analysis::JudgedCase;
use crate::analysis::challenges::suite_page;
use crate::analysis::verdicts::{case_result, suite_result};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{BaselineAnswer, ResultParams, TextParams, TextResult};
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites::{self, Replaced};
use crate::runs::{CaseHashes, CaseLine, KeptRun, RunId, Runs};
use crate::text::counted;
use crate::transcript::{Store, Transcript, TranscriptError, Wanted};
use crate::verdict::Status;
use crate::workspace::root_of_file;

/// Why an answer cannot be accepted, or compared with its baseline.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnswerFault {
    #[error("no unsaved answer for case {0}")]
    NoAnswer(String),
    #[error("all answers of this suite are transcripts already")]
    NoAnswers,
    #[error("save the suite first: its location determines where its transcripts and baselines are")]
    NoFile,
    #[error("nothing is restored: the transcript has changed since, or another answer was accepted")]
    NotRestored,
    #[error(transparent)]
    Write(#[from] TranscriptError),
    #[error("case {0} has no answer yet; run it first")]
    NotAsked(String),
    #[error("no baseline of {target} has {case}; `eval-ls baseline accept` makes one")]
    NoBaseline { case: String, target: String },
    #[error(
        "the baseline of {case} comes from the run {run}, which is not kept here, and a baseline has no answers; run the suite \
         until the case passes, or make a kept run the baseline with `eval-ls baseline accept`"
    )]
    NotKept { case: String, run: String },
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
    let text = match &params.case {
        Some(case) => case_result(&suite.document, &suite.answers, case)?,
        None => suite_result(&suite.document, &suite.answers, &name(suite)),
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

/// The choices of [`ToAccept::question`], and the refusal.
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const CANCEL: &str = "Cancel";

/// The answers of a suite, or of one case, that are not transcripts yet.
pub(crate) struct ToAccept {
    /// The case, if they are those of one.
    case: Option<String>,
    store: Store,
    answers: Vec<NewAnswer>,
}

struct NewAnswer {
    transcript: Transcript,
    /// Whether only the user may read it.
    is_private: bool,
    verdict: Arc<JudgedCase>,
    /// Whether there is a transcript.
    replaces: bool,
    /// Whether that passes, and the answer does not.
    is_worse: bool,
}

impl ToAccept {
    /// Looks for the answers of a suite, or of one case.
    ///
    /// # Errors
    /// If no answer remains to be accepted.
    pub(crate) fn of(suite: &Snapshot, case: Option<String>) -> Result<ToAccept, AnswerFault> {
        let config = suite.answers.config();
        let store = suites::store(suite.document.path().ok_or(AnswerFault::NoFile)?, config);
        let (mut answers, kept) = (Vec::new(), suite.answers.only_kept());
        for (index, placed) in suite.document.suite().cases.iter().enumerate() {
            let Some(id) = placed.case.id.as_ref().map(|id| &id.value) else { continue };
            let is_meant = case.as_ref().is_none_or(|case| case == id);
            let answer = suite.answers.live(id).filter(|answer| is_meant && answer.file.is_none());
            let Some(Ok(transcript)) = answer.map(|answer| &answer.transcript) else { continue };
            let Some(verdict) = suite.document.verdict(index, &suite.answers) else { continue };
            // The session may not have read a file yet that was just accepted.
            if store.holds(transcript) {
                continue;
            }
            let before = suite.document.verdict(index, &kept);
            answers.push(NewAnswer {
                is_private: transcript.target.as_deref().is_some_and(|target| config.passes_variables(target)),
                replaces: store.path(id).is_file(),
                is_worse: before.is_some_and(|before| before.status().stays(verdict.status())),
                transcript: transcript.clone(),
                verdict,
            });
        }
        if answers.is_empty() {
            return Err(case.map_or(AnswerFault::NoAnswers, |case| AnswerFault::NoAnswer(quoted(&case))));
        }
        Ok(ToAccept { case, store, answers })
    }

    /// What a person must answer first, and the choices.
    pub(crate) fn question(&self) -> Option<(String, &'static [&'static str])> {
        let count = |counts: fn(&NewAnswer) -> bool| self.answers.iter().filter(|answer| counts(answer)).count();
        let worse = count(|answer| answer.is_worse);
        if let Some(case) = &self.case {
            let (case, new) = (quoted(case), self.answers[0].verdict.label());
            let question = format!("Replace the transcript of {case}?\nIt passes. The new answer does not: {new}");
            return (worse > 0).then_some((question, &["Replace", COMPARE]));
        }
        let (replaced, failed) = (count(|it| it.replaces), count(|it| it.verdict.status() != Status::Pass));
        let question = format!(
            "Accept {} as transcripts?\nReplace a transcript: {replaced}\nDo not pass: {failed}\nDo not pass, and replace a \
             transcript that does: {worse}",
            counted(self.answers.len(), "answer")
        );
        (replaced + failed > 0).then_some((question, &["Accept"]))
    }

    /// Accepts them. Returns what they replace, and what happened.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn accept(&self) -> Result<(Vec<Replaced>, String), AnswerFault> {
        let mut replaced = Vec::new();
        for NewAnswer { transcript, is_private, .. } in &self.answers {
            let store = self.store.clone().private(*is_private);
            let earlier = store.text(&store.path(&transcript.case)).ok();
            let path = store.write(transcript)?;
            replaced.extend(earlier.map(|earlier| Replaced { store, path, earlier, accepted: transcript.to_json() }));
        }
        let (answers, transcripts) = (counted(self.answers.len(), "answer"), counted(replaced.len(), "transcript"));
        Ok((replaced, format!("{answers} accepted, {transcripts} replaced")))
    }
}

/// Restores transcripts that were replaced.
///
/// # Errors
/// If there are none, one has changed since, or one cannot be written.
pub(crate) fn restore(replaced: &[Replaced]) -> Result<(), AnswerFault> {
    let is_unchanged = |it: &Replaced| it.store.text(&it.path).is_ok_and(|text| text == it.accepted);
    if replaced.is_empty() || !replaced.iter().all(is_unchanged) {
        return Err(AnswerFault::NotRestored);
    }
    Ok(replaced.iter().rev().try_for_each(|it| it.store.replace(&it.path, &it.earlier))?)
}

/// The lines around a difference.
const AROUND: usize = 3;

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
pub(crate) fn baseline_answer(suite: &Snapshot, case: &str) -> Result<BaselineAnswer, AnswerFault> {
    let Earlier { transcript, description } = earlier(suite, case)?;
    Ok(BaselineAnswer { text: transcript.to_json(), description })
}

/// The answer of the baseline beside the last answer, as a unified diff.
///
/// # Errors
/// As [`baseline_answer`], and if the case has no answer now.
pub(crate) fn baseline_differences(suite: &Snapshot, case: &str) -> Result<String, AnswerFault> {
    let Earlier { transcript, description } = earlier(suite, case)?;
    let now = suite.answers.of(case).and_then(|answer| answer.transcript.as_ref().ok());
    let now = now.ok_or_else(|| AnswerFault::NotAsked(quoted(case)))?;
    let ended = |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (then, now) = (ended(&transcript.response), ended(&now.response));
    if then == now {
        return Ok(format!("The last answer is the same as this one: {description}\n"));
    }
    let diff = TextDiff::configure().timeout(std::time::Duration::from_millis(200)).diff_lines(&then, &now);
    Ok(diff.unified_diff().context_radius(AROUND).header(&description, "last answer").to_string())
}

fn earlier(suite: &Snapshot, case: &str) -> Result<Earlier, AnswerFault> {
    let path = suite.document.path().ok_or(AnswerFault::NoFile)?;
    let answer = suite.answers.of(case).ok_or_else(|| AnswerFault::NotAsked(quoted(case)))?;
    let config = suite.answers.config();
    let Some(baseline) = suite.answers.around.baselines.of(answer, case) else {
        let target = answer.target().unwrap_or(crate::config::REPLAY);
        return Err(AnswerFault::NoBaseline { case: quoted(case), target: quoted(target) });
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
    of_baseline.or_else(|| kept.passed(suite, baseline.target, &wanted)).ok_or_else(|| AnswerFault::NotKept {
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
            line.status == Status::Pass && run.record().hashes(line.suite, line.index).is_some_and(|then| *then == now)
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
