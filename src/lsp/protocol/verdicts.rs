use std::collections::BTreeSet;

use ls_types::{Range, Uri};
use serde::{Deserialize, Serialize};

use crate::verdict::Status;

/// Parameters of `eval-ls/verdicts`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::lsp) struct VerdictsParams {
    pub(in crate::lsp) uri: Uri,
}

/// The answer to `eval-ls/verdicts`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct VerdictsResult {
    /// The document's version, if it is open.
    pub(in crate::lsp) version: Option<i32>,
    /// The selected target.
    pub(in crate::lsp) target: String,
    /// The names of all targets.
    pub(in crate::lsp) targets: Vec<String>,
    /// The names of the targets whose answers were judged.
    pub(in crate::lsp) answered_by: BTreeSet<String>,
    /// What the counts of the summary are about, for people.
    pub(in crate::lsp) about: String,
    pub(in crate::lsp) summary: Summary,
    pub(in crate::lsp) cases: Vec<CaseVerdict>,
}

/// The number of cases by status. A running case counts only as running, so that the counts add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct Summary {
    pub(in crate::lsp) pass: usize,
    pub(in crate::lsp) partial: usize,
    pub(in crate::lsp) fail: usize,
    pub(in crate::lsp) error: usize,
    pub(in crate::lsp) not_run: usize,
    pub(in crate::lsp) running: usize,
    /// Those of the running cases that have not started.
    pub(in crate::lsp) queued: usize,
    pub(in crate::lsp) total: usize,
    /// Those of them whose verdict is stale.
    pub(in crate::lsp) stale: usize,
    /// Why the first case with an error could not be judged, in a few words.
    pub(in crate::lsp) reason: Option<String>,
}

impl Summary {
    /// Counts one more case; `None` is one without a verdict. `running` is whether it has started, if it is running.
    pub(in crate::lsp) fn add(&mut self, status: Option<Status>, running: Option<bool>, is_stale: bool) {
        self.total += 1;
        self.stale += usize::from(is_stale && running.is_none());
        self.queued += usize::from(running == Some(false));
        *match status {
            _ if running.is_some() => &mut self.running,
            Some(Status::Pass) => &mut self.pass,
            Some(Status::Partial) => &mut self.partial,
            Some(Status::Fail) => &mut self.fail,
            Some(Status::Error) => &mut self.error,
            None => &mut self.not_run,
        } += 1;
    }
}

/// The verdict on a case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct CaseVerdict {
    pub(in crate::lsp) id: String,
    pub(in crate::lsp) range: Range,
    /// `None` if there is no transcript.
    pub(in crate::lsp) status: Option<Status>,
    /// The verdict in the words of lenses and hints.
    pub(in crate::lsp) label: Option<String>,
    pub(in crate::lsp) running: bool,
    /// Whether the prompts have changed since the answer.
    pub(in crate::lsp) stale: bool,
    pub(in crate::lsp) soft_score: Option<f64>,
    /// How many checks the case makes.
    pub(in crate::lsp) checks: usize,
    pub(in crate::lsp) failures: Vec<CheckFailure>,
    /// The hash of its text.
    pub(in crate::lsp) hash: String,
    /// How long the answer took, in milliseconds.
    pub(in crate::lsp) duration_ms: Option<u64>,
    /// Why the case could not be judged.
    pub(in crate::lsp) reason: Option<String>,
}

/// A check that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::lsp) struct CheckFailure {
    /// The check's id.
    pub(in crate::lsp) check: String,
    pub(in crate::lsp) message: String,
    /// The range of the expectation.
    pub(in crate::lsp) range: Range,
}
