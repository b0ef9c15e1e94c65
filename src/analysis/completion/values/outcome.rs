//! The outcome that fits the other expectations of a case.

use crate::suite::{Expected, Outcome, TelemetryEntry};

use super::tools;

/// The outcome that the telemetry and the tools of a case imply; `None` if several are as likely.
pub(super) fn fitting(expected: &Expected) -> Option<Outcome> {
    let results = || tools::names(&expected.telemetry).map(TelemetryEntry::parse);
    let has_result = |wanted: bool| {
        results().any(|entry| matches!(entry, TelemetryEntry::Result { success, .. } if success == wanted))
    };
    let has_tools = tools::names(&expected.tool_calls_any).next().is_some();
    match (has_result(true), has_result(false)) {
        (true, false) => return Some(Outcome::ToolSuccess),
        (false, true) => return Some(Outcome::GracefulError),
        _ => {}
    }
    if results().any(|entry| matches!(entry, TelemetryEntry::Start { .. })) {
        return Some(Outcome::ToolStarted);
    }
    let is_about_response = expected.required_sources.is_some()
        || expected.must_ground_numbers.is_some()
        || expected.must_label_assumptions.is_some()
        || expected.required_levers.is_some()
        || expected.claim_evidence_alignment.is_some();
    match (has_tools, tools::names(&expected.tool_calls_none).next().is_some()) {
        (false, _) if is_about_response => Some(Outcome::ResponseOnly),
        (false, true) => Some(Outcome::GracefulBlock),
        _ => None,
    }
}
