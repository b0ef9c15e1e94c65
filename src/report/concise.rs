//! One line for each thing that is wrong, for agents, `:make` and `grep`.

use crate::config::Stale;
use crate::events::{CaseFinished, Grade, Policy, SuiteNotRun};
use crate::text::{LineColumn, visible, visible_start};
use crate::verdict::Status;
use crate::wording::{Headline, OTHER_PROMPTS, SHOWN_ID};

use super::Collected;
use super::collect::annotations_of;

/// The name of the line about a suite that cannot be read.
pub(crate) const NOT_RUN: &str = "not-run";
/// The name of the line about an answer to another prompt.
pub(crate) const STALE: &str = "stale";
/// The name of the line about an answer that is not the last one of its target.
pub(crate) const OLDER_ANSWER: &str = "older-answer";

/// What is wrong at a place.
pub(super) struct ConciseLine<'a> {
    pub(super) path: &'a str,
    pub(super) at: LineColumn,
    /// `error`, `warning` or `hint`.
    pub(super) level: &'a str,
    /// The lint, or the status of a case.
    pub(super) name: &'a str,
    pub(super) message: &'a str,
}

impl ConciseLine<'_> {
    /// One line, whatever its texts have: `path:line:column: level[name] message`.
    pub(super) fn text(&self) -> String {
        let ConciseLine { path, at, level, name, message } = self;
        let message = message.replace("\r\n", "\n").replace('\n', "; ");
        let line = format!("{path}:{}:{}: {level}[{name}] {message}", at.line, at.column);
        line.chars().map(visible).chain(['\n']).collect()
    }
}

/// A run: a line for each error in a suite that is not run, one for each check that did not pass, or for its case if the case has no
/// verdict, and one for each answer that is stale or not the last one of its target.
pub(crate) fn concise(run: &Collected) -> String {
    let policy = run.policy();
    let not_run = run.not_run().iter().flat_map(|SuiteNotRun { suite, reason, errors }| {
        let whole = (LineColumn { line: 1, column: 1 }, NOT_RUN, reason);
        let whole = Some(whole).filter(|_| errors.is_empty());
        let errors = errors.iter().map(|error| (error.range.start, &*error.lint, &error.message));
        let line = move |(at, name, message): (LineColumn, &str, &String)| {
            ConciseLine { path: suite, at, level: "error", name, message }.text()
        };
        whole.into_iter().chain(errors).map(line)
    });
    let marks = run.cases().into_iter().flat_map(|case| {
        marks(case, policy).map(move |Mark { fails, name, message }| {
            let level = if fails { "error" } else { "warning" };
            let message = format!("{}: {message}", visible_start(&case.case.case, SHOWN_ID));
            let (path, at) = (&case.case.suite, case.case.range.start);
            ConciseLine { path, at, level, name, message: &message }.text()
        })
    });
    let is_only_stale = |case: &&CaseFinished| case.status == Status::Pass && case.result.stale;
    let open = run.open().filter(|case| !is_only_stale(case)).flat_map(|case| {
        let level = if policy.grade(&case.result) == Grade::Passed { "warning" } else { "error" };
        let (path, name) = (&case.case.suite, case.status.to_string());
        let line = move |(at, _, message): (LineColumn, LineColumn, String)| {
            let message = format!("{}: {message}", visible_start(&case.case.case, SHOWN_ID));
            ConciseLine { path, at, level, name: &name, message: &message }.text()
        };
        annotations_of(case).into_iter().map(line)
    });
    not_run.chain(open).chain(marks).collect()
}

/// That an answer may not be the last word of its target.
pub(super) struct Mark {
    /// Whether it makes the run fail.
    pub(super) fails: bool,
    pub(super) name: &'static str,
    pub(super) message: String,
}

/// The marks of the answer of a case.
pub(super) fn marks(case: &CaseFinished, policy: Policy) -> impl Iterator<Item = Mark> + use<> {
    let counts = case.result.stale && (policy.strict || policy.stale != Stale::Ignore);
    let stale = counts.then(|| Mark {
        fails: policy.stale_fails(),
        name: STALE,
        message: format!("{OTHER_PROMPTS}; record it again"),
    });
    let older = Headline::of(&case.result).newer_reason();
    let older = older.map(|message| Mark { fails: false, name: OLDER_ANSWER, message });
    stale.into_iter().chain(older)
}
