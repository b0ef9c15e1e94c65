//! The events of a run as plain data. The runner emits them; reports and the language server read them.
//!
//! `docs/events.md` documents their JSON.

mod answer;
mod event;
mod policy;
mod repeats;
mod summary;

pub(crate) use answer::AnswerText;
pub(crate) use event::{
    CaseFinished, CaseProgress, CaseRef, CaseStarted, Event, InterruptedRun, RunFinished, RunStarted, SuiteError,
    SuiteFinished, SuiteNotRun, SuiteStarted, Warning,
};
pub(crate) use policy::{Grade, Policy};
pub(crate) use repeats::{Estimate, RepeatSummary};
pub(crate) use summary::{RunSummary, average_score};
