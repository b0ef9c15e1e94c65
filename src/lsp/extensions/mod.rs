//! What goes over the wire beyond the protocol: the types of `docs/lsp-extensions.md`, under the names that they have
//! there.

pub(super) mod commands;
mod events;
mod running;
mod texts;
mod verdicts;

pub(super) use events::{CaseOutcome, Item, RunEvent, UrisParams};
pub(super) use running::{
    RunParams, RunResult, RunSuite, StopParams, StopResult, TestCase, TestSuite, TestsParams, TestsResult,
};
pub(super) use texts::{TextParams, TextResult, TrustParams};
pub(super) use verdicts::{CaseVerdict, CheckFailure, Summary, VerdictsParams, VerdictsResult};

#[cfg(test)]
mod tests;
