use crate::events::CaseFinished;
use crate::verdict::CheckDetail;

/// The line and column of a check's expectation in the suite; those of the case if they are unknown.
pub(super) fn place_in_suite(case: &CaseFinished, check: &CheckDetail) -> (usize, usize) {
    let of_case = (case.case.range.start.line, case.case.range.start.column);
    check.suite.map_or(of_case, |place| (place.line, place.column))
}
