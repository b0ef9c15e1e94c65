//! What a report needs of a run: its suites and cases, what is open in a case, and where its suite asks for it.

use std::collections::HashMap;

use crate::events::{
    CaseFinished, CaseRef, Event, Grade, Policy, RunFinished, RunStarted, RunSummary, SuiteNotRun, SuiteStarted,
    average_score,
};
use crate::text::{LineColumn, counted, number, visible_start};
use crate::verdict::{AnswerSummary, CaseResult, Status};
use crate::wording::{Headline, Line, Markup, check_name, escaped_for_sites, further_reason, open_checks, plain};

use super::markdown::{case_section, repeats_line, status_label};

/// The events of a run, collected for formats that show the run as a whole. The runs of several workspaces are collected as
/// one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    suites: Vec<SuiteStarted>,
    /// The cases in the order in which they finished.
    cases: Vec<CaseFinished>,
    /// The indexes in `cases` by suite.
    of_suite: HashMap<String, Vec<usize>>,
    not_run: Vec<SuiteNotRun>,
}

impl Collected {
    /// Adds the next event.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.suites.extend(started.suites.iter().cloned());
                self.started.get_or_insert_with(|| started.clone());
            }
            Event::RunFinished(finished) => self.finish(finished),
            Event::CaseFinished(case) => {
                self.of_suite.entry(case.case.suite.clone()).or_default().push(self.cases.len());
                self.cases.push(CaseFinished { answer: None, ..(**case).clone() });
            }
            Event::SuiteNotRun(suite) => self.not_run.push(suite.clone()),
            Event::CaseStarted(_) | Event::CaseProgress(_) | Event::InterruptedRun(_) | Event::Warning(_) => {}
        }
    }

    fn finish(&mut self, last: &RunFinished) {
        let Some(all) = &mut self.finished else {
            self.finished = Some(last.clone());
            return;
        };
        all.cancelled |= last.cancelled;
        all.duration_ms += last.duration_ms;
        all.not_run += last.not_run;
        all.failures += last.failures;
        all.errors += last.errors;
        all.skipped.extend(last.skipped.iter().cloned());
        all.suites.extend(last.suites.iter().cloned());
        all.summary = RunSummary::of(self.cases.iter().map(|case| &*case.result));
    }

    /// The first event, if it has been emitted.
    pub(crate) fn started(&self) -> Option<&RunStarted> {
        self.started.as_ref()
    }

    /// The last event, if it has been emitted.
    pub(crate) fn finished(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// What its answers took, as a line.
    pub(crate) fn took(&self) -> Option<String> {
        self.finished.as_ref()?.summary.answers.as_ref().map(AnswerSummary::line)
    }

    /// Which results make the run fail.
    pub(crate) fn policy(&self) -> Policy {
        self.started.as_ref().map(|started| started.policy).unwrap_or_default()
    }

    /// The suites of all runs.
    pub(crate) fn suites(&self) -> Vec<&SuiteStarted> {
        self.suites.iter().collect()
    }

    /// The cases of a suite that were not started.
    pub(crate) fn skipped_of(&self, suite: &str) -> Vec<&CaseRef> {
        let skipped = self.finished.iter().flat_map(|finished| &finished.skipped);
        skipped.filter(|case| case.suite == suite).collect()
    }

    /// The mean soft score of the cases that ask for one.
    pub(crate) fn average_score(&self) -> Option<f64> {
        average_score(self.cases.iter().map(|case| &*case.result))
    }

    /// The suites that cannot be run.
    pub(crate) fn not_run(&self) -> &[SuiteNotRun] {
        &self.not_run
    }

    /// The finished cases of a suite in the suite's order. `suite` is its path in events.
    pub(crate) fn cases_of(&self, suite: &str) -> Vec<&CaseFinished> {
        let mut cases: Vec<_> = self.of_suite.get(suite).into_iter().flatten().map(|at| &self.cases[*at]).collect();
        cases.sort_by_key(|case| case.case.index);
        cases
    }

    /// All finished cases, suite by suite and in the order of each.
    pub(crate) fn cases(&self) -> Vec<&CaseFinished> {
        self.suites.iter().flat_map(|suite| self.cases_of(&suite.suite)).collect()
    }

    /// The cases that did not pass, or that make the run fail although they did: flaky ones.
    pub(super) fn open(&self) -> impl Iterator<Item = &CaseFinished> {
        let policy = self.policy();
        let is_open =
            move |case: &&CaseFinished| case.status != Status::Pass || policy.grade(&case.result) != Grade::Passed;
        self.cases().into_iter().filter(is_open)
    }

    /// The cases that did not pass: first `FAIL`, then `ERROR`, then `PARTIAL`.
    pub(crate) fn not_passed(&self) -> Vec<&CaseFinished> {
        let rank = |status: Status| match status {
            Status::Fail => 0,
            Status::Error => 1,
            Status::Partial => 2,
            Status::Pass => 3,
        };
        let mut cases: Vec<_> = self.cases().into_iter().filter(|case| case.status != Status::Pass).collect();
        cases.sort_by_key(|case| rank(case.status));
        cases
    }
}

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
        let mut message = Headline::of(&case.result).reasons();
        if let Some(further) = case.result.reason.as_deref().map(further_reason).filter(|further| !further.is_empty()) {
            message.extend(["\n", further]);
        }
        return vec![(of_case.start, of_case.end, message)];
    }
    checks
}

/// The longest report, in bytes: a comment of a pull request has at most 65,536 characters.
const LONGEST: usize = 60_000;

/// The number of rows of the table. GitHub shows 1 MiB of a step summary.
const ROWS: usize = 200;

/// A run as Markdown for a team: the step summary of a workflow, and the comment of a pull request. First the counts, then
/// each case that did not pass with its checks, what came nearest, and its answer folded, then the table of the cases.
/// Text from suites and answers cannot become a link, an image, HTML or another cell.
pub(crate) fn summary(run: &Collected) -> String {
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
        // The table needs some room, too.
        if text.len() + section.len() > LONGEST / 2 {
            break;
        }
        text.push_str(&section);
        left -= 1;
    }
    if left > 0 {
        text += &format!("\n{} more did not pass.\n", counted(left, "case"));
    }
    text.push_str(&table(run));
    text
}

fn heading(run: &Collected) -> String {
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
pub(super) fn counts_line(run: &Collected) -> String {
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

fn section(run: &Collected, case: &CaseFinished) -> String {
    let mut head = Markup::default();
    let grade = run.policy().grade(&case.result);
    let note = if grade == Grade::Passed { " (does not fail the run)" } else { "" };
    head.paragraph(
        Line::new("### ").say(name(&case.case.case)).say(format!(" · {}{note}", status_label(&case.result))),
    );
    let start = case.case.range.start;
    head.paragraph(Line::default().code(&format!("{}:{}:{}", case.case.suite, start.line, start.column)));
    format!("\n{}\n{}", head.to_site_markdown(), case_section(&case.result))
}

/// All cases if they are few, else those that did not pass.
fn table(run: &Collected) -> String {
    let all = run.cases();
    let shown = if all.len() <= ROWS { all } else { run.not_passed() };
    let (rows, left) = (shown.len().min(ROWS), shown.len().saturating_sub(ROWS));
    let mut text = String::from(
        "\n### Cases\n\n| Suite | Case | Status | Soft score | Reason |\n| --- | --- | --- | --- | --- |\n",
    );
    for case in shown.into_iter().take(rows) {
        let cells = [
            name(&case.case.suite),
            name(&case.case.case),
            status_label(&case.result),
            case.result.metrics.scoring.soft_score.shown().map_or_else(String::new, number),
            cell(&reason(&case.result)),
        ];
        text += &format!("| {} |\n", cells.join(" | "));
        if text.len() > LONGEST / 2 {
            break;
        }
    }
    if left > 0 {
        text += &format!("\n{left} more are not listed.\n");
    }
    text
}

fn reason(case: &CaseResult) -> String {
    Headline::of(case).reasons().lines().next().unwrap_or_default().to_owned()
}

/// The longest text in a cell of a table, in code points. A wider table scrolls.
const LONGEST_CELL: usize = 160;

/// A message for a cell of a table, without the backticks of what it quotes.
fn cell(message: &str) -> String {
    name(&plain(message))
}

/// A name for a cell of a table or a heading.
fn name(text: &str) -> String {
    escaped_for_sites(&visible_start(text, LONGEST_CELL))
}
