//! What is open in a case, and where its suite asks for it. A run as Markdown for a team.

use crate::events::{CaseFinished, Grade, RunFinished};
use crate::runner::Run;
use crate::text::{LineColumn, counted};
use crate::verdict::Status;
use crate::wording::{Line, Markup, check_name, further_reason, open_checks, reasons};

use super::markdown::{case_section, repeats_line, status_label};

/// What is open in a case, each with its start, its end and its message.
pub(super) fn annotations_of(case: &CaseFinished) -> Vec<(LineColumn, LineColumn, String)> {
    let of_case = case.case.range;
    let checks: Vec<_> = open_checks(&case.result)
        .map(|check| {
            let start = check.suite.unwrap_or(of_case.start);
            let end = check.suite_end.unwrap_or(if check.suite.is_some() { start } else { of_case.end });
            (start, end, format!("{}: {}", check_name(check), check.message))
        })
        .collect();
    if case.status == Status::Error || checks.is_empty() {
        let mut message = reasons(&case.result);
        if let Some(further) = case.result.reason.as_deref().map(further_reason).filter(|further| !further.is_empty()) {
            message.extend(["\n", further]);
        }
        return vec![(of_case.start, of_case.end, message)];
    }
    checks
}

/// The longest report, in bytes: a comment of a pull request has at most 65,536 characters.
const LONGEST: usize = 60_000;

/// A run as Markdown for a team: the step summary of a workflow, and the comment of a pull request. First the counts, then
/// each case that did not pass with its checks, what came nearest, and its answer folded.
/// Text from suites and answers cannot become a link, an image or HTML.
pub(crate) fn summary(run: &Run) -> String {
    let mut text = format!("## {}\n\n{}\n", heading(run), counts_line(run));
    text.extend(run.took().map(|took| format!("\n{took}\n")));
    if let Some(repeats) = run.finished().and_then(|finished| finished.summary.repeats.as_ref()) {
        // A caret and an at sign mean nothing in Markdown.
        text += &format!("\n{}\n", repeats_line(repeats));
    }
    for suite in run.not_run() {
        let line = Line::new("- ✗ ").code(&suite.suite).say(": ").message(&suite.reason);
        text += &format!("\n{}\n", line.markdown());
    }
    let open = run.not_passed();
    let mut left = open.len();
    for case in &open {
        let section = section(run, case);
        if text.len() + section.len() > LONGEST {
            break;
        }
        text.push_str(&section);
        left -= 1;
    }
    if left > 0 {
        text += &format!("\n{} more did not pass.\n", counted(left, "case"));
    }
    text
}

fn heading(run: &Run) -> String {
    let suites = counted(run.not_run().len(), "suite");
    let Some(finished) = run.finished() else {
        return match run.not_run().len() {
            0 => "Eval results: the run did not finish".to_owned(),
            _ => format!("✗ Eval results: {suites} cannot be run"),
        };
    };
    let (total, failed) = (counted(finished.summary.total, "case"), finished.failures + finished.summary.error);
    match failed {
        _ if finished.cancelled => format!("✗ Eval results: interrupted after {total}"),
        _ if finished.not_run > 0 => format!("✗ Eval results: ended early after {total}"),
        0 if !run.not_run().is_empty() => format!("✗ Eval results: {suites} cannot be run"),
        0 if finished.summary.pass == finished.summary.total => format!("✓ Eval results: {total} passed"),
        0 => "✓ Eval results: no failure counts".to_owned(),
        1 => format!("✗ Eval results: 1 of {total} fails the run"),
        failed => format!("✗ Eval results: {failed} of {total} fail the run"),
    }
}

/// The number of cases by status, and what else decides whether the run fails, as one line.
pub(super) fn counts_line(run: &Run) -> String {
    let Some(finished) = run.finished() else { return "no case was run".to_owned() };
    let not_run = if finished.not_run > 0 { format!(", {} not run", finished.not_run) } else { String::new() };
    let counts = format!("{}: {}{not_run}{}", cases_in_suites(finished), finished.summary.line(), stale_words(run));
    let decisions = run.policy().decisions(run.results());
    let average = run.average_score().map(|average| format!("average soft score {average}"));
    std::iter::once(counts).chain(decisions).chain(average).collect::<Vec<_>>().join("; ")
}

/// How many answers are stale, as an end of the counts; empty if there are none.
pub(super) fn stale_words(run: &Run) -> String {
    let stale = run.results().filter(|case| case.stale).count();
    if stale > 0 { format!(", {stale} stale") } else { String::new() }
}

/// How many cases and suites were run: `3 cases in 1 suite`.
pub(super) fn cases_in_suites(finished: &RunFinished) -> String {
    format!("{} in {}", counted(finished.summary.total, "case"), counted(finished.suites.len(), "suite"))
}

fn section(run: &Run, case: &CaseFinished) -> String {
    let mut head = Markup::default();
    let grade = run.policy().grade(&case.result);
    let note = if grade == Grade::Passed { " (does not fail the run)" } else { "" };
    head.paragraph(Line::new("### ").text(&case.case.case).say(format!(" · {}{note}", status_label(&case.result))));
    let start = case.case.range.start;
    head.paragraph(Line::default().code(&format!("{}:{}:{}", case.case.suite, start.line, start.column)));
    format!("\n{}\n{}", head.to_site_markdown(), case_section(&case.result))
}
