//! One change for each case, and which edits separate two results of a case.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::statistics::{Counts, LEVEL, Pair, exact_test};
use crate::verdict::{Status, Took};

use super::side::Observed;
use super::{Side, SideName, Totals};

/// The cases of both sides: those of the later side in its order, then those that only the earlier side has.
pub(super) fn changes(before: &Side, after: &Side) -> Vec<CaseChange> {
    let later = after.cases.iter().map(|now| match before.case(&now.suite, &now.id) {
        None if before.left_out(after, &now.suite, &now.id) => alone(None, Some(now), Change::NotRunBefore),
        None => alone(None, Some(now), Change::New),
        Some(then) => compared(then, now),
    });
    let gone = before.cases.iter().filter(|then| after.case(&then.suite, &then.id).is_none()).map(|then| {
        let is_left_out = after.left_out(before, &then.suite, &then.id);
        alone(Some(then), None, if is_left_out { Change::NotRun } else { Change::Vanished })
    });
    later.chain(gone).collect()
}

/// A case that only one side has.
fn alone(then: Option<&Observed>, now: Option<&Observed>, change: Change) -> CaseChange {
    let text = |of: fn(&Observed) -> &String| now.or(then).map(of).cloned().unwrap_or_default();
    CaseChange {
        suite: text(|case| &case.suite),
        case: text(|case| &case.id),
        category: text(|case| &case.category),
        change,
        edits: Vec::new(),
        before: then.map(Observed::state),
        after: now.map(Observed::state),
        checks: Vec::new(),
    }
}

fn compared(then: &Observed, now: &Observed) -> CaseChange {
    let edits = edits(then, now);
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
        (Stood::NotJudged, _) | (_, Stood::NotJudged) => Change::NotJudged,
        _ if before.stale || after.stale => Change::Stale,
        (Stood::Always(then), Stood::Always(now)) => match then.cmp(&now) {
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

/// What happened to a case between two sides, from what matters most to what matters least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// The status is worse.
    Regressed,
    /// The later side does not have the case.
    Vanished,
    /// The case could not be judged on one side, or on both.
    NotJudged,
    /// The attempts disagree, and the difference is not larger than chance.
    Flaky,
    /// The prompts or expectations were edited.
    CaseEdited,
    /// What the configuration or the program adds to its meaning was edited.
    ConfigurationEdited,
    /// The answer on one side was given to other prompts than the case has, or a later one did not pass.
    Stale,
    /// The status is better.
    Fixed,
    /// Only the later side has the case.
    New,
    /// The status is the same, and its checks are not.
    ChecksMoved,
    /// The earlier side did not select the case, or was stopped before it.
    NotRunBefore,
    /// The later side did not select the case, or was stopped before it.
    NotRun,
    /// Nothing changed.
    Unchanged,
}

impl Change {
    /// All changes, from what matters most to what matters least.
    pub(crate) const ALL: [Change; 13] = [
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
        Change::NotRunBefore,
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
            Change::NotRunBefore => "not run before",
            Change::NotRun => "not run",
            Change::Unchanged => "unchanged",
        }
    }
}

/// A check that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CheckChange {
    /// The id.
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
    /// The check passes less often.
    Regressed,
    /// The check passes more often.
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

/// Two sides compared. As JSON it is what `eval-ls compare --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// The name of the format: `eval-ls/comparison@1`.
    pub(crate) format: &'static str,
    /// The earlier side.
    pub(crate) before: SideName,
    /// The later side.
    pub(crate) after: SideName,
    /// The number of cases of each change; those without a case are left out.
    pub(crate) counts: BTreeMap<Change, usize>,
    /// The cases, those that matter most first, then in the order of the later side.
    pub(crate) cases: Vec<CaseChange>,
    /// How sure the difference is.
    pub(crate) totals: Totals,
    /// The result as one sentence.
    pub(crate) sentence: String,
}

/// A case of two sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CaseChange {
    /// The path of its suite.
    pub(crate) suite: String,
    /// The id.
    pub(crate) case: String,
    /// The category.
    pub(crate) category: String,
    /// What happened to it.
    pub(crate) change: Change,
    /// What was edited: `prompts`, `expectations`, `hints`, `versions`.
    pub(crate) edits: Vec<&'static str>,
    /// The earlier state; `None` if the earlier side does not have the case.
    pub(crate) before: Option<State>,
    /// The later state, likewise.
    pub(crate) after: Option<State>,
    /// The checks that moved.
    pub(crate) checks: Vec<CheckChange>,
}

impl CaseChange {
    /// Whether the later side asked it and has no verdict.
    pub(crate) fn is_error(&self) -> bool {
        self.after.as_ref().is_some_and(|after| after.judged == 0)
    }

    /// What happened to it, for a page that shows its state now; `None` if the state shows it.
    pub(crate) fn in_words(&self) -> Option<&'static str> {
        let is_error = |state: &Option<State>| state.as_ref().is_some_and(|state| state.stood() == Stood::NotJudged);
        match self.change {
            Change::NotJudged if is_error(&self.before) => Some("was ERROR"),
            Change::NotJudged => None,
            change => Some(change.words()),
        }
    }
}

/// How a case did on one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct State {
    /// The status of each attempt, in order.
    pub(crate) statuses: Vec<Status>,
    /// The attempts that passed.
    pub(crate) passed: usize,
    /// The attempts that were judged.
    pub(crate) judged: usize,
    /// The mean soft score of the judged attempts, if there are any.
    pub(crate) soft_score: Option<f64>,
    /// Whether an answer was given to other prompts than the case has.
    pub(crate) stale: bool,
    /// Why the last attempt without a verdict has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// What each judged attempt took.
    #[serde(skip)]
    pub(crate) took: Vec<Took>,
}

/// What the attempts of a state have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stood {
    /// All judged attempts have this status.
    Always(Status),
    /// The judged attempts disagree.
    Mixed,
    /// None was judged.
    NotJudged,
}

impl State {
    /// What the attempts have in common.
    pub(crate) fn stood(&self) -> Stood {
        let mut judged = self.statuses.iter().filter(|status| **status != Status::Error);
        match judged.next() {
            None => Stood::NotJudged,
            Some(first) if judged.all(|status| status == first) => Stood::Always(*first),
            Some(_) => Stood::Mixed,
        }
    }
}

impl Comparison {
    /// Compares two sides.
    pub(crate) fn new(before: &Side, after: &Side) -> Comparison {
        let mut cases = super::case::changes(before, after);
        cases.sort_by_key(|case| case.change);
        let mut counts = BTreeMap::new();
        cases.iter().for_each(|case| *counts.entry(case.change).or_default() += 1);
        let totals = Totals::of(&cases);
        let sentence = super::totals::sentence(&counts, &totals);
        Comparison {
            format: "eval-ls/comparison@1",
            before: before.name.clone(),
            after: after.name.clone(),
            counts,
            cases,
            totals,
            sentence,
        }
    }

    /// The number of cases with that change.
    pub(crate) fn count(&self, change: Change) -> usize {
        self.counts.get(&change).copied().unwrap_or_default()
    }
}

/// The edits between two sides of a case: `prompts`, `expectations`, `hints`, `versions`.
fn edits(before: &Observed, after: &Observed) -> Vec<&'static str> {
    let mut edits = after.hashes.edits_since(&before.hashes);
    if edits.is_empty() && is_judged_otherwise(before, after) {
        edits.push("versions");
    }
    edits
}

/// Whether the same answer has another verdict although nothing was edited.
fn is_judged_otherwise(before: &Observed, after: &Observed) -> bool {
    after.judged().any(|now| {
        let same = before.judged().filter(|then| then.answer.is_some() && then.answer == now.answer);
        let mut same = same.filter(|then| then.stale == now.stale);
        same.any(|then| then.checks != now.checks || then.status != now.status)
    })
}
