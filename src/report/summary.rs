//! What is open in a case, and where its suite asks for it. A run as Markdown for a team.

use crate::events::{CaseFinished, Grade, RunFinished};
use crate::runner::Run;
use crate::text::{LineColumn, counted, number};
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
    let Some(finished) = run.finished() else {
        return match run.not_run().len() {
            0 => "Eval results: the run did not finish".to_owned(),
            suites => format!("✗ Eval results: {} cannot be run", counted(suites, "suite")),
        };
    };
    let total = counted(finished.summary.total, "case");
    let failed = finished.failures + finished.summary.error;
    match (failed, finished.cancelled, run.not_run().len()) {
        (0, false, 0) => format!("✓ Eval results: {total} passed"),
        (0, true, _) => format!("✗ Eval results: interrupted after {total}"),
        (0, false, suites) => format!("✗ Eval results: {} cannot be run", counted(suites, "suite")),
        (failed, ..) => format!("✗ Eval results: {failed} of {total} did not pass"),
    }
}

/// The number of cases by status, as one line.
pub(super) fn counts_line(run: &Run) -> String {
    let Some(finished) = run.finished() else { return "no case was run".to_owned() };
    let average =
        run.average_score().map_or_else(String::new, |score| format!(", average soft score {}", number(score)));
    let not_run = if finished.not_run > 0 { format!(", {} not run", finished.not_run) } else { String::new() };
    format!("{}: {}{not_run}{average}", cases_in_suites(finished), finished.summary.line())
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
