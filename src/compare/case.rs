//! One change for each case.

use std::collections::BTreeSet;

use crate::statistics::{Counts, LEVEL, Pair, exact_test};
use crate::verdict::Status;

use super::edits::edits;
use super::side::Observed;
use super::{CaseChange, Change, Side, State, Stood, checks};

/// The cases of both sides: those of the later side in its order, then those that only the earlier side has.
pub(super) fn changes(before: &Side, after: &Side) -> Vec<CaseChange> {
    let kinds: BTreeSet<&str> = before.kinds().intersection(&after.kinds()).copied().collect();
    let later = after.cases.iter().map(|now| match before.case(&now.suite, &now.id) {
        None => alone(now, Change::New),
        Some(then) => compared(then, now, &kinds),
    });
    let gone = before.cases.iter().filter(|then| after.case(&then.suite, &then.id).is_none()).map(|then| {
        let is_left_out = after.left_out(before, &then.suite, &then.id);
        alone(then, if is_left_out { Change::NotRun } else { Change::Vanished })
    });
    later.chain(gone).collect()
}

/// A case that only one side has.
fn alone(case: &Observed, change: Change) -> CaseChange {
    let state = Some(case.state());
    let (before, after) = if change == Change::New { (None, state) } else { (state, None) };
    CaseChange {
        suite: case.suite.clone(),
        case: case.id.clone(),
        category: case.category.clone(),
        change,
        edits: Vec::new(),
        before,
        after,
        checks: Vec::new(),
    }
}

pub(super) fn compared(then: &Observed, now: &Observed, kinds: &BTreeSet<&str>) -> CaseChange {
    let edits = edits(then, now, kinds);
    let (before, after) = (then.state(), now.state());
    let checks = checks::moves(then, now);
    let change = if edits.iter().any(|edit| matches!(*edit, "prompts" | "expectations")) {
        Change::CaseEdited
    } else if !edits.is_empty() {
        Change::ConfigurationEdited
    } else {
        match of_states(&before, &after) {
            Change::Unchanged if !checks.is_empty() => Change::ChecksMoved,
            change => change,
        }
    };
    CaseChange {
        suite: now.suite.clone(),
        case: now.id.clone(),
        category: now.category.clone(),
        change,
        edits,
        before: Some(before),
        after: Some(after),
        checks,
    }
}

/// The change between two states of a case that was not edited.
fn of_states(before: &State, after: &State) -> Change {
    match (before.stood(), after.stood()) {
        (Stood::NotJudged, Stood::NotJudged) => Change::Unchanged,
        (Stood::NotJudged, _) | (_, Stood::NotJudged) => Change::NotJudged,
        _ if before.stale || after.stale => Change::Stale,
        (Stood::Always(then), Stood::Always(now)) => match rank(then).cmp(&rank(now)) {
            std::cmp::Ordering::Less => Change::Regressed,
            std::cmp::Ordering::Equal => Change::Unchanged,
            std::cmp::Ordering::Greater => Change::Fixed,
        },
        (Stood::Mixed, _) | (_, Stood::Mixed) => {
            let counts = |state: &State| Counts { passed: state.passed, attempts: state.judged };
            let test = exact_test(&[Pair { before: counts(before), after: counts(after) }]);
            match (test.two_sided < LEVEL, test.worse < test.better) {
                (false, _) => Change::Flaky,
                (true, true) => Change::Regressed,
                (true, false) => Change::Fixed,
            }
        }
    }
}

/// The order of the statuses, from best to worst.
fn rank(status: Status) -> u8 {
    match status {
        Status::Pass => 0,
        Status::Partial => 1,
        Status::Fail => 2,
        Status::Error => 3,
    }
}
