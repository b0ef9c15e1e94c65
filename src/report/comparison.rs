//! A comparison of runs as text and as Markdown.

use crate::compare::{
    CaseChange, Change, CheckChange, CheckMove, Comparison, Rate, Share, SideName, State, Stood, Totals,
};
use crate::runs::TargetRecord;
use crate::text::counted;
use crate::verdict::AnswerSummary;
use crate::wording::{Line, Markup, without_group};

/// The most cases of one change, and the most checks of one case.
type Most = (usize, usize);

/// The limits of Markdown: a comment of a pull request has at most 65,536 characters, and is read at a glance.
const OF_COMMENT: Most = (60, 8);

/// A comparison for a terminal: what matters most first, and a plain sentence at the end.
pub(crate) fn text(comparison: &Comparison) -> String {
    let section = |heading: &str, cases: &Markup| format!("\n{heading}\n{}", cases.to_terminal(2));
    let sections = sections(comparison, (usize::MAX, usize::MAX), section);
    let (sides, totals) = facts(comparison);
    format!("{}{sections}\n{}{}\n", sides.to_terminal(0), totals.to_terminal(0), comparison.sentence)
}

/// A comparison for a pull request: the sentence as the heading, then what matters most. Text from suites cannot become a
/// link, an image or HTML.
pub(crate) fn markdown(comparison: &Comparison) -> String {
    let section = |heading: &str, cases: &Markup| match cases.is_empty() {
        true => format!("\n\n{heading}."),
        false => format!("\n\n### {heading}\n\n{}", cases.to_site_markdown()),
    };
    let sections = sections(comparison, OF_COMMENT, section);
    let (sides, totals) = facts(comparison);
    let facts = format!("{}\n{}", sides.to_site_markdown(), totals.to_site_markdown());
    let has_worse = comparison.count(Change::Regressed) + comparison.count(Change::Vanished) > 0;
    let is_worse = has_worse || comparison.totals.is_worse || comparison.cases.iter().any(CaseChange::is_error);
    let sign = if is_worse { "✗" } else { "✓" };
    format!("## {sign} {}\n\n{}{sections}\n", comparison.sentence, facts.trim_end())
}

/// Each change that a case has, as `section` writes its heading and its cases. Unchanged cases are only counted.
fn sections(comparison: &Comparison, most: Most, section: impl Fn(&str, &Markup) -> String) -> String {
    let mut page = String::new();
    for change in Change::ALL {
        let cases: Vec<&CaseChange> = comparison.cases.iter().filter(|case| case.change == change).collect();
        if cases.is_empty() {
            continue;
        }
        let mut listed = Markup::default();
        if change != Change::Unchanged {
            cases.iter().take(most.0).for_each(|case| add(&mut listed, case, most.1));
            if cases.len() > most.0 {
                listed.item(0, Line::new(format!("{} more", cases.len() - most.0)));
            }
        }
        page += &section(&format!("{} ({})", change.words(), cases.len()), &listed);
    }
    page
}

fn add(page: &mut Markup, case: &CaseChange, most: usize) {
    let line = Line::default().name(&case.case).say(format!("  {}  ", states(case))).text(&case.suite);
    let note = note(case);
    page.item(0, if note.is_empty() { line } else { line.say("  ").message(&note) });
    for check in case.checks.iter().take(most) {
        let (sign, counts) = check_words(check);
        page.item(1, Line::new(format!("{sign} ")).name(without_group(&check.id)).say(counts));
    }
    if case.checks.len() > most {
        page.item(1, Line::new(format!("{} more checks", case.checks.len() - most)));
    }
}

/// The sides, and a line for each of the totals.
fn facts(comparison: &Comparison) -> (Markup, Markup) {
    let (mut sides, mut totals) = (Markup::default(), Markup::default());
    sides.item(0, Line::new("before: ").text(&side(&comparison.before)));
    sides.item(0, Line::new("after: ").text(&side(&comparison.after)));
    let lines = rates(&comparison.totals).into_iter().chain(took(&comparison.totals));
    lines.for_each(|line| totals.item(0, Line::new(line)));
    (sides, totals)
}

/// A side: its run, and what is known of it.
fn side(side: &SideName) -> String {
    let mut words = format!("{}, target {}", side.run, side.target);
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
fn states(case: &CaseChange) -> String {
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
fn note(case: &CaseChange) -> String {
    if !case.edits.is_empty() {
        return format!("edited: {}", case.edits.join(", "));
    }
    let is_open = |state: &&State| state.stood() == Stood::NotJudged;
    let open = case.after.as_ref().filter(is_open).or_else(|| case.before.as_ref().filter(is_open));
    let reason = open.and_then(|state| state.reason.as_deref()).unwrap_or_default();
    reason.lines().next().unwrap_or_default().to_owned()
}

/// The sign of a check that moved, and how often it passed if there were several attempts.
fn check_words(check: &CheckChange) -> (&'static str, String) {
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

/// How often the cases passed.
fn rates(totals: &Totals) -> Option<String> {
    let (before, after) = (totals.before.as_ref()?, totals.after.as_ref()?);
    let is_once = [before, after].iter().all(|rate| rate.attempts == totals.cases);
    let what = if is_once { "cases" } else { "attempts" };
    let counts = |rate: &Rate| format!("{} of {}", rate.passed, rate.attempts);
    Some(format!("{what} passed: {} → {}", counts(before), counts(after)))
}
