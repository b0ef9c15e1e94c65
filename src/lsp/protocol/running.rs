use ls_types::{Command, Location, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config::Debugger;
use crate::verdict::Status;

use super::CheckFailure;

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
    /// Its path from the workspace's folder.
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
    /// Its place among the suite's cases, from 0.
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
    /// Whether answers are accepted as transcripts.
    pub(crate) record: Option<bool>,
    /// The port of this machine at which the program of the target waits for a debugger; `None` without one.
    pub(crate) debug_port: Option<u16>,
    /// Whether the client can attach to a Python program.
    pub(crate) attaches_python: Option<bool>,
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

pub(crate) const RUN_CASE: &str = "eval-ls.runCase";
pub(crate) const RUN_SUITE: &str = "eval-ls.runSuite";
pub(crate) const RUN_FAILED: &str = "eval-ls.runFailed";
pub(crate) const STOP: &str = "eval-ls.stop";
pub(crate) const OPEN_RESULT: &str = "eval-ls.openResult";
pub(crate) const OPEN_TRANSCRIPT: &str = "eval-ls.openTranscript";
pub(crate) const CHOOSE_TARGET: &str = "eval-ls.chooseTarget";
pub(crate) const ACCEPT: &str = "eval-ls.acceptAsTranscript";
pub(crate) const ACCEPT_ALL: &str = "eval-ls.acceptAll";
pub(crate) const CHALLENGE_SUITE: &str = "eval-ls.challengeSuite";
pub(crate) const EXPLAIN_LINT: &str = "eval-ls.explainLint";
pub(crate) const OPEN_CONFIGURATION: &str = "eval-ls.openConfiguration";
pub(crate) const OPEN_REPORT: &str = "eval-ls.openReport";
pub(crate) const COMPARE_WITH_BASELINE: &str = "eval-ls.compareWithBaseline";
pub(crate) const SHOW_STATUS: &str = "eval-ls.showStatus";

/// All of them, in the order of the documentation.
pub(crate) const COMMANDS: [&str; 15] = [
    RUN_CASE,
    RUN_SUITE,
    RUN_FAILED,
    STOP,
    OPEN_RESULT,
    OPEN_TRANSCRIPT,
    CHOOSE_TARGET,
    ACCEPT,
    ACCEPT_ALL,
    CHALLENGE_SUITE,
    COMPARE_WITH_BASELINE,
    EXPLAIN_LINT,
    OPEN_CONFIGURATION,
    OPEN_REPORT,
    SHOW_STATUS,
];

/// The argument of a command. Each command uses only some of the fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Argument {
    /// The suite; optional if only one is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<Uri>,
    /// The case's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) case: Option<String>,
    /// Whether answers are accepted as transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<bool>,
    /// Whether answers are counted and not accepted.
    #[serde(rename = "onlyCount", skip_serializing_if = "Option::is_none")]
    pub(crate) only_count: Option<bool>,
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

/// Parameters of `eval-ls/runEvent`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum RunEvent {
    /// The first of a run.
    Started { run: u64, target: String, live: bool, debugger: Option<DebuggerAt>, items: Vec<Item> },
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

/// Where the programs of a run wait for a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DebuggerAt {
    #[serde(rename = "type")]
    pub(crate) kind: Debugger,
    pub(crate) port: u16,
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
    /// It was stopped.
    Cancelled,
    /// It was judged.
    #[serde(untagged)]
    Judged(Status),
}

/// Parameters of `eval-ls/testsChanged` and `eval-ls/verdictsChanged`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UrisParams {
    pub(crate) uris: Vec<Uri>,
}
