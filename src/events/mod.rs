//! The events of a run as plain data. The runner emits them; reports and the language server read them.
//!
//! `docs/events.md` documents their JSON.

mod event;
mod summary;

pub(crate) use event::{
    CaseFinished, CaseProgress, CaseRef, CaseStarted, Event, InterruptedRun, RunFinished, RunStarted, SuiteError,
    SuiteFinished, SuiteNotRun, SuiteStarted, Warning,
};
pub(crate) use summary::{AnswerText, RunSummary, average_score};
pub(crate) use summary::{Estimate, Grade, Policy, RepeatSummary};
