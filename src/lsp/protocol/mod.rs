//! The extensions of the protocol: the types of `docs/lsp-extensions.md`, under their names there; and the commands of lenses and code
//! actions (`workspace/executeCommand`), with their argument.

use std::collections::BTreeSet;

use ls_types::request::Request;
use ls_types::{Command, Location, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::analysis::{JudgedCase, VerdictCounts};
use crate::verdict::Status;

/// Parameters of `eval-ls/tests`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TestsParams {
    /// The suite to list with its cases; `None` for all suites without cases.
    pub(crate) uri: Option<Uri>,
}

/// The answer to `eval-ls/tests`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct TestsResult {
    pub(crate) suites: Vec<TestSuite>,
}

/// A suite.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TestSuite {
    pub(crate) uri: Uri,
    /// The suite's path from the workspace's folder.
    pub(crate) label: String,
    /// The hash of its text.
    pub(crate) hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cases: Option<Vec<TestCase>>,
}

/// A case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TestCase {
    pub(crate) id: String,
    /// The place among the suite's cases, from 0.
    pub(crate) index: usize,
    pub(crate) category: String,
    pub(crate) prompt: String,
    /// Of the id, quotes included.
    pub(crate) range: Range,
    /// Of the whole case.
    pub(crate) case_range: Range,
    /// The hash of its text.
    pub(crate) hash: String,
}

/// Parameters of `eval-ls/run`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunParams {
    pub(crate) suites: Vec<RunSuite>,
    /// Overrides the selected target.
    pub(crate) target: Option<String>,
    /// Whether only cases run that have no answer of the target to their current prompts.
    pub(crate) changed: Option<bool>,
}

/// The cases of a suite to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunSuite {
    pub(crate) uri: Uri,
    /// The ids; `None` for all.
    pub(crate) cases: Option<Vec<String>>,
}

/// The answer to `eval-ls/run`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RunResult {
    pub(crate) run: Option<u64>,
}

/// Parameters of `eval-ls/requestApproval`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RequestApprovalParams {
    /// The suites that will run.
    pub(crate) uris: Vec<Uri>,
    /// Overrides the configured target.
    pub(crate) target: Option<String>,
    /// Replaces the `eval-ls.toml` above the suites.
    pub(crate) config: Option<Uri>,
}

/// The answer to `eval-ls/requestApproval`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RequestApprovalResult {
    /// The hashes of the targets.
    pub(crate) approved: Vec<String>,
}

/// Parameters of `eval-ls/stop`, and the argument of `eval-ls.stop`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StopParams {
    pub(crate) run: Option<u64>,
    pub(crate) uri: Option<Uri>,
    pub(crate) case: Option<String>,
}

/// The answer to `eval-ls/stop`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StopResult {
    pub(crate) stopped: usize,
}

/// The data of an error that a person can prevent.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorData {
    pub(crate) remedy: Remedy,
    pub(crate) location: Option<Location>,
}

/// What a person can do so that a request succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Remedy {
    /// Trust the workspace.
    Trust,
    /// Save the suite in a file.
    Save,
    /// Fix the configuration, at the location.
    Configuration,
}

/// Parameters of `eval-ls/runEvent`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum RunEvent {
    /// The first of a run.
    Started { run: u64, target: String, live: bool, items: Vec<Item> },
    /// A case has started.
    CaseStarted { run: u64, uri: Uri, case: String },
    /// The current step of a case.
    CaseProgress { run: u64, uri: Uri, case: String, message: String },
    /// A case has its verdict.
    CaseFinished {
        run: u64,
        uri: Uri,
        case: String,
        status: CaseOutcome,
        soft_score: Option<f64>,
        /// Milliseconds.
        duration_ms: u64,
        /// The hash of the case's text that ran.
        hash: String,
        /// The answer and the failures, as text.
        output: String,
        label: Option<String>,
        reason: Option<String>,
        failures: Vec<CheckFailure>,
    },
    /// The last of a run.
    Finished { run: u64, cancelled: bool, reason: Option<String> },
}

/// A case that is to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Item {
    pub(crate) uri: Uri,
    pub(crate) case: String,
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum CaseOutcome {
    /// The case was stopped.
    Cancelled,
    /// The answer was judged.
    #[serde(untagged)]
    Judged(Status),
}

/// Parameters of `eval-ls/testsChanged` and `eval-ls/verdictsChanged`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UrisParams {
    pub(crate) uris: Vec<Uri>,
}

/// Parameters of `eval-ls/verdicts`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VerdictsParams {
    pub(crate) uri: Uri,
}

/// The answer to `eval-ls/verdicts`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerdictsResult {
    /// The document's version, if it is open.
    pub(crate) version: Option<i32>,
    /// The selected target.
    pub(crate) target: String,
    /// The names of all targets.
    pub(crate) targets: Vec<String>,
    /// The names of the targets whose answers were judged.
    pub(crate) answered_by: BTreeSet<String>,
    /// What the counts of the summary are about, for people.
    pub(crate) about: String,
    pub(crate) summary: Summary,
    pub(crate) cases: Vec<CaseVerdict>,
}

/// The number of cases by status. A running case counts only as running, so that the counts add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    #[serde(flatten)]
    pub(crate) counts: VerdictCounts,
    pub(crate) running: usize,
    /// The running cases that have not started.
    pub(crate) queued: usize,
    pub(crate) total: usize,
    /// Why the first case with an error could not be judged, in a few words.
    pub(crate) reason: Option<String>,
}

impl Summary {
    /// Counts one more case, which may have a verdict. `running` is whether it has started, if it is running.
    pub(crate) fn add(&mut self, verdict: Option<&JudgedCase>, running: Option<bool>) {
        self.total += 1;
        match running {
            Some(has_started) => {
                self.running += 1;
                self.queued += usize::from(!has_started);
            }
            None => self.counts.add(verdict),
        }
    }
}

/// The verdict on a case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaseVerdict {
    pub(crate) id: String,
    pub(crate) range: Range,
    /// `None` if there is no transcript.
    pub(crate) status: Option<Status>,
    /// The verdict in the words of lenses and hints.
    pub(crate) label: Option<String>,
    pub(crate) running: bool,
    /// Whether the prompts have changed since the answer.
    pub(crate) stale: bool,
    pub(crate) soft_score: Option<f64>,
    /// How many checks the case makes.
    pub(crate) checks: usize,
    pub(crate) failures: Vec<CheckFailure>,
    /// The hash of its text.
    pub(crate) hash: String,
    /// How long the answer took, in milliseconds.
    pub(crate) duration_ms: Option<u64>,
    /// Why the case could not be judged.
    pub(crate) reason: Option<String>,
}

/// A check that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CheckFailure {
    /// The check's id.
    pub(crate) check: String,
    pub(crate) message: String,
    /// The range of the expectation.
    pub(crate) range: Range,
}

/// Parameters of `eval-ls/result`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ResultParams {
    pub(crate) uri: Uri,
    /// `None` for all cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) case: Option<String>,
}

/// Parameters of `eval-ls/transcript`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TextParams {
    pub(crate) uri: Uri,
    pub(crate) case: String,
    /// Whether to use the transcript on disk even if there is a later answer in memory.
    pub(crate) kept: Option<bool>,
}

/// The result of both, if there is an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TextResult {
    pub(crate) text: String,
    /// The file of the text, if it has one.
    pub(crate) uri: Option<Uri>,
}

/// Parameters of `eval-ls/transcriptPage`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TranscriptPageParams {
    pub(crate) uri: Uri,
    pub(crate) case: String,
}

/// The answer to `eval-ls/transcriptPage`, if the case has an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TranscriptPage {
    /// The page, which loads nothing.
    pub(crate) html: String,
    /// The data of the page, as JSON.
    pub(crate) data: String,
    /// Of the case's id.
    pub(crate) range: Range,
    /// The checks, in the order of the page.
    pub(crate) checks: Vec<CheckPlace>,
}

/// The place of a check in the suite.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CheckPlace {
    /// The check's id.
    pub(crate) check: String,
    /// Of the expectation; `None` if it is gone.
    pub(crate) range: Option<Range>,
}

/// Parameters of `eval-ls/isSuite`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct IsSuiteParams {
    pub(crate) uri: Uri,
}

/// The answer to `eval-ls/isSuite`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IsSuiteResult {
    pub(crate) is_suite: bool,
    /// Why, for people.
    pub(crate) reason: String,
}

/// `eval-ls/ask`, a request of the server.
pub(crate) enum Ask {}

impl Request for Ask {
    type Params = AskParams;
    type Result = Option<String>;
    const METHOD: &'static str = "eval-ls/ask";
}

/// Parameters of `eval-ls/ask`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AskParams {
    /// The question.
    pub(crate) message: String,
    /// The titles of the answers.
    pub(crate) choices: Vec<String>,
}

/// Parameters of `eval-ls/trust`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrustParams {
    pub(crate) trusted: bool,
}

/// Parameters of `eval-ls/report`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ReportParams {
    /// The run's folder. Default: the last run that has ended.
    pub(crate) run: Option<Uri>,
    /// Only the runs of this suite, if `run` is missing.
    pub(crate) uri: Option<Uri>,
}

/// The answer to `eval-ls/report`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportResult {
    /// The run's folder.
    pub(crate) run: Uri,
    pub(crate) id: String,
    /// A date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// The page, which loads nothing.
    pub(crate) html: String,
    pub(crate) suites: Vec<SuiteOfRun>,
}

/// A suite of a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SuiteOfRun {
    pub(crate) uri: Uri,
    /// The suite's path, as the page names it.
    pub(crate) label: String,
}

/// The version of these extensions. It rises when something is removed or changes its meaning; additions leave it.
pub(crate) const PROTOCOL: u32 = 1;

/// The key of [`Experimental`] in `experimental` of the server's capabilities.
pub(crate) const EXPERIMENTAL: &str = "eval-ls";

/// The extensions that the server announces.
#[derive(Serialize)]
pub(crate) struct Experimental {
    pub(crate) protocol: u32,
}

pub(crate) const RUN_CASE: &str = "eval-ls.runCase";
pub(crate) const RUN_SUITE: &str = "eval-ls.runSuite";
pub(crate) const RUN_FAILED: &str = "eval-ls.runFailed";
pub(crate) const STOP: &str = "eval-ls.stop";
pub(crate) const OPEN_RESULT: &str = "eval-ls.openResult";
pub(crate) const CHOOSE_TARGET: &str = "eval-ls.chooseTarget";
pub(crate) const ACCEPT: &str = "eval-ls.acceptAsTranscript";
pub(crate) const UNDO_ACCEPT: &str = "eval-ls.undoAccept";
pub(crate) const CHALLENGE_SUITE: &str = "eval-ls.challengeSuite";
pub(crate) const EXPLAIN_LINT: &str = "eval-ls.explainLint";
pub(crate) const OPEN_CONFIGURATION: &str = "eval-ls.openConfiguration";
pub(crate) const OPEN_REPORT: &str = "eval-ls.openReport";
pub(crate) const SHOW_STATUS: &str = "eval-ls.showStatus";
pub(crate) const IMPORT: &str = "eval-ls.import";

/// All of them, in the order of the documentation.
pub(crate) const COMMANDS: [&str; 14] = [
    RUN_CASE,
    RUN_SUITE,
    RUN_FAILED,
    STOP,
    OPEN_RESULT,
    CHOOSE_TARGET,
    ACCEPT,
    UNDO_ACCEPT,
    CHALLENGE_SUITE,
    EXPLAIN_LINT,
    OPEN_CONFIGURATION,
    OPEN_REPORT,
    SHOW_STATUS,
    IMPORT,
];

/// The argument of a command. Each command uses only some of the fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Argument {
    /// The suite, which is optional if only one is open; or another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<Uri>,
    /// The case's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) case: Option<String>,
    /// The target's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// The lint's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lint: Option<String>,
    /// A place in the file at `uri`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<Range>,
    /// The folder of a kept run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Uri>,
}

impl Argument {
    /// The command of this name with this argument.
    pub(crate) fn command(&self, title: &str, command: &str) -> Command {
        Command { title: title.to_owned(), command: command.to_owned(), arguments: Some(vec![json!(self)]) }
    }
}

#[cfg(test)]
mod tests;
