//! Which cases a command line selects: one place for `run`, `record` and `challenge`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::cli::args::{Place, SelectionArgs};
use crate::cli::input::config_of;
use crate::cli::{Console, ExitStatus, Refusal, did_you_mean};
use crate::config::CaseGlob;
use crate::diagnostic::quoted;
use crate::files::is_inside;
use crate::runs::{KeptRun, LATEST, Runs, SuiteRecord};
use crate::suite::{PlacedCase, Suite};
use crate::verdict::Status;
use crate::workspace::{LoadedConfig, absolute, boundary_of, is_linked_out};

/// The cases that a command line selects. Sees one suite after the other.
pub(super) struct Selection<'a> {
    args: &'a SelectionArgs,
    /// The folder of `--results`, whose runs count instead of those of the workspace.
    results: Option<PathBuf>,
    ids: Vec<CaseGlob>,
    categories: Vec<CaseGlob>,
    /// The ids and categories of the cases that were seen.
    seen: BTreeMap<&'static str, HashSet<String>>,
    /// The target of `--target`, whose verdicts count for `--failed` if it has answered before.
    target: Option<&'a str>,
    /// The cases that failed and that their suites do not have any more.
    gone: BTreeSet<String>,
    /// Why runs are left out: their verdicts cannot be read.
    unreadable: BTreeSet<String>,
    /// By the workspace's root: the run that `--failed` found.
    found: BTreeMap<PathBuf, KeptRun>,
    selected: usize,
}

/// A suite as a selection sees it.
#[derive(Clone, Copy)]
pub(super) struct SelectableSuite<'a> {
    /// The path, as it was given.
    pub(super) path: &'a Path,
    /// The cases.
    pub(super) suite: &'a Suite,
}

/// How many cases that are gone a message names: one line of a terminal.
const MOST_GONE: usize = 3;

impl<'a> Selection<'a> {
    /// Reads the options. `results` is the folder of `--results`.
    ///
    /// # Errors
    /// If a pattern is not valid: a lower-case fragment.
    pub(super) fn new(args: &'a SelectionArgs, results: Option<&Path>) -> Result<Selection<'a>, String> {
        let globs = |option: &str, list: &Option<Vec<String>>| -> Result<Vec<CaseGlob>, String> {
            let globs = list.iter().flatten().map(|glob| glob.parse::<CaseGlob>());
            globs.collect::<Result<_, _>>().map_err(|fault| format!("`{option}`: {fault}"))
        };
        Ok(Selection {
            results: results.map(absolute),
            ids: globs("--cases", &args.cases)?,
            categories: globs("--category", &args.category)?,
            seen: BTreeMap::new(),
            target: None,
            gone: BTreeSet::new(),
            unreadable: BTreeSet::new(),
            found: BTreeMap::new(),
            selected: 0,
            args,
        })
    }

    /// The selection for a command that asks this target.
    pub(super) fn asking(self, target: Option<&'a str>) -> Selection<'a> {
        Selection { target, ..self }
    }

    /// Whether all cases are selected.
    pub(super) fn selects_all(&self) -> bool {
        self.args.is_empty()
    }

    /// The indexes of the selected cases of a suite in the workspace of `loaded`.
    ///
    /// # Errors
    /// If an earlier run cannot be read: a lower-case fragment.
    pub(super) fn pick(&mut self, suite: SelectableSuite<'_>, loaded: &LoadedConfig) -> Result<Vec<usize>, String> {
        let mut picked: Vec<usize> = (0..suite.suite.cases.len()).collect();
        if self.args.is_empty() {
            self.selected += picked.len();
            return Ok(picked);
        }
        let case = |index: usize| &suite.suite.cases[index];
        for (key, value) in [("case", id as fn(&PlacedCase) -> &str), ("category", category)] {
            let seen = self.seen.entry(key).or_default();
            seen.extend(suite.suite.cases.iter().map(|case| value(case).to_owned()));
        }
        let cases = || suite.suite.cases.iter();
        if self.args.cases.is_some() {
            let meant = CaseGlob::meant(&self.ids, cases().map(id));
            picked.retain(|index| meant.contains(id(case(*index))));
        }
        if self.args.category.is_some() {
            let meant = CaseGlob::meant(&self.categories, cases().map(category));
            picked.retain(|index| meant.contains(category(case(*index))));
        }
        if let Some(run) = &self.args.failed {
            let failed = self.failed_in(run, suite, loaded)?;
            picked.retain(|index| failed.contains(id(case(*index))));
        }
        self.selected += picked.len();
        Ok(picked)
    }

    /// Reports that nothing is selected, or that a name or a pattern selects nothing. Call it after the last suite.
    pub(super) fn complain(&self, console: &mut Console) -> ExitStatus {
        for fault in &self.unreadable {
            console.tell(format_args!("warning: {fault}; its cases are selected"));
        }
        let mut status = ExitStatus::Passed;
        for (key, globs) in [("case", &self.ids), ("category", &self.categories)] {
            let known = || self.seen.get(key).into_iter().flatten().map(String::as_str);
            let unknown = globs.iter().filter(|glob| !known().any(|name| glob.matches(name)));
            let fault = |glob: &CaseGlob| {
                let mut names: Vec<&str> = known().collect();
                names.sort_unstable();
                match quoted(glob.as_str()) {
                    name if glob.is_pattern() => format!("no {key} matches {name}"),
                    name => format!("there is no {key} {name}{}", did_you_mean(glob.as_str(), names)),
                }
            };
            let mut faults: Vec<String> = unknown.map(fault).collect();
            faults.dedup();
            if !faults.is_empty() {
                console.complain(faults.join("; "));
                status = ExitStatus::NothingSelected;
            }
        }
        if status == ExitStatus::Passed && self.selected == 0 && !self.args.is_empty() && self.found.is_empty() {
            console.complain("no case is selected; `eval-ls list` lists the cases");
            status = ExitStatus::NothingSelected;
        }
        status
    }

    /// Whether no case is selected because none failed. Reports it. Call it after [`complain`](Self::complain).
    pub(super) fn is_done(&self, console: &mut Console) -> bool {
        if self.selected > 0 || self.found.is_empty() {
            return false;
        }
        console.tell(if !self.gone.is_empty() {
            let gone: Vec<String> = self.gone.iter().take(MOST_GONE).map(|id| quoted(id)).collect();
            let more = if self.gone.len() > MOST_GONE { " and others" } else { "" };
            let them = if self.gone.len() == 1 { "it" } else { "them" };
            format!("{}{more} failed, and no suite has {them} any more", gone.join(", "))
        } else if self.is_of_last() {
            let targets: BTreeSet<&str> = self.found.values().map(|run| &*run.record().target.name).collect();
            let targets: Vec<String> = targets.into_iter().map(quoted).collect();
            format!("no selected case failed when {} last answered it", targets.join(", "))
        } else {
            let names: Vec<String> = self.found.values().map(|run| run.id().to_string()).collect();
            format!("no selected case failed in the run {}", names.join(", "))
        });
        true
    }

    /// The target of the run that `--failed` found in the workspace of `loaded`.
    pub(super) fn failed_target(&self, loaded: &LoadedConfig) -> Option<&str> {
        Some(&self.found.get(&loaded.root)?.record().target.name)
    }

    /// Whether `--failed` asks for the last verdict of each case, not for those of one run.
    fn is_of_last(&self) -> bool {
        self.args.failed.as_deref() == Some(LATEST)
    }

    fn runs(&self, loaded: &LoadedConfig) -> Runs {
        runs_of(self.results.as_deref(), loaded)
    }

    /// The ids of the cases of a suite that did not pass: in the run of that name, or, for the last run, when the target of that run
    /// last answered them. So a run of a few cases does not hide the others.
    fn failed_in(
        &mut self,
        name: &str,
        suite: SelectableSuite<'_>,
        loaded: &LoadedConfig,
    ) -> Result<HashSet<String>, String> {
        let path = absolute(suite.path);
        let runs = self.runs(loaded);
        let of_target = self.target.filter(|_| self.is_of_last()).map(|target| runs.find(&format!("target:{target}")));
        let found = of_target.and_then(Result::ok).map_or_else(|| runs.find(name), Ok).map_err(|fault| match name {
            LATEST => format!("no run is kept in `{}`; `eval-ls run` keeps one", runs.path().display()),
            _ => fault.to_string(),
        })?;
        let target = &found.record().target.name;
        let earlier = if self.is_of_last() { runs.list() } else { Vec::new() };
        let earlier = earlier.into_iter().filter(|run| run.record().target.name == *target);
        let mut last: HashMap<String, Status> = HashMap::new();
        let mut selected: HashSet<String> = HashSet::new();
        for run in std::iter::once(found.clone()).chain(earlier) {
            if suite.suite.cases.iter().all(|case| last.contains_key(id(case))) {
                break;
            }
            let is_of_suite = |suite: &SuiteRecord| loaded.root.join(&suite.path) == path;
            let suites = run.record().suites.iter().filter(|suite| is_of_suite(suite));
            selected.extend(suites.flat_map(|of| &of.cases).map(|case| case.id.clone()));
            let lines = match run.lines() {
                Err(fault) if self.is_of_last() => {
                    // What its verdicts were is not known, so its cases are selected.
                    for id in selected.drain() {
                        last.entry(id).or_insert(Status::Error);
                    }
                    self.unreadable.insert(fault.to_string());
                    continue;
                }
                lines => lines.map_err(|fault| fault.to_string())?,
            };
            for line in lines {
                if run.record().suites.get(line.suite).is_some_and(is_of_suite) {
                    last.entry(line.case).or_insert(line.status);
                }
            }
        }
        self.found.insert(loaded.root.clone(), found);
        // A case that was to run and has no verdict at all, because the run ended early.
        for id in selected {
            last.entry(id).or_insert(Status::Error);
        }
        let failed: HashSet<String> =
            last.into_iter().filter(|(_, status)| *status != Status::Pass).map(|(id, _)| id).collect();
        let ids: HashSet<&str> = suite.suite.cases.iter().map(id).collect();
        self.gone.extend(failed.iter().filter(|failed| !ids.contains(failed.as_str())).cloned());
        Ok(failed)
    }
}

/// The configuration of a workspace, and its kept runs.
pub(super) fn opened(place: &Place) -> Result<(LoadedConfig, Runs), Refusal> {
    let loaded = config_of(None, place.workspace.as_deref().unwrap_or(Path::new(".")))?;
    let runs = runs_of(place.results.as_deref(), &loaded);
    Ok((loaded, runs))
}

/// The runs of a workspace: those in the folder of `--results` if it is given.
pub(super) fn runs_of(results: Option<&Path>, loaded: &LoadedConfig) -> Runs {
    match results {
        Some(results) => Runs::new(absolute(results).join("runs")),
        None => {
            let runs = Runs::of_workspace(&loaded.root, &loaded.config);
            // A link may have come with the repository; the names of `[run] results` are a choice.
            let is_linked_out = is_linked_out(runs.path(), &loaded.root, &loaded.root);
            if is_linked_out { runs.within(&loaded.root, u64::MAX, u64::MAX) } else { runs }
        }
    }
}

/// The file of a suite of a run: a regular file in the workspace at `root` or in its repository, or below the current folder if the
/// configuration `is_named`, since the suites of such a run can be anywhere. Anybody can write the record of a run.
///
/// # Errors
/// If it is another file, or does not exist.
pub(super) fn suite_file(run: &KeptRun, suite: &SuiteRecord, root: &Path, is_named: bool) -> Result<PathBuf, String> {
    let path = root.join(&suite.path);
    let is_inside = is_inside(&path, &boundary_of(root)) || (is_named && is_inside(&path, &absolute(Path::new("."))));
    let fault = match path.metadata() {
        _ if !is_inside => "is outside of the workspace".to_owned(),
        Ok(metadata) if metadata.is_file() => return Ok(path),
        Ok(_) => "is not a regular file".to_owned(),
        Err(fault) => format!("cannot be read: {fault}"),
    };
    Err(format!("the suite {} of the run {} {fault}", quoted(&suite.path), run.id()))
}

fn id(case: &PlacedCase) -> &str {
    case.case.id.as_ref().map_or("", |id| &id.value)
}

fn category(case: &PlacedCase) -> &str {
    case.case.category.as_ref().map_or("general", |category| &category.value)
}
