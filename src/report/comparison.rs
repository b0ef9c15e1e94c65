//! A comparison of runs as text and as Markdown.

use crate::compare::{
    CaseChange, Change, CheckChange, CheckMove, Comparison, ENOUGH, Rate, Share, SideName, State, Stood, Totals,
    p_value,
};
use crate::runs::TargetRecord;
use crate::statistics::{Difference, Interval};
use crate::text::{counted, number, visible};
use crate::verdict::AnswerSummary;
use crate::wording::{Line, Markup, without_group};

/// A comparison for a terminal: what matters most first, and a plain sentence at the end. With `statistics`, also the intervals.
pub(crate) fn text(comparison: &Comparison, statistics: bool) -> String {
    let mut text = Lines::default();
    text.line(&format!("before  {}", side(&comparison.before)));
    text.line(&format!("after   {}", side(&comparison.after)));
    for change in Change::ALL {
        let cases: Vec<&CaseChange> = comparison.cases.iter().filter(|case| case.change == change).collect();
        if cases.is_empty() {
            continue;
        }
        text.line("");
        text.line(&format!("{} ({})", change.words(), cases.len()));
        if change != Change::Unchanged {
            cases.into_iter().for_each(|case| text.case(case));
        }
    }
    text.line("");
    totals(&comparison.totals, statistics).iter().for_each(|line| text.line(line));
    text.line(&comparison.sentence);
    text.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a line. Text from suites cannot control the terminal.
    fn line(&mut self, line: &str) {
        self.0.extend(line.trim_end().chars().map(visible));
        self.0.push('\n');
    }

    fn case(&mut self, case: &CaseChange) {
        let note = note(case);
        let note = if note.is_empty() { String::new() } else { format!("  {note}") };
        self.line(&format!("  {}  {}  {}{note}", case.case, states(case), case.suite));
        for check in &case.checks {
            let (sign, counts) = check_words(check);
            self.line(&format!("    {sign} {}{counts}", without_group(&check.id)));
        }
    }
}

/// The most cases of one change in Markdown: a comment of a pull request has at most 65,536 characters.
const MOST_CASES: usize = 60;
/// The most checks of one case in Markdown. A comment on a pull request is read at a glance.
const MOST_CHECKS: usize = 8;

/// A comparison for a pull request: the sentence as the heading, then what matters most. Text from suites cannot become a
/// link, an image or HTML. With `statistics`, also the intervals.
pub(crate) fn markdown(comparison: &Comparison, statistics: bool) -> String {
    let mut page = Markup::default();
    let has_worse = comparison.count(Change::Regressed) + comparison.count(Change::Vanished) > 0;
    let is_worse = has_worse || comparison.totals.is_worse || comparison.cases.iter().any(CaseChange::is_error);
    let sign = if is_worse { "✗" } else { "✓" };
    page.paragraph(Line::new(format!("## {sign} ")).say(comparison.sentence.clone()));
    page.item(0, Line::new("before: ").text(&side(&comparison.before)));
    page.item(0, Line::new("after: ").text(&side(&comparison.after)));
    for line in totals(&comparison.totals, statistics) {
        page.item(0, Line::new(line));
    }
    for change in Change::ALL.into_iter().filter(|change| *change != Change::Unchanged) {
        let cases: Vec<&CaseChange> = comparison.cases.iter().filter(|case| case.change == change).collect();
        if cases.is_empty() {
            continue;
        }
        page.paragraph(Line::new(format!("### {} ({})", change.words(), cases.len())));
        for case in cases.iter().take(MOST_CASES) {
            add(&mut page, case);
        }
        if cases.len() > MOST_CASES {
            page.item(0, Line::new(format!("{} more", cases.len() - MOST_CASES)));
        }
    }
    let unchanged = comparison.count(Change::Unchanged);
    if unchanged > 0 {
        page.paragraph(Line::new(format!("{unchanged} unchanged.")));
    }
    let mut text = page.to_site_markdown();
    text.push('\n');
    text
}

fn add(page: &mut Markup, case: &CaseChange) {
    let mut line = Line::default().code(&case.case).say(format!(" {}", states(case)));
    let note = note(case);
    if !note.is_empty() {
        line = line.say(", ").message(&note);
    }
    page.item(0, line);
    for check in case.checks.iter().take(MOST_CHECKS) {
        let (sign, counts) = check_words(check);
        page.item(1, Line::new(format!("{sign} ")).code(without_group(&check.id)).say(counts));
    }
    if case.checks.len() > MOST_CHECKS {
        page.item(1, Line::new(format!("{} more checks", case.checks.len() - MOST_CHECKS)));
    }
}

/// A side: its runs, and what is known of the last one.
pub(super) fn side(side: &SideName) -> String {
    let runs = match &side.runs[..] {
        [run] => run.clone(),
        runs => format!("{} ({})", counted(runs.len(), "run"), runs.join(", ")),
    };
    let mut words = format!("{runs}, target {}", side.target);
    let commit = side.commit.as_deref().map(|commit| commit.get(..8).unwrap_or(commit));
    match (&side.branch, commit) {
        (Some(branch), Some(commit)) => words.push_str(&format!(", {branch} at {commit}")),
        (None, Some(commit)) => words.push_str(&format!(", at {commit}")),
        (Some(branch), None) => words.push_str(&format!(", {branch}")),
        (None, None) => {}
    }
    if side.mixed {
        words.push_str(TargetRecord::MIXED);
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
pub(super) fn check_words(check: &CheckChange) -> (&'static str, String) {
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
    let mut lines = rates(totals, statistics);
    lines.extend(took(totals));
    lines
}

/// The change of what the answers took; it is neither better nor worse.
fn took(totals: &Totals) -> Option<String> {
    let (before, after) = (totals.answers_before.as_ref()?, totals.answers_after.as_ref()?);
    let (then, now) = (before.figures(), after.figures());
    let of = |figures: &[(&str, String)], name| {
        figures.iter().find(|(known, _)| *known == name).map_or("unknown", |(_, value)| value).to_owned()
    };
    let others = then.iter().filter(|(name, _)| now.iter().all(|(known, _)| known != name));
    let both = now.iter().chain(others).map(|(name, _)| format!("{name} {} → {}", of(&then, *name), of(&now, *name)));
    let both = both.collect::<Vec<_>>().join(", ");
    let stated = |answers: &AnswerSummary| format!("{} of {}", answers.with_usage, answers.count);
    let some = if before.is_partial() || after.is_partial() {
        format!(" (usage of {} → {})", stated(before), stated(after))
    } else {
        String::new()
    };
    let (then, now) = (before.count, after.count);
    let count = if then == now { counted(now, "answer") } else { format!("{then} → {}", counted(now, "answer")) };
    Some(format!("{count}: {both}{some}"))
}

fn rates(totals: &Totals, statistics: bool) -> Vec<String> {
    let (Some(before), Some(after)) = (&totals.before, &totals.after) else { return Vec::new() };
    let is_once = [before, after].iter().all(|rate| rate.attempts == totals.cases);
    let what = if is_once { "cases" } else { "attempts" };
    if !statistics || totals.are_too_few() {
        let counts = |rate: &Rate| format!("{} of {}", rate.passed, rate.attempts);
        let few = if statistics { format!("; intervals need {ENOUGH} cases") } else { String::new() };
        return vec![format!("{what} passed: {} → {}{few}", counts(before), counts(after))];
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
