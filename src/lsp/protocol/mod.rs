//! The extensions of the protocol: the types of `docs/lsp-extensions.md`, under their names there.

mod answers;
pub(crate) mod running;

pub(crate) use answers::{
    Approve, ApproveParams, BaselineAnswer, CaseVerdict, CheckFailure, CheckPlace, EXPERIMENTAL, Experimental,
    IsSuiteParams, IsSuiteResult, PROTOCOL, ReportParams, ReportResult, ResultParams, SuiteOfRun, Summary, TextParams,
    TextResult, TranscriptPage, TranscriptPageParams, TrustParams, VerdictsParams, VerdictsResult,
};
pub(crate) use running::{
    CaseOutcome, DebuggerAt, ErrorData, Item, Remedy, RequestApprovalParams, RequestApprovalResult, RunEvent,
    RunParams, RunResult, RunSuite, StopParams, StopResult, TestCase, TestSuite, TestsParams, TestsResult, UrisParams,
};

#[cfg(test)]
mod tests;
