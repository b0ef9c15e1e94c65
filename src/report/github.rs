use crate::events::{CaseFinished, Grade, SuiteError};
use crate::text::{LineColumn, LineRange, visible_start};
use crate::wording::SHOWN_ID;

use super::Collected;
use super::collect::annotations_of;
use super::concise::{Mark, marks};
use super::summary::counts_line;
use super::workflow_command::{self, property};

/// The number of annotations that GitHub shows for one step.
const MOST: usize = 10;

/// A run as at most ten workflow commands, one on each line. Each annotates the expectation whose check failed. The first
/// annotation of every case comes before the second of any case. An error is what makes the run fail, and a warning what
/// does not. `has_summary` is whether the step's summary has the
/// others, and `from_root` turns the path of a suite into the path from the repository's root.
pub(crate) fn annotations(run: &Collected, from_root: impl Fn(&str) -> String, has_summary: bool) -> String {
    let policy = run.policy();
    let mut ranked = Vec::new();
    for suite in run.not_run() {
        let first = suite.errors.first().map(|SuiteError { range: LineRange { start, end }, .. }| {
            format!(",line={},endLine={},col={},endColumn={}", start.line, end.line, start.column, end.column)
        });
        let command = format!(
            "::error file={}{},title=not run::{}",
            property(&from_root(&suite.suite)),
            first.unwrap_or_default(),
            workflow_command::message(&suite.reason)
        );
        ranked.push(((0, 0, 0), command));
    }
    if run.finished().is_some_and(|finished| finished.cancelled) {
        ranked.push(((0, 0, 0), "::error title=interrupted::the run was interrupted".to_owned()));
    }
    let command =
        |severity: &str, case: &CaseFinished, (start, end): (LineColumn, LineColumn), title: &str, message: &str| {
            format!(
                "::{severity} file={},line={},endLine={},col={},endColumn={},title={}::{}",
                property(&from_root(&case.case.suite)),
                start.line,
                end.line,
                start.column,
                end.column,
                property(&format!("{title} {}", visible_start(&case.case.case, SHOWN_ID))),
                workflow_command::message(message)
            )
        };
    for (order, case) in run.open().enumerate() {
        let (severity, rank) = match policy.grade(&case.result) {
            Grade::Passed => ("warning", 1),
            Grade::Failed | Grade::NotJudged => ("error", 0),
        };
        let mut of_case = annotations_of(case);
        of_case.truncate(MOST);
        ranked.extend(of_case.into_iter().enumerate().map(|(nth, (start, end, message))| {
            ((nth, rank, order), command(severity, case, (start, end), &case.status.to_string(), &message))
        }));
    }
    for (order, case) in run.cases().into_iter().enumerate() {
        let place = (case.case.range.start, case.case.range.end);
        ranked.extend(marks(case, policy).map(|Mark { fails, name, message }| {
            let severity = if fails { "error" } else { "warning" };
            ((0, usize::from(!fails), order), command(severity, case, place, name, &message))
        }));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let total = ranked.len();
    let mut lines: Vec<String> = ranked.into_iter().take(MOST).map(|(_, command)| command).collect();
    if total > MOST {
        let place = if has_summary { "in the step summary" } else { "that GitHub would not show" };
        lines.push(format!("{} more {place}", total - MOST));
    }
    lines.push(counts_line(run));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
