//! Which edits separate two results of a case. Kept runs have hashes; result files only show traces.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::verdict::Status;

use super::side::{Attempt, Observed, kind};
use super::{Change, CheckChange, Side, SideName, Totals};

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
    /// Its id.
    pub(crate) case: String,
    /// Its category.
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
}

/// What the attempts of a state have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stood {
    /// All judged attempts have this status.
    Always(Status),
    /// They disagree.
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

/// The length of a whole excerpt; a shorter one is the whole response. Two of them fit on a line.
const EXCERPT: usize = 40;

/// The edits between two sides of a case: `prompts`, `expectations`, `hints`, `versions`. `kinds` are the kinds of checks
/// that both sides know: a side that never has a kind comes from a program that does not judge it.
pub(super) fn edits(before: &Observed, after: &Observed, kinds: &BTreeSet<&str>) -> Vec<&'static str> {
    let mut edits = match (&before.hashes, &after.hashes) {
        (Some(then), Some(now)) => now.edits_since(then),
        _ => traces(before, after, kinds),
    };
    if edits.is_empty() && is_judged_otherwise(before, after) {
        edits.push("versions");
    }
    edits
}

fn traces(before: &Observed, after: &Observed, kinds: &BTreeSet<&str>) -> Vec<&'static str> {
    let mut edits = Vec::new();
    let (then, now) = (checks(before, kinds), checks(after, kinds));
    // A case without any such check stopped before its checks.
    let are_known = !then.is_empty() && !now.is_empty();
    if before.prompt != after.prompt {
        edits.push("prompts");
    } else if before.outcome != after.outcome || (are_known && !then.keys().eq(now.keys())) {
        edits.push("expectations");
    }
    let is_undefined = |checks: &BTreeMap<&str, Option<bool>>, id: &str| checks.get(id) == Some(&None);
    let defined = then.keys().any(|id| now.contains_key(id) && is_undefined(&then, id) != is_undefined(&now, id));
    if defined || hint_decides_otherwise(before, after) {
        edits.push("hints");
    }
    edits
}

/// The checks that come from expectations.
fn checks<'a>(case: &'a Observed, kinds: &BTreeSet<&str>) -> BTreeMap<&'a str, Option<bool>> {
    let all = case.judged().flat_map(|attempt| &attempt.checks);
    let asked = all.filter(|(id, _)| kind(id) != "scoring" && kinds.contains(kind(id)));
    asked.map(|(id, passed)| (id.as_str(), *passed)).collect()
}

/// Whether a UI hint decides otherwise although the whole response is the same.
fn hint_decides_otherwise(before: &Observed, after: &Observed) -> bool {
    let (Some(then), Some(now)) = (before.judged().last(), after.judged().last()) else { return false };
    let is_whole = then.excerpt.len() > 0 && then.excerpt.len() < EXCERPT;
    let hints = |attempt: &Attempt| -> Vec<(String, Option<bool>)> {
        let all = attempt.checks.iter().filter(|(id, _)| kind(id) == "ui");
        all.map(|(id, passed)| (id.clone(), *passed)).collect()
    };
    is_whole && then.excerpt == now.excerpt && hints(then) != hints(now)
}

/// Whether the same answer has another verdict although nothing was edited.
fn is_judged_otherwise(before: &Observed, after: &Observed) -> bool {
    after.judged().any(|now| {
        let same = before.judged().filter(|then| then.answer.is_some() && then.answer == now.answer);
        let mut same = same.filter(|then| then.stale == now.stale);
        same.any(|then| then.checks != now.checks || then.status != now.status)
    })
}
