use crate::checks::{CheckOutcome, CheckResult};
use crate::suite::{Group, List};

use super::GroupScore;

/// The number of checks in each group, and how many of them passed. An unknown check counts as not passed.
pub(super) fn scores(checks: &[CheckResult]) -> [GroupScore; 6] {
    Group::ALL.map(|group| {
        let outcomes = checks.iter().filter(|check| check.group == Some(group)).map(|check| check.outcome);
        let passed = outcomes.clone().filter(|outcome| *outcome == CheckOutcome::Passed).count();
        GroupScore { group, passed, total: outcomes.count() }
    })
}

/// The groups of `hard_fail` with a check that did not pass, each once. A group that does not exist has no checks.
pub(super) fn triggered(hard_fail: Option<&List>, groups: &[GroupScore; 6]) -> Vec<Group> {
    let mut triggered = Vec::new();
    for name in hard_fail.into_iter().flat_map(List::entries) {
        let score = groups.iter().find(|score| score.group.name() == name.value);
        let failing = score.filter(|score| score.passed < score.total).map(|score| score.group);
        triggered.extend(failing.filter(|group| !triggered.contains(group)));
    }
    triggered
}
