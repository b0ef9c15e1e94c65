use ls_types::{Location, Range, Uri};
use serde::{Deserialize, Serialize};

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
