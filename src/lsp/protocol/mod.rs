//! The extensions of the protocol: the types of `docs/lsp-extensions.md`, under their names there.

pub(in crate::lsp) mod running;
mod texts;
mod verdicts;

pub(in crate::lsp) use running::{
    CaseOutcome, DebuggerAt, ErrorData, Item, Remedy, RequestApprovalParams, RequestApprovalResult, RunEvent,
    RunParams, RunResult, RunSuite, StopParams, StopResult, TestCase, TestSuite, TestsParams, TestsResult, UrisParams,
};
pub(in crate::lsp) use texts::{
    Approve, ApproveParams, BaselineAnswer, CheckPlace, EXPERIMENTAL, Experimental, IsSuiteParams, IsSuiteResult,
    PROTOCOL, ReportParams, ReportResult, ResultParams, SuiteOfRun, TextParams, TextResult, TranscriptPage,
    TranscriptPageParams, TrustParams,
};
pub(in crate::lsp) use verdicts::{CaseVerdict, CheckFailure, Summary, VerdictsParams, VerdictsResult};

#[cfg(test)]
mod tests;
