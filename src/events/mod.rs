//! The events of a run as plain data. The runner emits them; reports and the language server read them.
//!
//! `docs/events.md` documents their JSON.

mod summary;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::LineRange;
use crate::verdict::{CaseResult, Status, Versions};

pub(crate) use summary::{AnswerText, Estimate, Grade, Policy, RepeatSummary, RunSummary, average_score};

/// An event of a run. As JSON it is an object with its name in `event`; `docs/events.md` has examples.
///
/// A run emits `run-started`, then `case-started` and `case-finished` for each case, then `run-finished`. The other events
/// come in between. With several jobs, the events of different cases may interleave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Event {
    /// The first event.
    RunStarted(RunStarted),
    /// An earlier run of a suite was interrupted; its results are in a file.
    InterruptedRun(InterruptedRun),
    /// A case starts.
    CaseStarted(CaseStarted),
    /// The progress of a case.
    CaseProgress(CaseProgress),
    /// A case has its result.
    CaseFinished(Box<CaseFinished>),
    /// A suite cannot be run. It comes before `run-started`.
    SuiteNotRun(SuiteNotRun),
    /// A problem that changes no verdict.
    Warning(Warning),
    /// The last event.
    RunFinished(RunFinished),
}

/// The first event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunStarted {
    /// [`RunStarted::FORMAT`].
    #[serde(default)]
    pub(crate) format: String,
    /// The versions of the programs that judge.
    #[serde(default)]
    pub(crate) versions: Versions,
    /// The start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// The target's name.
    pub(crate) target: String,
    /// Whether the target is asked, not replayed from transcripts.
    pub(crate) live: bool,
    /// The program that is asked, with its arguments, or the address of the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    /// The number of cases that run at once.
    pub(crate) jobs: usize,
    /// The time limit of one case, in milliseconds.
    pub(crate) timeout_ms: u64,
    /// Whether answers are stored as transcripts.
    pub(crate) record: bool,
    /// Which results make the run fail.
    #[serde(flatten, default)]
    pub(crate) policy: Policy,
    /// The folder in which the run is kept, if it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    /// The number of cases to run.
    pub(crate) total: usize,
    /// The suites, in the order in which they were given.
    pub(crate) suites: Vec<SuiteStarted>,
}

impl RunStarted {
    /// The name and version of the format of the events. A later version may change the meaning of a key, not only add keys.
    pub(crate) const FORMAT: &str = "eval-ls/events@1";
}

/// A suite of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteStarted {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The number of its cases to run.
    pub(crate) total: usize,
}

/// An earlier run that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InterruptedRun {
    /// The suite's path, as it was given to this run.
    pub(crate) suite: String,
    /// The start of the earlier run, if it is known.
    pub(crate) started_at: Option<String>,
    /// The number of its cases that had finished.
    pub(crate) finished: usize,
    /// The file with their results: JSON lines.
    pub(crate) results: String,
    /// The run's id, for `run --resume`.
    #[serde(default)]
    pub(crate) run: String,
}

/// A suite that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteNotRun {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// A lower-case fragment: the first error, or why the suite cannot be read.
    pub(crate) reason: String,
    /// The errors in it, in the order of the text. Empty if it cannot be read.
    #[serde(default)]
    pub(crate) errors: Vec<SuiteError>,
}

/// An error in a suite that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteError {
    /// The name of the lint.
    pub(crate) lint: String,
    /// What is wrong, and what to do.
    pub(crate) message: String,
    /// The place of the mistake.
    pub(crate) range: LineRange,
}

/// A case starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseStarted {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
}

/// The progress of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseProgress {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
    /// A lower-case fragment such as `setup 1 of 3`.
    pub(crate) message: String,
}

/// A case has its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseFinished {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Whether it ended before the run was interrupted, and its result was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) resumed: bool,
    /// Its duration in this run, in milliseconds. The result has the duration that the transcript states.
    pub(crate) duration_ms: u64,
    /// The file of its transcript; `None` if there is none.
    pub(crate) transcript: Option<String>,
    /// Why the answer, which was to be stored as a transcript, could not be written: a lower-case fragment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) not_stored: Option<String>,
    /// The answer in the form of a transcript file, if the run was asked for answers and the case has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerText>,
    /// The result.
    pub(crate) result: Arc<CaseResult>,
}

/// A problem that changes no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warning {
    /// A lower-case fragment.
    pub(crate) message: String,
}

/// The last event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunFinished {
    /// Whether it was cancelled.
    pub(crate) cancelled: bool,
    /// Its duration in milliseconds.
    pub(crate) duration_ms: u64,
    /// The number of cases that have no result.
    pub(crate) not_run: usize,
    /// The number of cases that count as failed: `FAIL`, and what the policy adds.
    #[serde(default)]
    pub(crate) failures: usize,
    /// The number of cases that could not be judged, and one more if the run was cancelled.
    #[serde(default)]
    pub(crate) errors: usize,
    /// The counts of the other cases.
    pub(crate) summary: RunSummary,
    /// The cases that have no result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) skipped: Vec<CaseRef>,
    /// The result of each suite.
    pub(crate) suites: Vec<SuiteFinished>,
}

/// The result of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SuiteFinished {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The number of its cases that have no result.
    pub(crate) not_run: usize,
    /// The counts of the other cases.
    pub(crate) summary: RunSummary,
}

/// The case that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseRef {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The case's id; empty if it has none.
    pub(crate) case: String,
    /// Its index among the suite's cases, from 0.
    pub(crate) index: usize,
    /// The range of its id, quotes included; the case's first character if it has no id.
    pub(crate) range: LineRange,
}
