//! The extensions of the protocol: the types of `docs/lsp-extensions.md`, under their names there.

pub(crate) mod running;
mod texts;
mod verdicts;

pub(crate) use running::{
    CaseOutcome, DebuggerAt, ErrorData, Item, Remedy, RequestApprovalParams, RequestApprovalResult, RunEvent,
    RunParams, RunResult, RunSuite, StopParams, StopResult, TestCase, TestSuite, TestsParams, TestsResult, UrisParams,
};
pub(crate) use texts::{
    Approve, ApproveParams, BaselineAnswer, CheckPlace, EXPERIMENTAL, Experimental, IsSuiteParams, IsSuiteResult,
    PROTOCOL, ReportParams, ReportResult, ResultParams, SuiteOfRun, TextParams, TextResult, TranscriptPage,
    TranscriptPageParams, TrustParams,
};
pub(crate) use verdicts::{CaseVerdict, CheckFailure, Summary, VerdictsParams, VerdictsResult};

#[cfg(test)]
mod tests;
