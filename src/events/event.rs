use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::verdict::{CaseResult, Status};

use super::Summary;
use crate::text::LineRange;

/// What happens in a run, one after the other. As JSON each is an object whose `event` names it: `docs/events.md` shows
/// them.
///
/// A run is `run-started`, then `case-started` and `case-finished` for each case, then `run-finished`; the others stand
/// between. With several jobs the cases' events come as they happen, which need not be the order of the suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first of all.
    RunStarted(RunStarted),
    /// An earlier run of a suite was cut short; what it had found is kept.
    InterruptedRun(InterruptedRun),
    /// A case is asked from now on.
    CaseStarted(CaseStarted),
    /// How far a case is.
    CaseProgress(CaseProgress),
    /// A case has its result.
    CaseFinished(Box<CaseFinished>),
    /// Something went wrong that changes no verdict.
    Warning(Warning),
    /// The last of all.
    RunFinished(RunFinished),
}

/// The first event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStarted {
    /// When: a date and time of RFC 3339, in UTC.
    pub started_at: String,
    /// The target's name.
    pub target: String,
    /// Whether the target really is asked, and not what was kept of it.
    pub live: bool,
    /// How many cases run at a time.
    pub jobs: usize,
    /// How long one case may take, in milliseconds.
    pub timeout_ms: u64,
    /// Whether transcripts are kept.
    pub record: bool,
    /// How many cases are to be run.
    pub total: usize,
    /// The suites, in the order in which they were given.
    pub suites: Vec<SuiteStarted>,
}

/// A suite of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteStarted {
    /// The suite's path, as it was given.
    pub suite: String,
    /// How many of its cases are to be run.
    pub total: usize,
}

/// An earlier run that was cut short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptedRun {
    /// The suite's path, as this run was given it.
    pub suite: String,
    /// When the other run started, where it says so.
    pub started_at: Option<String>,
    /// How many of its cases had finished.
    pub finished: usize,
    /// The file that now has their results: JSON lines.
    pub results: String,
}

/// A case begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseStarted {
    /// Which case.
    #[serde(flatten)]
    pub case: CaseRef,
}

/// How far a case is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseProgress {
    /// Which case.
    #[serde(flatten)]
    pub case: CaseRef,
    /// A lower-case fragment such as `setup 1 of 3`.
    pub message: String,
}

/// A case has its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseFinished {
    /// Which case.
    #[serde(flatten)]
    pub case: CaseRef,
    /// How it ended.
    pub status: Status,
    /// Whether it has no answer because the run was cancelled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cancelled: bool,
    /// How long it took in this run, in milliseconds; the result says how long its transcript took.
    pub duration_ms: u64,
    /// The file that has its transcript; `None` where none is kept.
    pub transcript: Option<String>,
    /// What was answered, as in a transcript's file, where the run hands answers over and there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// All that was found.
    pub result: CaseResult,
}

/// Something went wrong that changes no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What: a lower-case fragment.
    pub message: String,
}

/// The last event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFinished {
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// How many cases were never begun.
    pub not_run: usize,
    /// What came of the others.
    pub summary: Summary,
    /// What came of each suite.
    pub suites: Vec<SuiteFinished>,
}

/// What came of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteFinished {
    /// The suite's path, as it was given.
    pub suite: String,
    /// How many of its cases were never begun.
    pub not_run: usize,
    /// What came of the others.
    pub summary: Summary,
}

/// Which case an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRef {
    /// The suite's path, as it was given.
    pub suite: String,
    /// The case's id; empty where it has none.
    pub case: String,
    /// Its index among the suite's cases, from 0.
    pub index: usize,
    /// Where its id stands, quotes included; where it has none, the case's first character.
    pub range: LineRange,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_false(flag: &bool) -> bool {
    !flag
}
