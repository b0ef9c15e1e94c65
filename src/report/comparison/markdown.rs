use crate::compare::{CaseChange, Change, Comparison};
use crate::wording::{Line, Markup};

use super::words;

/// The most cases of one change in Markdown: a comment of a pull request has at most 65,536 characters.
const MOST_CASES: usize = 60;
/// The most checks of one case in Markdown. A comment on a pull request is read at a glance.
const MOST_CHECKS: usize = 8;

/// A comparison for a pull request: the sentence as the heading, then what matters most. Text from suites cannot become a
/// link, an image or HTML. With `statistics`, also the intervals.
pub(crate) fn markdown(comparison: &Comparison, statistics: bool) -> String {
    let mut page = Markup::default();
    let is_worse = comparison.count(Change::Regressed) + comparison.count(Change::Vanished) > 0;
    let sign = if is_worse { "✗" } else { "✓" };
    page.paragraph(Line::new(format!("## {sign} ")).say(comparison.sentence.clone()));
    page.item(0, Line::new("before: ").text(&words::side(&comparison.before)));
    page.item(0, Line::new("after: ").text(&words::side(&comparison.after)));
    for line in words::totals(&comparison.totals, statistics) {
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
    let mut line = Line::default().code(&case.case).say(format!(" {}", words::states(case)));
    let note = words::note(case);
    if !note.is_empty() {
        line = line.say(", ").message(&note);
    }
    page.item(0, line);
    for check in case.checks.iter().take(MOST_CHECKS) {
        let (sign, counts) = words::check(check);
        page.item(1, Line::new(format!("{sign} ")).code(&check.id).say(counts));
    }
    if case.checks.len() > MOST_CHECKS {
        page.item(1, Line::new(format!("{} more checks", case.checks.len() - MOST_CHECKS)));
    }
}
