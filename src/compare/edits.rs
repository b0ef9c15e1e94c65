//! Which edits separate two results of a case. Kept runs have hashes; result files only show traces.

use std::collections::{BTreeMap, BTreeSet};

use super::side::{Attempt, Observed, kind};

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
