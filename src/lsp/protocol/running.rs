use ls_types::{Location, Range, Uri};
use serde::{Deserialize, Serialize};

use crate::config::Debugger;
use crate::verdict::Status;

use super::CheckFailure;

/// Parameters of `eval-ls/tests`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::lsp) struct TestsParams {
    /// The suite to list with its cases; `None` for all suites without cases.
    pub(in crate::lsp) uri: Option<Uri>,
}

/// The answer to `eval-ls/tests`.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::lsp) struct TestsResult {
    pub(in crate::lsp) suites: Vec<TestSuite>,
}

/// A suite.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct TestSuite {
    pub(in crate::lsp) uri: Uri,
    /// Its path from the workspace's folder.
    pub(in crate::lsp) label: String,
    /// The hash of its text.
    pub(in crate::lsp) hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) cases: Option<Vec<TestCase>>,
}

/// A case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct TestCase {
    pub(in crate::lsp) id: String,
    /// Its place among the suite's cases, from 0.
    pub(in crate::lsp) index: usize,
    pub(in crate::lsp) category: String,
    pub(in crate::lsp) prompt: String,
    /// Of the id, quotes included.
    pub(in crate::lsp) range: Range,
    /// Of the whole case.
    pub(in crate::lsp) case_range: Range,
    /// The hash of its text.
    pub(in crate::lsp) hash: String,
}
/// Parameters of `eval-ls/run`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct RunParams {
    pub(in crate::lsp) suites: Vec<RunSuite>,
    /// Overrides the selected target.
    #[serde(default)]
    pub(in crate::lsp) target: Option<String>,
    /// Whether answers are accepted as transcripts.
    #[serde(default)]
    pub(in crate::lsp) record: Option<bool>,
    /// The port of this machine at which the program of the target waits for a debugger; `None` without one.
    #[serde(default)]
    pub(in crate::lsp) debug_port: Option<u16>,
    /// Whether the client can attach to a Python program.
    #[serde(default)]
    pub(in crate::lsp) attaches_python: Option<bool>,
    /// Whether only cases run that have no answer of the target to their current prompts.
    #[serde(default)]
    pub(in crate::lsp) changed: Option<bool>,
}

/// The cases of a suite to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct RunSuite {
    pub(in crate::lsp) uri: Uri,
    /// The ids; `None` for all.
    #[serde(default)]
    pub(in crate::lsp) cases: Option<Vec<String>>,
}

/// The answer to `eval-ls/run`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct RunResult {
    pub(in crate::lsp) run: Option<u64>,
}

/// Parameters of `eval-ls/requestApproval`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct RequestApprovalParams {
    /// The suites that will run.
    pub(in crate::lsp) uris: Vec<Uri>,
    /// Overrides the configured target.
    #[serde(default)]
    pub(in crate::lsp) target: Option<String>,
    /// Replaces the `eval-ls.toml` above the suites.
    #[serde(default)]
    pub(in crate::lsp) config: Option<Uri>,
}

/// The answer to `eval-ls/requestApproval`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct RequestApprovalResult {
    /// The hashes of the targets.
    pub(in crate::lsp) approved: Vec<String>,
}

/// Parameters of `eval-ls/stop`, and the argument of `eval-ls.stop`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::lsp) struct StopParams {
    pub(in crate::lsp) run: Option<u64>,
    pub(in crate::lsp) uri: Option<Uri>,
    pub(in crate::lsp) case: Option<String>,
}

/// The answer to `eval-ls/stop`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct StopResult {
    pub(in crate::lsp) stopped: usize,
}

/// The data of an error that a person can prevent.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct ErrorData {
    pub(in crate::lsp) remedy: Remedy,
    pub(in crate::lsp) location: Option<Location>,
}

/// What a person can do so that a request succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::lsp) enum Remedy {
    /// Trust the workspace.
    Trust,
    /// Save the suite in a file.
    Save,
    /// Fix the configuration, at the location.
    Configuration,
}

pub(in crate::lsp) const RUN_CASE: &str = "eval-ls.runCase";
pub(in crate::lsp) const RUN_SUITE: &str = "eval-ls.runSuite";
pub(in crate::lsp) const RUN_FAILED: &str = "eval-ls.runFailed";
pub(in crate::lsp) const STOP: &str = "eval-ls.stop";
pub(in crate::lsp) const OPEN_RESULT: &str = "eval-ls.openResult";
pub(in crate::lsp) const OPEN_TRANSCRIPT: &str = "eval-ls.openTranscript";
pub(in crate::lsp) const CHOOSE_TARGET: &str = "eval-ls.chooseTarget";
pub(in crate::lsp) const ACCEPT: &str = "eval-ls.acceptAsTranscript";
pub(in crate::lsp) const ACCEPT_ALL: &str = "eval-ls.acceptAll";
pub(in crate::lsp) const CHALLENGE_SUITE: &str = "eval-ls.challengeSuite";
pub(in crate::lsp) const EXPLAIN_LINT: &str = "eval-ls.explainLint";
pub(in crate::lsp) const OPEN_CONFIGURATION: &str = "eval-ls.openConfiguration";
pub(in crate::lsp) const OPEN_REPORT: &str = "eval-ls.openReport";
pub(in crate::lsp) const COMPARE_WITH_BASELINE: &str = "eval-ls.compareWithBaseline";
pub(in crate::lsp) const SHOW_STATUS: &str = "eval-ls.showStatus";

/// All of them, in the order of the documentation.
pub(in crate::lsp) const COMMANDS: [&str; 15] = [
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
pub(in crate::lsp) struct Argument {
    /// The suite; optional if only one is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) uri: Option<Uri>,
    /// The case's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) case: Option<String>,
    /// Whether answers are accepted as transcripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) record: Option<bool>,
    /// Whether answers are counted and not accepted.
    #[serde(default, rename = "onlyCount", skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) only_count: Option<bool>,
    /// The target's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) target: Option<String>,
    /// The lint's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) lint: Option<String>,
    /// A place in the file at `uri`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) range: Option<Range>,
    /// The folder of a kept run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lsp) run: Option<Uri>,
}

/// Parameters of `eval-ls/runEvent`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(in crate::lsp) enum RunEvent {
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
pub(in crate::lsp) struct DebuggerAt {
    #[serde(rename = "type")]
    pub(in crate::lsp) kind: Debugger,
    pub(in crate::lsp) port: u16,
}

/// A case that is to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::lsp) struct Item {
    pub(in crate::lsp) uri: Uri,
    pub(in crate::lsp) case: String,
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::lsp) enum CaseOutcome {
    /// It was stopped.
    Cancelled,
    /// It was judged.
    #[serde(untagged)]
    Judged(Status),
}

/// Parameters of `eval-ls/testsChanged` and `eval-ls/verdictsChanged`.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct UrisParams {
    pub(in crate::lsp) uris: Vec<Uri>,
}
