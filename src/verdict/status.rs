use crate::checks::{CheckOutcome, CheckResult};
use crate::suite::Group;

use super::{SoftScore, Status};

/// The status, and the ids of the failed checks in their order, then the ids that the scoring adds.
pub(super) fn of(
    checks: &[CheckResult],
    hard_fail_triggered: &[Group],
    soft_score: &SoftScore,
) -> (Status, Vec<String>) {
    let any = |outcome: CheckOutcome| checks.iter().any(|check| check.outcome == outcome);
    if any(CheckOutcome::NotJudged) {
        return (Status::Error, Vec::new());
    }
    let failing = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    let mut failed: Vec<String> = failing.map(|check| check.id.clone()).collect();
    let from_checks = match (failed.is_empty(), any(CheckOutcome::Unknown)) {
        (false, _) => Status::Fail,
        (true, true) => Status::Partial,
        (true, false) => Status::Pass,
    };
    let status = if !hard_fail_triggered.is_empty() {
        failed.extend(hard_fail_triggered.iter().map(|group| format!("scoring:hard_fail:{group}")));
        Status::Fail
    } else if !soft_score.passed {
        failed.push("scoring:soft_score_below_threshold".to_owned());
        Status::Fail
    } else if soft_score.threshold.is_some() && from_checks == Status::Fail {
        Status::Partial
    } else {
        from_checks
    };
    (status, failed)
}
