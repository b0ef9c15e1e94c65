//! What goes over the wire beyond the protocol: the types of `docs/lsp-extensions.md`, under the names that they have
//! there.

mod events;
mod running;
mod texts;
mod verdicts;

pub(super) use events::{CaseOutcome, Item, RunEvent, UrisParams};
pub(super) use running::{RunParams, RunResult, StopParams, StopResult, TestCase, TestSuite, TestsParams, TestsResult};
pub(super) use texts::TrustParams;
pub(super) use verdicts::{CaseVerdict, CheckFailure, Summary, VerdictsParams, VerdictsResult};
