//! The words that text and Markdown share. Nothing here is escaped.

use crate::compare::{CaseChange, CheckChange, CheckMove, Rate, Share, SideName, State, Stood, Totals, p_value};
use crate::statistics::{Difference, Interval};
use crate::text::{counted, number};

/// A side: its runs, and what is known of the last one.
pub(super) fn side(side: &SideName) -> String {
    let mut words = match &side.runs[..] {
        [run] => run.clone(),
        runs => format!("{} ({})", counted(runs.len(), "run"), runs.join(", ")),
    };
    if let Some(target) = &side.target {
        words.push_str(&format!(", target {target}"));
    }
    let commit = side.commit.as_deref().map(|commit| commit.get(..8).unwrap_or(commit));
    match (&side.branch, commit) {
        (Some(branch), Some(commit)) => words.push_str(&format!(", {branch} at {commit}")),
        (None, Some(commit)) => words.push_str(&format!(", at {commit}")),
        (Some(branch), None) => words.push_str(&format!(", {branch}")),
        (None, None) => {}
    }
    if side.incomplete {
        words.push_str(", not complete");
    }
    words
}

/// The states of a case: `PASS → FAIL`.
pub(super) fn states(case: &CaseChange) -> String {
    match (&case.before, &case.after) {
        (Some(before), Some(after)) => format!("{} → {}", state(before), state(after)),
        (Some(one), None) | (None, Some(one)) => state(one),
        (None, None) => String::new(),
    }
}

fn state(state: &State) -> String {
    let passed = || format!("{} of {} passed", state.passed, state.judged);
    let words = match state.stood() {
        Stood::NotJudged => "ERROR".to_owned(),
        Stood::Always(status) if state.judged == 1 => status.to_string(),
        Stood::Always(status) => format!("{status} ({})", passed()),
        Stood::Mixed => format!("FLAKY ({})", passed()),
    };
    if state.stale { format!("{words} (stale)") } else { words }
}

/// What follows the states of a case: its edits, or why it could not be judged.
pub(super) fn note(case: &CaseChange) -> String {
    if !case.edits.is_empty() {
        return format!("edited: {}", case.edits.join(", "));
    }
    let is_open = |state: &&State| state.stood() == Stood::NotJudged;
    let open = case.after.as_ref().filter(is_open).or_else(|| case.before.as_ref().filter(is_open));
    let reason = open.and_then(|state| state.reason.as_deref()).unwrap_or_default();
    reason.lines().next().unwrap_or_default().to_owned()
}

/// The sign of a check that moved, and how often it passed if there were several attempts.
pub(super) fn check(check: &CheckChange) -> (&'static str, String) {
    let sign = match check.change {
        CheckMove::Regressed => "✗",
        CheckMove::Fixed => "✓",
        CheckMove::New => "+",
        CheckMove::Vanished => "−",
    };
    let share = |share: &Option<Share>| share.as_ref().map(|share| format!("{} of {}", share.passed, share.attempts));
    let several = [check.before, check.after].into_iter().flatten().any(|share| share.attempts > 1);
    let counts: Vec<String> = [share(&check.before), share(&check.after)].into_iter().flatten().collect();
    (sign, if several { format!(" ({})", counts.join(" → ")) } else { String::new() })
}

/// The totals: a line for each. With `statistics`, also the intervals, if there are enough cases.
pub(super) fn totals(totals: &Totals, statistics: bool) -> Vec<String> {
    let (Some(before), Some(after)) = (&totals.before, &totals.after) else { return Vec::new() };
    let is_once = [before, after].iter().all(|rate| rate.attempts == totals.cases);
    let what = if is_once { "cases" } else { "attempts" };
    if !statistics || totals.are_too_few() {
        let counts = |rate: &Rate| format!("{} of {}", rate.passed, rate.attempts);
        return vec![format!("{what} passed: {} → {}", counts(before), counts(after))];
    }
    let mut lines = vec![format!("{what} passed: {} → {}, p {}", rate(before), rate(after), p_value(totals.p))];
    if let Some(change) = &totals.pass_rate {
        lines.push(format!("difference of pass rates: {}{}", points(change), clusters(change)));
    }
    if let Some(change) = &totals.soft_score {
        let Interval { low, high } = change.interval;
        let numbers = [change.mean, low, high].map(|value| signed((value * 1000.0).round() / 1000.0));
        let [mean, low, high] = numbers;
        lines.push(format!("difference of soft scores: {mean} ({low} to {high}){}", clusters(change)));
    }
    lines
}

fn rate(rate: &Rate) -> String {
    let percent = |share: f64| (share * 100.0).round();
    let Interval { low, high } = rate.interval;
    let share = rate.passed as f64 / rate.attempts as f64;
    let (share, low, high) = (percent(share), percent(low), percent(high));
    format!("{} of {} ({share} %, {low} to {high} %)", rate.passed, rate.attempts)
}

fn points(change: &Difference) -> String {
    let Interval { low, high } = change.interval;
    // A rate cannot change by more.
    let [mean, low, high] = [change.mean, low, high].map(|value| signed((value * 100.0).round().clamp(-100.0, 100.0)));
    format!("{mean} points ({low} to {high})")
}

/// Which cases count as one.
fn clusters(change: &Difference) -> String {
    change.clusters.map_or_else(String::new, |count| format!(", {count} categories as clusters"))
}

fn signed(value: f64) -> String {
    let digits = number(value.abs());
    if value < 0.0 {
        format!("−{digits}")
    } else if digits == "0" {
        digits
    } else {
        format!("+{digits}")
    }
}
