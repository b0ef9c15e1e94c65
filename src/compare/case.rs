//! One change for each case.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::statistics::{Counts, LEVEL, Pair, exact_test};
use crate::verdict::Status;

use super::model::edits;
use super::side::Observed;
use super::{CaseChange, Side, State, Stood};

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
    let checks = moves(then, now);
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

/// What happened to a case between two sides, from what matters most to what matters least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// Its status is worse.
    Regressed,
    /// The later side does not have the case.
    Vanished,
    /// It could be judged before, and not now, or the reverse.
    NotJudged,
    /// Its attempts disagree, and the difference is not larger than chance.
    Flaky,
    /// Its prompts or expectations were edited.
    CaseEdited,
    /// What the configuration or the program adds to its meaning was edited.
    ConfigurationEdited,
    /// The answer on one side was given to other prompts than the case has.
    Stale,
    /// Its status is better.
    Fixed,
    /// Only the later side has the case.
    New,
    /// Its status is the same, and its checks are not.
    ChecksMoved,
    /// The later side did not select the case, or was stopped before it.
    NotRun,
    /// Nothing changed.
    Unchanged,
}

impl Change {
    /// All changes, from what matters most to what matters least.
    pub(crate) const ALL: [Change; 12] = [
        Change::Regressed,
        Change::Vanished,
        Change::NotJudged,
        Change::Flaky,
        Change::CaseEdited,
        Change::ConfigurationEdited,
        Change::Stale,
        Change::Fixed,
        Change::New,
        Change::ChecksMoved,
        Change::NotRun,
        Change::Unchanged,
    ];

    /// The words for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Change::Regressed => "regressed",
            Change::Vanished => "vanished",
            Change::NotJudged => "could not be judged",
            Change::Flaky => "flaky",
            Change::CaseEdited => "case edited",
            Change::ConfigurationEdited => "hint or configuration edited",
            Change::Stale => "stale",
            Change::Fixed => "fixed",
            Change::New => "new",
            Change::ChecksMoved => "same status, other checks",
            Change::NotRun => "not run",
            Change::Unchanged => "unchanged",
        }
    }
}

/// A check that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CheckChange {
    /// Its id.
    pub(crate) id: String,
    /// What happened to it.
    pub(crate) change: CheckMove,
    /// How often it passed before; `None` if it did not exist.
    pub(crate) before: Option<Share>,
    /// How often it passes now, likewise.
    pub(crate) after: Option<Share>,
}

/// What happened to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckMove {
    /// It passes less often.
    Regressed,
    /// It passes more often.
    Fixed,
    /// Only the later side has it.
    New,
    /// Only the earlier side has it.
    Vanished,
}

/// How many judged attempts a check passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Share {
    /// The attempts that it passed.
    pub(crate) passed: usize,
    /// The attempts that have it.
    pub(crate) attempts: usize,
}

/// The checks that moved between two sides of a case: those that pass less often first.
pub(super) fn moves(before: &Observed, after: &Observed) -> Vec<CheckChange> {
    if before.judged().next().is_none() || after.judged().next().is_none() {
        return Vec::new();
    }
    let ids: BTreeSet<&String> =
        [before, after].into_iter().flat_map(Observed::judged).flat_map(|attempt| attempt.checks.keys()).collect();
    let mut moves: Vec<CheckChange> = ids.into_iter().filter_map(|id| moved(id, before, after)).collect();
    moves.sort_by_key(|check| check.change);
    moves
}

fn moved(id: &str, before: &Observed, after: &Observed) -> Option<CheckChange> {
    let (then, now) = (share(id, before), share(id, after));
    let change = match (then, now) {
        (None, None) => return None,
        (None, Some(_)) => CheckMove::New,
        (Some(_), None) => CheckMove::Vanished,
        // As fractions: a/b and c/d differ as a·d and c·b do.
        (Some(then), Some(now)) => match (then.passed * now.attempts).cmp(&(now.passed * then.attempts)) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => CheckMove::Regressed,
            std::cmp::Ordering::Less => CheckMove::Fixed,
        },
    };
    Some(CheckChange { id: id.to_owned(), change, before: then, after: now })
}

fn share(id: &str, case: &Observed) -> Option<Share> {
    let mut share = Share::default();
    for attempt in case.judged() {
        let passed = match attempt.checks.get(id) {
            Some(passed) => *passed == Some(true),
            // Results list what the scoring adds only if it failed.
            None if id.starts_with("scoring:") => true,
            None => continue,
        };
        share.attempts += 1;
        share.passed += usize::from(passed);
    }
    (share.attempts > 0).then_some(share)
}
