use crate::events::CaseFinished;
use crate::text::number;
use crate::verdict::{CaseResult, Status};
use crate::wording::{Headline, open_checks};

use super::place::place_in_suite;
use super::workflow_command::{self, property};
use super::{Collected, markdown};

/// The number of annotations that GitHub shows for one step.
const MOST: usize = 10;

/// A run as at most ten workflow commands, one on each line. Each annotates the expectation whose check failed. The first
/// annotation of every case comes before the second of any case.
pub(crate) fn annotations(run: &Collected) -> String {
    let mut ranked = Vec::new();
    for (order, case) in run.not_passed().into_iter().enumerate() {
        let severity = if case.status == Status::Partial { "warning" } else { "error" };
        let mut of_case = annotations_of(case);
        of_case.truncate(MOST);
        ranked.extend(of_case.into_iter().enumerate().map(|(nth, (line, column, message))| {
            let command = format!(
                "::{severity} file={},line={line},col={column},title={}::{}",
                property(&case.case.suite),
                property(&format!("{} {}", case.status, case.case.case)),
                workflow_command::message(&message)
            );
            ((nth, order), command)
        }));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let total = ranked.len();
    let mut lines: Vec<String> = ranked.into_iter().take(MOST).map(|(_, command)| command).collect();
    if total > MOST {
        lines.push(format!("{} more in the step summary", total - MOST));
    }
    lines.push(summary_line(run));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The table of all cases, for the file in `GITHUB_STEP_SUMMARY`.
pub(crate) fn step_summary(run: &Collected) -> String {
    let results: Vec<CaseResult> = run.cases().into_iter().map(|case| case.result.clone()).collect();
    format!("## Eval results\n\n{}\n\n{}", summary_line(run), markdown::table(&results))
}

fn summary_line(run: &Collected) -> String {
    let Some(finished) = run.finished() else { return "the run did not finish".to_owned() };
    let summary = &finished.summary;
    let average =
        summary.avg_soft_score.map_or_else(String::new, |score| format!(", average soft score {}", number(score)));
    format!(
        "{} cases: {} pass, {} fail, {} partial, {} error{average}",
        summary.total, summary.pass, summary.fail, summary.partial, summary.error
    )
}

fn annotations_of(case: &CaseFinished) -> Vec<(usize, usize, String)> {
    let checks: Vec<_> = open_checks(&case.result)
        .map(|check| {
            let (line, column) = place_in_suite(case, check);
            (line, column, format!("{}: {}", check.id, check.message))
        })
        .collect();
    if case.status == Status::Error || checks.is_empty() {
        let start = case.case.range.start;
        return vec![(start.line, start.column, Headline::of(&case.result).reasons())];
    }
    checks
}
