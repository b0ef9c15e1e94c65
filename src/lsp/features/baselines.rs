//! The last answer of a case beside the answer in a run of its baseline (`eval-ls/baselineAnswer`).

use std::path::Path;

use ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionTriggerKind, Command};
use serde_json::json;
use similar::TextDiff;

use crate::diagnostic::quoted;
use crate::lsp::protocol::BaselineAnswer;
use crate::lsp::protocol::running::{Argument, COMPARE_WITH_BASELINE};
use crate::lsp::session::fence;
use crate::lsp::session::snapshot::Snapshot;
use crate::runs::{Baseline, CaseHashes, CaseLine, KeptRun, RunId, Runs};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::Status;
use crate::workspace::root_of_file;

use super::code_actions::is_wanted;

/// The kind of the code action.
pub(crate) const COMPARE: CodeActionKind = CodeActionKind::new("eval-ls.compare");

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
pub(crate) fn answer(suite: &Snapshot, case: &str) -> Result<BaselineAnswer, BaselineFault> {
    let Earlier { transcript, description } = earlier(suite, case)?;
    Ok(BaselineAnswer { text: transcript.to_json(), description })
}

/// The same beside the last answer, as a unified diff.
///
/// # Errors
/// Those of [`answer`], and if the case has no answer now.
pub(crate) fn differences(suite: &Snapshot, case: &str) -> Result<String, BaselineFault> {
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

/// The code action at a case that has an answer and a baseline, if it is asked for.
pub(crate) fn compare_actions(suite: &Snapshot, params: &CodeActionParams) -> Option<CodeActionOrCommand> {
    let is_automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
    if is_automatic || !is_wanted(&COMPARE, &params.context) {
        return None;
    }
    let range = suite.span(params.range)?;
    let (_, placed) = suite.document.suite().case_at(range.start)?;
    let id = &placed.case.id.as_ref()?.value;
    suite.answers.baselines().of(suite.answers.of(id)?, id)?;
    let argument = Argument { uri: Some(suite.uri.clone()), case: Some(id.clone()), ..Argument::default() };
    let title = "Compare the answer with the baseline".to_owned();
    let (command, arguments) = (COMPARE_WITH_BASELINE.to_owned(), Some(vec![json!(argument)]));
    let command = Some(Command { title: title.clone(), command, arguments });
    Some(CodeActionOrCommand::CodeAction(CodeAction { title, kind: Some(COMPARE), command, ..CodeAction::default() }))
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
    let kept = Kept { runs: fence::runs(root, config), root, path, case };
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
