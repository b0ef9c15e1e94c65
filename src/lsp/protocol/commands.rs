use ls_types::{Range, Uri};
use serde::{Deserialize, Serialize};

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
