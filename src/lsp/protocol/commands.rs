//! The commands of lenses and code actions (`workspace/executeCommand`), and their argument.

use ls_types::{Command, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;

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
pub(crate) const COMPARE_WITH_BASELINE: &str = "eval-ls.compareWithBaseline";
pub(crate) const SHOW_STATUS: &str = "eval-ls.showStatus";

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
