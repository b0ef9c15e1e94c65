//! What is open in a case, and where its suite asks for it.

use crate::events::CaseFinished;
use crate::text::LineColumn;
use crate::verdict::Status;
use crate::wording::{Headline, check_name, further_reason, open_checks};

/// What is open in a case, each with its start, its end and its message.
pub(super) fn annotations_of(case: &CaseFinished) -> Vec<(LineColumn, LineColumn, String)> {
    let of_case = case.case.range;
    let checks: Vec<_> = open_checks(&case.result)
        .map(|check| {
            let start = check.suite.unwrap_or(of_case.start);
            let end = check.suite_end.unwrap_or(if check.suite.is_some() { start } else { of_case.end });
            (start, end, format!("{}: {}", check_name(check), check.message))
        })
        .collect();
    if case.status == Status::Error || checks.is_empty() {
        let mut message = Headline::of(&case.result).reasons();
        if let Some(further) = case.result.reason.as_deref().map(further_reason).filter(|further| !further.is_empty()) {
            message.extend(["\n", further]);
        }
        return vec![(of_case.start, of_case.end, message)];
    }
    checks
}
