//! The cases of a run, and what the run says about preconditions that nobody checks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::events::CaseRef;
use crate::filed::misfiled;
use crate::suite::{List, PlacedCase, Suite};
use crate::syntax;
use crate::targets::Target;
use crate::text::{Span, Text};

use super::case::NoAnswer;

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
    /// [`misfiled`], once a case has no stored answer.
    pub(crate) misfiled: OnceLock<HashMap<String, String>>,
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
        Self { path: path.into(), suite, text, faults: BTreeMap::new(), misfiled: OnceLock::new() }
    }

    /// The path in messages and events.
    pub(super) fn shown_path(&self) -> String {
        self.path.display().to_string()
    }

    /// The reason, with the place of an answer to the prompts of the case if it is stored for no case.
    pub(super) fn explained(&self, why: NoAnswer, case: &PlannedCase, config: &Config) -> NoAnswer {
        let known = why.is_missing.then(|| self.misfiled.get_or_init(|| misfiled(&self.path, config)));
        let found = known.and_then(|known| known.get(case.id()?).cloned());
        NoAnswer { reason: found.unwrap_or(why.reason), ..why }
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
        let start = Span::new(placed.start, placed.start + 1);
        let span = placed.case.id.as_ref().map_or(start, |id| placed.absolute(id.span));
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
    if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) }
}
