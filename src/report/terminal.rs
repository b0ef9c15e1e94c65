use anstyle::{AnsiColor, Style};
use rayon::prelude::*;

use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::events::CaseFinished;
use crate::runner::Run;
use crate::text::{number, seconds, visible_start, visible_text};
use crate::verdict::{AnswerSummary, CheckResult, EXCERPT, Status};
use crate::wording::{
    arithmetic, check_name, command_for_case, further_reason, main_reason, open_checks, place_in_transcript, reasons,
    sign,
};

use super::collect::cases_in_suites;
use super::markdown::repeats_line;
use super::place_in_suite;

/// The longest id or quotation in a line, in code points. Two lines of a terminal.
const SHOWN: usize = 160;

/// The longest line that a program printed, in code points.
const PRINTED: usize = 400;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

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
        further_lines(&mut text, reason);
        line(&mut text, "");
        return text;
    }
    // Several threads write a long list.
    run.not_passed().par_iter().with_min_len(FEW_CASES).map(|case| failure(case)).collect()
}

/// How many cases one thread writes at least.
const FEW_CASES: usize = 256;

/// A case that did not pass, with its open checks.
fn failure(case: &CaseFinished) -> String {
    let mut text = String::new();
    line(&mut text, &case_line(case));
    let start = case.case.range.start;
    line(&mut text, &format!("  {DIM}{}:{}:{}{DIM:#}", plain(&case.case.suite), start.line, start.column));
    further_lines(&mut text, case.result.reason.as_deref().unwrap_or_default());
    for (number, check) in open_checks(&case.result).enumerate() {
        check_lines(&mut text, case, check);
        if number == 0 {
            answer_lines(&mut text, case);
        }
    }
    if let Some(picture) = &case.result.screenshot {
        line(&mut text, &format!("    screenshot: {}", plain(picture)));
    }
    if let Some(sum) = arithmetic(&case.result).filter(|_| case.status != Status::Error) {
        line(&mut text, &format!("    soft score {}", plain(&sum)));
    }
    line(&mut text, "");
    text
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
    let policy = run.policy();
    let cases = run.cases();
    let stale = cases.iter().filter(|case| case.result.stale).count();
    if stale > 0 {
        let fails = if policy.strict {
            " (fails because of --strict)"
        } else if policy.stale_fails() {
            " (fails because of [run] stale)"
        } else {
            ""
        };
        closing += &format!(", {stale} stale{fails}");
    }
    if policy.strict && summary.partial > 0 {
        closing.push_str("; partial fails because of --strict");
    }
    if let Some(score) = run.average_score() {
        closing += &format!(" {DIM}· average soft score {}{DIM:#}", number(score));
    }
    closing += &format!(" {DIM}· {}{DIM:#}", seconds(finished.duration_ms));
    line(&mut text, &closing);
    run.took().iter().for_each(|took| line(&mut text, took));
    if let Some(repeats) = &summary.repeats {
        line(&mut text, &repeats_line(repeats));
    }
    text
}

/// The lines of a reason that its headline does not show.
fn further_lines(text: &mut String, reason: &str) {
    further_reason(reason).lines().for_each(|further| line(text, &format!("    {}", visible_start(further, PRINTED))));
}

fn check_lines(text: &mut String, case: &CaseFinished, check: &CheckResult) {
    let style = style_of(check.outcome);
    let (line_number, column) = place_in_suite(case, check);
    line(
        text,
        &format!(
            "    {style}{}{style:#} {}: {}",
            sign(check.outcome),
            plain(check_name(check)),
            visible_text(&check.message)
        ),
    );
    line(text, &format!("      {DIM}{}:{line_number}:{column}{DIM:#}", plain(&case.case.suite)));
    for evidence in check.evidence.iter().take(3) {
        line(text, &format!("      {}", evidence_line(evidence)));
    }
    let shown = |near: &Evidence| check.evidence.iter().any(|evidence| evidence.place == near.place);
    for evidence in check.nearest.iter().filter(|near| !shown(near)).take(3) {
        line(text, &format!("      nearest: {}", evidence_line(evidence)));
    }
}

/// How many lines of an answer are shown. The next case stays on the screen.
const ANSWER: usize = 12;

/// The answer of a case that did not pass: at most [`ANSWER`] lines around the first place that a check names, with `>` before the lines
/// that are evidence, or that come nearest.
fn answer_lines(text: &mut String, case: &CaseFinished) {
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
        return line(text, &format!("      {DIM}│ the answer is empty{DIM:#}"));
    }
    if first > 1 {
        line(text, &format!("      {DIM}│ …{DIM:#}"));
    }
    for (number, said) in
        excerpt.lines().enumerate().map(|(index, said)| (index + 1, said)).skip(first - 1).take(ANSWER)
    {
        let said = visible_start(said, PRINTED);
        match named.contains(&number) {
            true => line(text, &format!("      {BOLD}>{BOLD:#} {said}")),
            false => line(text, format!("      {DIM}│{DIM:#} {said}").trim_end()),
        }
    }
    if first + ANSWER <= excerpt.len() || excerpt.len() == EXCERPT {
        line(
            text,
            &format!("      {DIM}│ … the whole answer: {}{DIM:#}", plain(&command_for_case("show", &case.case.case))),
        );
    }
}

fn evidence_line(evidence: &Evidence) -> String {
    format!("{}: `{}`", place_in_transcript(evidence), visible_text(&evidence.text))
}

/// Text that cannot control a terminal, shortened if it is long.
fn plain(text: &str) -> String {
    visible_start(text, SHOWN)
}

/// The style of the sign of a check.
pub(super) fn style_of(outcome: CheckOutcome) -> Style {
    style(match outcome {
        CheckOutcome::Passed => Status::Pass,
        CheckOutcome::Failed => Status::Fail,
        CheckOutcome::Unknown => Status::Partial,
        CheckOutcome::NotJudged => Status::Error,
    })
}

/// The style of a status.
pub(super) fn style(status: Status) -> Style {
    let colour = match status {
        Status::Pass => AnsiColor::Green,
        Status::Fail => AnsiColor::Red,
        Status::Partial => AnsiColor::Yellow,
        Status::Error => AnsiColor::Magenta,
    };
    colour.on_default().bold()
}

fn line(text: &mut String, line: &str) {
    *text += &format!("{line}\n");
}
