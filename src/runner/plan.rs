//! The cases of a run, how often each is attempted, and what the run says about preconditions that nobody checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::PoisonError;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::events::CaseRef;
use crate::suite::{List, PlacedCase, Suite};
use crate::syntax;
use crate::targets::Target;
use crate::text::{Span, Text};
use crate::verdict::{CaseResult, Repeat, RepeatRule, Repeats, Status, is_flaky};

use super::case::JudgedCase;
use super::case_run::CaseRun;

/// A suite that can be run.
#[derive(Clone, Debug)]
pub(crate) struct SuiteInput {
    /// Its file. The file on disk may have another text. Results and transcripts are beside it.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: Text,
    /// The suite in the text.
    pub(crate) suite: Suite,
    /// Why the cases with errors are not asked, by their index.
    pub(crate) faults: BTreeMap<usize, String>,
}

/// The cases to run, in the order of the suites and of their cases. Empty only if a shard has no case.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) suites: Vec<SuiteInput>,
    pub(super) cases: Vec<PlannedCase>,
}

/// A case to run.
#[derive(Clone, Debug)]
pub(super) struct PlannedCase {
    /// Its suite's index in the plan.
    pub(super) suite: usize,
    /// Its index in the suite.
    pub(super) index: usize,
    pub(super) placed: PlacedCase,
}

/// Why no plan could be made: no case of the suites is selected, or they have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no case to run")]
pub(crate) struct NoCases;

impl SuiteInput {
    /// The suite at `path` with this text. Parts of the text that are not valid are ignored.
    pub(crate) fn parse(path: impl Into<PathBuf>, text: Text) -> Self {
        let parsed = syntax::parse(text.as_str());
        let suite = parsed.tree.root(text.as_str()).map_or_else(Suite::default, Suite::lower);
        Self { path: path.into(), suite, text, faults: BTreeMap::new() }
    }

    /// The path in messages and events.
    pub(super) fn shown_path(&self) -> String {
        self.path.display().to_string()
    }
}

impl Plan {
    /// The cases of these suites for which `is_selected` is true of the suite's index and the case's index in its suite.
    ///
    /// # Errors
    /// If there is no case to run.
    pub(crate) fn select(suites: Vec<SuiteInput>, is_selected: impl Fn(usize, usize) -> bool) -> Result<Plan, NoCases> {
        let mut cases: Vec<PlannedCase> = Vec::new();
        for (suite, input) in suites.iter().enumerate() {
            let placed = input.suite.cases.iter().cloned().enumerate().filter(|(index, _)| is_selected(suite, *index));
            cases.extend(placed.map(|(index, placed)| PlannedCase { suite, index, placed }));
        }
        if cases.is_empty() { Err(NoCases) } else { Ok(Plan { suites, cases }) }
    }

    /// Leaves out the cases for which `is_kept` is false of the suite's index and the case's index in its suite.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(usize, usize) -> bool) {
        self.cases.retain(|case| is_kept(case.suite, case.index));
    }

    /// The number of cases to run.
    pub(crate) fn len(&self) -> usize {
        self.cases.len()
    }

    /// The cases to run, each with its suite.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&SuiteInput, &PlacedCase)> {
        self.cases.iter().map(|case| (self.suite_of(case), &case.placed))
    }

    /// The case with that index, and its suite.
    pub(crate) fn case(&self, index: usize) -> Option<(&SuiteInput, &PlacedCase)> {
        self.cases.get(index).map(|case| (self.suite_of(case), &case.placed))
    }

    /// The suites, in the order in which they were given.
    pub(crate) fn suites(&self) -> &[SuiteInput] {
        &self.suites
    }

    /// The id and the category of each case, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.cases.iter().map(|case| {
            let category = case.placed.case.category.as_ref().map_or("general", |category| &category.value);
            (case.id().unwrap_or_default(), category)
        })
    }

    pub(super) fn suite_of(&self, case: &PlannedCase) -> &SuiteInput {
        &self.suites[case.suite]
    }

    /// The case's name in events.
    pub(super) fn case_ref(&self, case: &PlannedCase) -> CaseRef {
        let suite = self.suite_of(case);
        let placed = &case.placed;
        let span = match &placed.case.id {
            Some(id) => placed.absolute(id.span),
            None => Span::new(placed.start, placed.start + 1),
        };
        CaseRef {
            suite: suite.shown_path(),
            case: case.id().unwrap_or_default().to_owned(),
            index: case.index,
            range: suite.text.line_range(span),
        }
    }
}

impl PlannedCase {
    pub(super) fn id(&self) -> Option<&str> {
        self.placed.case.id.as_ref().map(|id| id.value.as_str())
    }
}

/// The notices for a run of `plan` with a target: one about the preconditions that nobody defined, and one about those that
/// this target cannot check. None if the target is not live: what was recorded is judged as it is.
pub(super) fn precondition_notices(plan: &Plan, target: &dyn Target, config: &Config) -> Vec<String> {
    if !target.is_live() {
        return Vec::new();
    }
    let texts = plan.cases.iter().flat_map(|case| case.placed.case.preconditions.iter().flat_map(List::entries));
    let texts: BTreeSet<&str> = texts.map(|text| text.value.as_str()).collect();
    let checked = config.targets.get(target.name()).map(|target| &target.preconditions);
    let (defined, undefined): (Vec<&str>, Vec<&str>) =
        texts.into_iter().partition(|text| config.preconditions.contains_key(*text));
    let unchecked: Vec<&str> =
        defined.into_iter().filter(|text| checked.is_none_or(|checked| !checked.contains_key(*text))).collect();
    let mut notices = Vec::new();
    if let Some((first, others)) = undefined.split_first() {
        let help = "define what it means under `[[preconditions]]` in eval-ls.toml";
        notices.push(format!("nothing checks the precondition {}{}; {help}", quoted(first), more(others)));
    }
    if let Some((first, others)) = unchecked.split_first() {
        let (first, target) = (quoted(first), quoted(target.name()));
        notices.push(format!(
            "the target {target} cannot take the steps of the precondition {first}{}; give it a `command`",
            more(others)
        ));
    }
    notices
}

fn more(others: &[&str]) -> String {
    match others.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    }
}

impl CaseRun<'_> {
    /// Runs a case as often as its rule says, and folds the attempts to one result: that of the first attempt with the status of
    /// the case. Each attempt is kept before the next one starts, so a run that is resumed continues with the next one.
    pub(super) async fn repeated(&mut self) -> JudgedCase {
        let (shared, index) = (self.shared, self.index);
        let Some(rule) = shared.options.repeats.get(&index).filter(|rule| rule.attempts > 1) else {
            return self.attempt().await;
        };
        let begun = shared.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(&index);
        let mut attempts: Vec<JudgedCase> = begun.unwrap_or_default();
        while !is_decided(&attempts, rule) {
            let number = attempts.len() + 1;
            self.tell(format!("attempt {number} of {}", rule.attempts));
            let attempt = self.attempt().await;
            let is_cancelled = attempt.cancelled;
            if !is_cancelled {
                if shared.options.kept.is_some() {
                    let duration_ms = attempt.result.duration_ms.unwrap_or_default();
                    let kept = JudgedCase { transcript: None, picture: None, ..attempt.clone() };
                    self.events.keep(self.index, self.ended(kept, Some(number), duration_ms), None);
                }
                self.tell(format!("attempt {number} of {}: {}", rule.attempts, attempt.result.status));
            }
            // A cancelled attempt does not count beside others.
            if !is_cancelled || attempts.is_empty() {
                attempts.push(attempt);
            }
            if is_cancelled || shared.cancel.is_cancelled() {
                let cancelled = !is_decided(&attempts, rule);
                return JudgedCase { cancelled, ..folded(attempts, rule) };
            }
            if self.session.as_ref().is_some_and(|session| !session.can_be_asked_again()) {
                break;
            }
        }
        folded(attempts, rule)
    }
}

fn statuses(attempts: &[JudgedCase]) -> Vec<Status> {
    attempts.iter().map(|attempt| attempt.result.status).collect()
}

fn is_decided(attempts: &[JudgedCase], rule: &RepeatRule) -> bool {
    rule.is_decided(&statuses(attempts))
}

/// The result of a case with these attempts: that of the first one with the status of the case.
fn folded(mut attempts: Vec<JudgedCase>, rule: &RepeatRule) -> JudgedCase {
    let statuses = statuses(&attempts);
    let status = rule.status(&statuses);
    let repeats = Repeats {
        planned: rule.attempts,
        min_pass: rule.min_pass,
        flaky: is_flaky(&statuses),
        attempts: attempts.iter().map(|attempt| repeat(&attempt.result)).collect(),
        quarantine: rule.quarantine.clone(),
    };
    let warnings = attempts.iter_mut().flat_map(|attempt| std::mem::take(&mut attempt.warnings)).collect();
    let answers = attempts.iter().map(|attempt| attempt.answer.clone()).collect();
    // A case without a certain status has an attempt without a verdict, or was cancelled.
    let place = statuses.iter().position(|one| *one == status).unwrap_or(statuses.len() - 1);
    let chosen = attempts.swap_remove(place);
    let result = CaseResult { status, repeats: Some(repeats), ..chosen.result };
    let reason = (status == Status::Error)
        .then(|| result.reason.clone().unwrap_or_else(|| "the missing attempts would decide the status".to_owned()));
    JudgedCase { result: CaseResult { reason, ..result }, warnings, answers, ..chosen }
}

fn repeat(result: &CaseResult) -> Repeat {
    Repeat {
        status: result.status,
        reason: result.reason.clone(),
        soft_score: result.metrics.scoring.soft_score.shown(),
        checks: result.checks.clone(),
        duration_ms: result.duration_ms,
    }
}
