use crate::events::CaseFinished;
use crate::verdict::CheckDetail;

/// Where in its suite a check is asked for: `line:column`; where that is not known, where the case is.
pub(super) fn place_in_suite(case: &CaseFinished, check: &CheckDetail) -> (usize, usize) {
    let of_case = (case.case.range.start.line, case.case.range.start.column);
    check.suite.map_or(of_case, |place| (place.line, place.column))
}
