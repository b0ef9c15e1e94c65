//! Runs of cases, and imports of logs. All requests for runs go through this module.
//!
//! ```text
//! plan ─► (trust) ─► active: which run is asked which cases
//!                      │
//!                    work ─► child ─► events    a thread for each run; a process for each suite of it
//!                      └──► push                run events, progress, the answers into the state
//! ```
//!
//! A child is this program, `eval-ls run - --format jsonl`, in a separate process group. It receives the texts of the
//! chosen cases from the buffers, saved or not, and returns the answers. `session::state::Control` stops it.

#[expect(clippy::disallowed_types, reason = "the child is this program")]
mod child;
#[expect(clippy::disallowed_types, reason = "the child is this program")]
pub(crate) mod imports;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::Uri;
use serde::de::IgnoredAny;

use crate::analysis::JudgedCase;
use crate::config::{Approvable, CONFIG_FILE, Config, TargetConfig};
use crate::diagnostic::{nearest, quoted};
use crate::lsp::protocol::Item;
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::text::{LineColumn, Text};
use crate::workspace::{LoadedConfig, root_of_file};

pub(crate) use work::{run_of, start};

/// The cases to run, by suite, and the target of each suite.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) suites: Vec<PlannedSuite>,
}

/// A suite to run, with its text at the time of the request.
#[derive(Debug)]
pub(crate) struct PlannedSuite {
    pub(crate) snapshot: Snapshot,
    pub(crate) path: PathBuf,
    pub(crate) config: Arc<Config>,
    /// The path of its `eval-ls.toml`; `None` if there is none.
    pub(crate) config_path: Option<PathBuf>,
    /// The root of its workspace.
    root: PathBuf,
    /// The target's name and its table in `eval-ls.toml`.
    pub(crate) target: String,
    pub(crate) table: TargetConfig,
    /// The real path of its folder, in which the target may run. `None` before that is allowed, and without a live target.
    pub(crate) allowed: Option<PathBuf>,
    /// The cases to run.
    pub(crate) cases: Vec<PlannedCase>,
}

#[derive(Clone, Debug)]
pub(crate) struct PlannedCase {
    pub(crate) index: usize,
    pub(crate) id: String,
    /// Why it cannot run: it ends at once with this reason.
    pub(crate) fault: Option<String>,
}

/// The part of a suite to run.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The ids of the cases; `None` for all that can run.
    pub(crate) cases: Option<Vec<String>>,
    /// The target's name; `None` for the configured one.
    pub(crate) target: Option<String>,
}

/// Why a case cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanFault {
    #[error("{} is not an eval suite; see `[files]` in {CONFIG_FILE}", quoted(.0))]
    NoSuite(String),
    #[error("save the suite first: its location determines which {CONFIG_FILE} applies")]
    NoFile,
    #[error("{CONFIG_FILE}{}: {message}", place.map_or_else(String::new, |place| format!(", line {}", place.line)))]
    FaultyConfiguration { message: String, place: Option<LineColumn> },
    #[error("target {name} does not exist; {CONFIG_FILE} defines {known}")]
    NoTarget { name: String, known: String },
    #[error("case {id} does not exist{}", near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    NoCase { id: String, near: Option<String> },
    #[error(
        "the {key} of this suite would be written outside of the workspace, to {folder}; set `[run] {key}` to a folder below \
         that of {CONFIG_FILE}"
    )]
    Outside { key: &'static str, folder: String },
    #[error("no case can run")]
    NoCases,
    #[error("several cases have the id {0}; give each a unique id")]
    SameId(String),
    #[error("case {0} has a syntax error; fix it before running")]
    Broken(String),
    #[error("case {0} has no `prompt`")]
    NoPrompt(String),
}

impl Plan {
    /// All cases, in the order of their numbers.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&PlannedSuite, &PlannedCase)> {
        self.suites.iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
    }

    /// The names of the targets, separated by commas.
    pub(crate) fn targets(&self) -> String {
        let mut names: Vec<&str> = self.suites.iter().map(|suite| suite.target.as_str()).collect();
        names.dedup();
        names.join(", ")
    }

    /// Whether a live target is asked.
    pub(crate) fn is_live(&self) -> bool {
        self.suites.iter().any(PlannedSuite::is_live)
    }
}

impl PlannedSuite {
    /// Plans the chosen cases of a suite.
    ///
    /// # Errors
    /// If one of them or the target does not exist.
    pub(crate) fn new(snapshot: Snapshot, configuration: &Configuration, choice: &Choice) -> Result<Self, PlanFault> {
        let path = snapshot.document.path().ok_or(PlanFault::NoFile)?.to_owned();
        if let Some(first) = configuration.errors().next() {
            // A file that cannot be read has no text.
            let text = Some(&configuration.text).filter(|text| !text.is_empty());
            let place = text.map(|text| Text::new(text).line_column(first.span.start));
            return Err(PlanFault::FaultyConfiguration { message: first.message.clone(), place });
        }
        let config = Arc::clone(&configuration.config);
        let target = choice.target.clone().unwrap_or_else(|| config.run.target.clone());
        let table = config.targets.get(&target).cloned().ok_or_else(|| no_target(&target, &config))?;
        let config_path = configuration.folder().map(|folder| folder.join(CONFIG_FILE));
        let root = root_of_file(&path);
        let mut suite =
            Self { snapshot, path, config, config_path, root, target, table, allowed: None, cases: Vec::new() };
        stays_inside(&suite.path, suite.folder(), &suite.config, suite.is_live())?;
        suite.cases = suite.choose(choice.cases.as_deref())?;
        Ok(suite)
    }

    /// Leaves only the cases without an answer of the target to their current prompts. `judged` is the suite with its
    /// answers.
    pub(crate) fn keep_changed(&mut self, judged: &Snapshot) {
        let target = self.target.as_str();
        let has_answer = |case: &PlannedCase| {
            let verdict = judged.document.verdict(case.index, &judged.answers);
            let counts = |verdict: &JudgedCase| {
                let answer = &verdict.answer;
                answer.transcript.is_ok() && answer.failure.is_none() && answer.target() == Some(target)
            };
            verdict.is_some_and(|verdict| !verdict.is_stale() && counts(&verdict))
        };
        self.cases.retain(|case| case.fault.is_none() && !has_answer(case));
    }

    /// Whether there is no case to run.
    pub(crate) fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The suite's URI, as the client writes it.
    pub(crate) fn uri(&self) -> &Uri {
        &self.snapshot.uri
    }

    /// Whether the target is live: it is not `replay`.
    pub(crate) fn is_live(&self) -> bool {
        self.table.is_live()
    }

    /// What a person approves before it runs.
    pub(crate) fn approvable(&self) -> Approvable {
        self.config.approvable(&self.table)
    }

    /// The root of its workspace, which is the working directory of its target.
    pub(crate) fn folder(&self) -> &Path {
        &self.root
    }

    /// Whether only some of its cases run.
    pub(crate) fn is_part(&self) -> bool {
        self.cases.iter().filter(|case| case.fault.is_none()).count() < self.snapshot.document.suite().cases.len()
    }

    /// The case as it is in the suite.
    pub(crate) fn placed(&self, case: &PlannedCase) -> &PlacedCase {
        &self.snapshot.document.suite().cases[case.index]
    }

    /// The case's text.
    pub(crate) fn text(&self, case: &PlannedCase) -> &str {
        self.snapshot.document.text().slice(self.placed(case).span())
    }

    /// A suite of only these cases, so that errors elsewhere in the text do not stop them from running.
    pub(crate) fn excerpt<'a>(&'a self, cases: impl Iterator<Item = &'a PlannedCase>) -> String {
        let cases: Vec<&str> = cases.map(|case| self.text(case)).collect();
        format!("{{\"cases\":[\n{}\n]}}\n", cases.join(",\n"))
    }

    fn choose(&self, wanted: Option<&[String]>) -> Result<Vec<PlannedCase>, PlanFault> {
        let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
        for placed in &self.snapshot.document.suite().cases {
            if let Some(id) = &placed.case.id {
                *by_id.entry(&id.value).or_default() += 1;
            }
        }
        let ids = wanted.unwrap_or_default();
        if let Some(id) = ids.iter().find(|id| !by_id.contains_key(id.as_str())) {
            let near = nearest(id, by_id.keys().copied()).map(quoted);
            return Err(PlanFault::NoCase { id: quoted(id), near });
        }
        // Of a case without `expected`, a person wants to see the answer, and to write checks from it.
        let (faults, _) = self.snapshot.document.faults(&self.snapshot.workspace, true);
        let chosen: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        let mut cases = Vec::new();
        for (index, placed) in self.snapshot.document.suite().cases.iter().enumerate() {
            let Some(id) = placed.case.id.as_ref().map(|id| id.value.clone()) else { continue };
            if wanted.is_some() && !chosen.contains(id.as_str()) {
                continue;
            }
            // Cases with one id are one case in a test explorer.
            let Some(count) = by_id.remove(id.as_str()) else { continue };
            let same = (count > 1).then(|| PlanFault::SameId(quoted(&id)));
            let case = PlannedCase { index, id, fault: None };
            let fault = same.or_else(|| self.fault(&case)).map(|fault| fault.to_string());
            let fault = fault.or_else(|| faults.get(&index).cloned());
            cases.push(PlannedCase { fault, ..case });
        }
        Ok(cases)
    }

    fn fault(&self, case: &PlannedCase) -> Option<PlanFault> {
        if serde_json::from_str::<IgnoredAny>(self.text(case)).is_err() {
            return Some(PlanFault::Broken(quoted(&case.id)));
        }
        let prompt = self.placed(case).case.prompt.as_ref();
        let is_asked = prompt.is_some_and(|prompt| !prompt.value.is_empty());
        (self.is_live() && !is_asked).then(|| PlanFault::NoPrompt(quoted(&case.id)))
    }

    /// The case in the client's terms.
    pub(crate) fn item(&self, case: &PlannedCase) -> Item {
        Item { uri: self.uri().clone(), case: case.id.clone() }
    }
}

/// Checks that a run of the suite at `path`, in the workspace at `root`, writes inside of the workspace. Kept runs are also read
/// and removed.
///
/// # Errors
/// If it would write elsewhere.
pub(crate) fn stays_inside(path: &Path, root: &Path, config: &Config, is_live: bool) -> Result<(), PlanFault> {
    let (store, runs) = (suites::store(path, config), suites::kept_runs(root, config));
    let outside = |key, folder: &Path| PlanFault::Outside { key, folder: quoted(&folder.display().to_string()) };
    if is_live && !store.is_inside() {
        return Err(outside("transcripts", store.folder()));
    }
    if runs.is_inside() { Ok(()) } else { Err(outside("results", runs.path())) }
}

/// The target that `eval-ls run` takes with this configuration: the named one, else the configured one.
///
/// # Errors
/// If the configuration has errors, or no such target.
pub(crate) fn chosen_target<'a>(
    loaded: &'a LoadedConfig,
    name: Option<&'a str>,
) -> Result<(&'a str, &'a TargetConfig), PlanFault> {
    if let Some(first) = loaded.errors.first() {
        return Err(PlanFault::FaultyConfiguration { message: first.message.clone(), place: None });
    }
    let name = name.unwrap_or(&loaded.config.run.target);
    let table = loaded.config.targets.get(name).ok_or_else(|| no_target(name, &loaded.config))?;
    Ok((name, table))
}

fn no_target(name: &str, config: &Config) -> PlanFault {
    let known: Vec<_> = config.targets.keys().map(|name| quoted(name)).collect();
    PlanFault::NoTarget { name: quoted(name), known: known.join(", ") }
}
