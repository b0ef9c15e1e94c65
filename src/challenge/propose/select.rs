//! The fewest candidates that notice all that any of them notices.

use std::collections::BTreeSet;

use super::Candidate;

/// The most candidates of which all sets of up to [`LARGEST_SET`] are compared. They have some ten thousand sets of three.
const MOST_COMPARED: usize = 40;
/// More checks are seldom needed. If they are, they are taken one after the other, each time the one that notices most.
const LARGEST_SET: usize = 3;

/// The candidates to take, so that each answer of `missing` that can be noticed is. Each candidate comes with what it notices.
pub(super) fn select(missing: &[&String], tried: Vec<(Candidate, Vec<String>)>) -> Vec<Candidate> {
    let bits = |notices: &[String]| -> BTreeSet<usize> {
        (0..missing.len()).filter(|index| notices.contains(missing[*index])).collect()
    };
    let tried: Vec<(Candidate, BTreeSet<usize>)> =
        tried.into_iter().map(|(candidate, notices)| (candidate, bits(&notices))).collect();
    let wanted: BTreeSet<usize> = tried.iter().flat_map(|(_, notices)| notices).copied().collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    // If another candidate is as cheap and notices as much, no set needs this one.
    let is_beaten = |index: usize| {
        let (candidate, notices) = &tried[index];
        tried.iter().enumerate().any(|(other, (by, more))| {
            // A set has at most one `must_say_any`, so that one cannot stand for another check.
            let may_be_with_others = by.key != "must_say_any" || candidate.key == "must_say_any";
            let is_as_good = may_be_with_others && more.is_superset(notices) && by.cost <= candidate.cost;
            other != index && is_as_good && (more.len() > notices.len() || by.cost < candidate.cost || other < index)
        })
    };
    let best: Vec<usize> = (0..tried.len()).filter(|index| !is_beaten(*index)).take(MOST_COMPARED).collect();
    let found = (1..=LARGEST_SET).find_map(|size| {
        let sets = sets(&best, size);
        let fitting = sets.into_iter().filter(|set| is_allowed(set, &tried) && covers(set, &tried, &wanted));
        fitting.min_by_key(|set| set.iter().map(|index| tried[*index].0.cost).sum::<usize>())
    });
    let chosen = found.unwrap_or_else(|| one_by_one(&best, &tried, &wanted));
    chosen.into_iter().map(|index| tried[index].0.clone()).collect()
}

fn covers(set: &[usize], tried: &[(Candidate, BTreeSet<usize>)], wanted: &BTreeSet<usize>) -> bool {
    wanted.iter().all(|answer| set.iter().any(|index| tried[*index].1.contains(answer)))
}

/// Two phrases in one list are one check, which passes if either is said.
fn is_allowed(set: &[usize], tried: &[(Candidate, BTreeSet<usize>)]) -> bool {
    set.iter().filter(|index| tried[**index].0.key == "must_say_any").count() <= 1
}

/// All sets of that many of `from`, in order.
fn sets(from: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for (place, first) in from.iter().enumerate() {
        sets.extend(self::sets(&from[place + 1..], size - 1).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    sets
}

fn one_by_one(best: &[usize], tried: &[(Candidate, BTreeSet<usize>)], wanted: &BTreeSet<usize>) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut open = wanted.clone();
    loop {
        let more = |index: &&usize| tried[**index].1.intersection(&open).count();
        let fits = |index: &&usize| is_allowed(&[&chosen[..], &[**index]].concat(), tried);
        // Of equals the first one wins.
        let Some(next) = best.iter().rev().filter(fits).max_by_key(more).filter(|next| more(next) > 0) else { break };
        open = open.difference(&tried[*next].1).copied().collect();
        chosen.push(*next);
    }
    chosen.sort_unstable();
    chosen
}
