//! The extensions of the protocol: the types of `docs/lsp-extensions.md`, under their names there.

pub(in crate::lsp) mod commands;
mod events;
mod experimental;
mod kept_runs;
mod running;
mod texts;
mod verdicts;

pub(in crate::lsp) use events::{CaseOutcome, DebuggerAt, Item, RunEvent, UrisParams};
pub(in crate::lsp) use experimental::{EXPERIMENTAL, Experimental, PROTOCOL};
pub(in crate::lsp) use kept_runs::{ReportParams, ReportResult, SuiteOfRun};
pub(in crate::lsp) use running::{
    ErrorData, Remedy, RequestApprovalParams, RequestApprovalResult, RunParams, RunResult, RunSuite, StopParams,
    StopResult, TestCase, TestSuite, TestsParams, TestsResult,
};
pub(in crate::lsp) use texts::{
    Approve, ApproveParams, BaselineAnswer, CheckPlace, IsSuiteParams, IsSuiteResult, ResultParams, TextParams,
    TextResult, TranscriptPage, TranscriptPageParams, TrustParams,
};
pub(in crate::lsp) use verdicts::{CaseVerdict, CheckFailure, Summary, VerdictsParams, VerdictsResult};

#[cfg(test)]
mod tests;
