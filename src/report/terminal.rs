use anstyle::Style;
use rayon::prelude::*;

use crate::checks::EvidencePlace;
use crate::events::CaseFinished;
use crate::runner::Run;
use crate::text::{seconds, visible_start, visible_text};
use crate::verdict::{AnswerSummary, EXCERPT, Status};
use crate::wording::{
    BOLD, Line, Markup, add_check, add_further, arithmetic, command_for_case, main_reason, open_checks, reasons, style,
};

use super::markdown::repeats_line;
use super::markdown::{cases_in_suites, stale_words};

/// The longest id or quotation in a line, in code points. Two lines of a terminal.
const SHOWN: usize = 160;

/// The longest line that a program printed, in code points.
const PRINTED: usize = 400;

const DIM: Style = Style::new().dimmed();

/// A case in one line: status, id and headline. The line contains styles; the printer removes them if needed.
pub(crate) fn case_line(case: &CaseFinished) -> String {
    let style = style(case.status);
    let answers = AnswerSummary::of(case.result.took());
    let duration = answers.map_or_else(String::new, |answers| format!(" · {}", seconds(answers.duration_ms)));
    format!(
        "{style}{:<7}{style:#} {BOLD}{}{BOLD:#}  {DIM}{}{duration}{DIM:#}",
        case.status,
        plain(&case.case.case),
        visible_text(reasons(&case.result))
    )
}

/// A case that did not pass, while the run goes on: status and id. What is wrong follows at the end.
pub(crate) fn short_case_line(case: &CaseFinished) -> String {
    let style = style(case.status);
    format!("{style}{:<7}{style:#} {BOLD}{}{BOLD:#}", case.status, plain(&case.case.case))
}

/// The cases that did not pass, the worst first, each with its place in the suite, its open checks with their evidence,
/// and the arithmetic of the score if there is a threshold.
pub(crate) fn failures(run: &Run) -> String {
    let mut text = String::new();
    if let Some((cases, reason)) = nothing_answered(run) {
        let all = if run.finished().is_some_and(|finished| finished.not_run > 0) { "the first" } else { "all" };
        let style = style(Status::Error);
        line(
            &mut text,
            &format!(
                "{style}{:<7}{style:#} {BOLD}{all} {cases} cases{BOLD:#}  {}",
                Status::Error,
                visible_text(main_reason(reason))
            ),
        );
        let mut page = Markup::default();
        add_further(&mut page, Some(reason));
        return text + &page.to_terminal(4) + "\n";
    }
    // Several threads write a long list.
    run.not_passed().par_iter().with_min_len(FEW_CASES).map(|case| failure(case)).collect()
}

/// How many cases one thread writes at least.
const FEW_CASES: usize = 256;

/// A case that did not pass, with its open checks.
fn failure(case: &CaseFinished) -> String {
    let (result, start) = (&case.result, case.case.range.start);
    let mut page = Markup::default();
    add_further(&mut page, result.reason.as_deref());
    open_checks(result).for_each(|check| add_check(&mut page, check, Some(&case.case.suite)));
    if open_checks(result).next().is_some() {
        page.code_block(&answer(case));
    }
    if let Some(picture) = &result.screenshot {
        page.paragraph(Line::new("screenshot: ").text(picture));
    }
    if let Some(sum) = arithmetic(result).filter(|_| case.status != Status::Error) {
        page.paragraph(Line::new("soft score ").text(&sum));
    }
    let place = format!("{DIM}{}:{}:{}{DIM:#}", plain(&case.case.suite), start.line, start.column);
    format!("{}\n  {place}\n{}\n", case_line(case), page.to_terminal(4))
}

/// The number of cases and the reason, if all cases ended in `ERROR` for the same reason.
fn nothing_answered(run: &Run) -> Option<(usize, &str)> {
    let cases = run.cases();
    let (first, others) = cases.split_first().filter(|(_, others)| !others.is_empty())?;
    let reason = first.result.reason.as_deref().filter(|_| first.status == Status::Error)?;
    let same = others.iter().all(|case| case.status == Status::Error && case.result.reason.as_deref() == Some(reason));
    same.then_some((cases.len(), reason))
}

/// The last line: the number of cases by status, and of those that fail the run although they passed.
pub(crate) fn closing(run: &Run) -> String {
    let Some(finished) = run.finished() else { return String::new() };
    let summary = &finished.summary;
    let styled = |(status, words): (Status, String)| {
        let style = style(status);
        format!("{style}{words}{style:#}")
    };
    let counts: Vec<_> = summary.words().map(styled).collect();
    let mut text = String::new();
    let mut closing = format!("{}: {}", cases_in_suites(finished), counts.join(", "));
    if finished.not_run > 0 {
        closing += &format!(", {} not run", finished.not_run);
    }
    closing += &stale_words(run);
    if let Some(score) = run.average_score() {
        closing += &format!(" {DIM}· average soft score {score}{DIM:#}");
    }
    closing += &format!(" {DIM}· {}{DIM:#}", seconds(finished.duration_ms));
    line(&mut text, &closing);
    run.took().iter().for_each(|took| line(&mut text, took));
    if let Some(repeats) = &summary.repeats {
        line(&mut text, &repeats_line(repeats));
    }
    text
}

/// How many lines of an answer are shown. The next case stays on the screen.
const ANSWER: usize = 12;

/// The answer of a case that did not pass: at most [`ANSWER`] lines around the first place that a check names, with `>` before the lines
/// that are evidence, or that come nearest.
fn answer(case: &CaseFinished) -> String {
    let excerpt = &case.result.snapshot_excerpt;
    let named: Vec<usize> = open_checks(&case.result)
        .flat_map(|check| check.evidence.iter().chain(&check.nearest))
        .filter_map(|evidence| match evidence.place {
            EvidencePlace::Response(place) => Some(place.line),
            EvidencePlace::Telemetry { .. } | EvidencePlace::Page { .. } => None,
        })
        .collect();
    let middle = named.first().copied().filter(|line| *line <= excerpt.len()).unwrap_or(1);
    let first = middle.saturating_sub(ANSWER / 2).min(excerpt.len().saturating_sub(ANSWER)).max(1);
    let first = if excerpt.len() <= ANSWER { 1 } else { first };
    if excerpt.lines().all(|said| said.trim().is_empty()) {
        return "│ the answer is empty".to_owned();
    }
    let numbered = excerpt.lines().enumerate().map(|(index, said)| (index + 1, said));
    let mut lines: Vec<String> = numbered
        .skip(first - 1)
        .take(ANSWER)
        .map(|(number, said)| {
            let sign = if named.contains(&number) { '>' } else { '│' };
            format!("{sign} {}", visible_start(said, PRINTED)).trim_end().to_owned()
        })
        .collect();
    if first > 1 {
        lines.insert(0, "│ …".to_owned());
    }
    if first + ANSWER <= excerpt.len() || excerpt.len() == EXCERPT {
        lines.push(format!("│ … the whole answer: {}", plain(&command_for_case("show", &case.case.case))));
    }
    lines.join("\n")
}

/// Text that cannot control a terminal, shortened if it is long.
fn plain(text: &str) -> String {
    visible_start(text, SHOWN)
}

fn line(text: &mut String, line: &str) {
    *text += &format!("{line}\n");
}
