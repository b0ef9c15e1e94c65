use std::collections::BTreeSet;

use serde::Serialize;

use super::side::Observed;

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
