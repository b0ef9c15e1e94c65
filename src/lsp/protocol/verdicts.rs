use std::collections::BTreeSet;

use ls_types::{Range, Uri};
use serde::{Deserialize, Serialize};

use crate::verdict::Status;

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
    pub(crate) pass: usize,
    pub(crate) partial: usize,
    pub(crate) fail: usize,
    pub(crate) error: usize,
    pub(crate) not_run: usize,
    pub(crate) running: usize,
    /// Those of the running cases that have not started.
    pub(crate) queued: usize,
    pub(crate) total: usize,
    /// Those of them whose verdict is stale.
    pub(crate) stale: usize,
    /// Why the first case with an error could not be judged, in a few words.
    pub(crate) reason: Option<String>,
}

impl Summary {
    /// Counts one more case; `None` is one without a verdict. `running` is whether it has started, if it is running.
    pub(crate) fn add(&mut self, status: Option<Status>, running: Option<bool>, is_stale: bool) {
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
