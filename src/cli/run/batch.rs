//! What a run runs: the selected cases of the suites with one target and configuration, and how the run is kept. Folders that it would
//! write through a link out of the workspace are refused: a repository may bring such a link.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::analysis::workspace_of;
use crate::cli::args::RunArgs;
use crate::cli::input::{Input, SharedFolders, WithErrors, Workspaces, config_of, find, near, read_suite, show};
use crate::cli::selection::{SelectableSuite, Selection, runs_of, suite_file};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::{Config, HumanDuration, TargetConfig, TargetKind, plain_address};
use crate::diagnostic::{Finding, quoted};
use crate::events::{Policy, SuiteNotRun};
use crate::runner::{AnswersOf, Keeping, Options, Plan, Since, SuiteInput};
use crate::runs::{ConfigRecord, FORMAT, KeptRun, Redact, RunMode, RunRecord, RunState, Runs, TargetRecord, hash_of};
use crate::targets::{self, Target};
use crate::text::Text;
use crate::transcript::Store;
use crate::verdict::Versions;
use crate::workspace::{LoadedConfig, is_linked_out};

use super::repeat::{self, since};
use super::{Chosen, announce, check_approved, choose, reports};

/// Suites that run together, because they share one configuration.
pub(super) struct Batch {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
}

/// The batches to run, and what is already known to be wrong.
pub(super) struct Batches {
    pub(super) batches: Vec<Batch>,
    /// The suites that cannot be run, each with the reason.
    pub(super) not_run: Vec<SuiteNotRun>,
    pub(super) status: ExitStatus,
}

impl Batches {
    /// Whether only the user may read what is written of a run.
    pub(super) fn have_secrets(&self) -> bool {
        self.batches.iter().any(|batch| batch.target.is_private())
    }

    /// The live targets of the configurations.
    pub(super) fn live_targets(&self) -> BTreeSet<String> {
        let targets = self.batches.iter().flat_map(|batch| &batch.config.targets);
        targets.filter(|(_, target)| target.is_live()).map(|(name, _)| name.clone()).collect()
    }
}

/// A configuration, and the suites to which it applies with their selected cases.
struct Group {
    loaded: LoadedConfig,
    suites: Vec<SuiteInput>,
    /// The selected cases: the index of the suite and that of the case.
    selected: HashSet<(usize, usize)>,
}

impl Group {
    fn new(loaded: &LoadedConfig) -> Group {
        Group { loaded: loaded.clone(), suites: Vec::new(), selected: HashSet::new() }
    }

    /// Adds a suite with the indexes of its selected cases.
    fn push(&mut self, suite: SuiteInput, cases: &[usize]) {
        let place = self.suites.len();
        self.selected.extend(cases.iter().map(|case| (place, *case)));
        self.suites.push(suite);
    }
}

/// Reads and checks the suites, and opens their targets. Prints what is wrong. A wrong configuration, or nothing to run, is
/// an error.
pub(super) fn prepare(args: &RunArgs, paths: &[PathBuf], console: &mut Console) -> Result<Batches, Refusal> {
    let mut workspaces = Workspaces::new();
    let found = find(paths, args.stdin_filename.as_deref(), &mut workspaces);
    let mut status = found.complain(console);
    if found.inputs.is_empty() {
        return Err(Refusal::told(status.max(ExitStatus::NothingSelected)));
    }
    let given = args.config.as_deref().map(|path| config_of(Some(path), path)).transpose()?;
    let selection = Selection::new(&args.select, args.results.as_deref()).or_misused()?;
    let mut selection = selection.asking(args.target.as_deref());

    let mut groups: Vec<Group> = Vec::new();
    let mut not_run = Vec::new();
    let mut folders = SharedFolders::default();
    for input in &found.inputs {
        let (loaded, lints) = workspaces.obeyed(input, given.as_ref())?;
        let loaded = &loaded;
        refuse_faulty(loaded, console)?;
        match read_suite(input, &lints, with_errors(args), console) {
            Ok(read) => {
                let suite = &read.suite;
                let seen = SelectableSuite { path: &suite.path, suite: &suite.suite };
                let picked = selection.pick(seen, loaded).or_nothing_selected()?;
                if let Some(warnings) = reports::warnings_line(&suite.suite, &read.warnings, &picked) {
                    console.tell(format_args!("{}: {warnings}", input.name()));
                }
                for message in folders.add(input, loaded).into_iter().filter(|_| !picked.is_empty()) {
                    console.tell(format_args!("{}: {message}", input.name()));
                }
                group_of(&mut groups, loaded).push(read.suite, &picked);
            }
            Err(suite) => {
                not_run.push(suite);
                status = ExitStatus::Unusable;
            }
        }
    }
    let unselected = selection.complain(console);
    if unselected != ExitStatus::Passed {
        return Err(Refusal::told(status.max(unselected)));
    }
    if not_run.is_empty() && selection.is_done(console) {
        return Err(Refusal::told(status));
    }
    let mut batches = Vec::new();
    for group in groups.into_iter().filter(|group| selection.selects_all() || !group.selected.is_empty()) {
        let failed = selection.failed_target(&group.loaded).map(str::to_owned);
        if let (Some(failed), Some(target)) = (&failed, &args.target)
            && failed != target
        {
            console.tell(format_args!("the cases failed with {}, and {} is asked", quoted(failed), quoted(target)));
        }
        let target = args.target.clone().or(failed);
        batches.push(open(args, Answering::Target(target.as_deref()), group, console)?);
    }
    if batches.is_empty() && not_run.is_empty() {
        return Err(Refusal::told(status.max(ExitStatus::NothingSelected)));
    }
    Ok(Batches { batches, not_run, status })
}

/// A kept run whose suites run again: to continue it, or to judge its answers.
pub(super) struct Again {
    loaded: LoadedConfig,
    run: KeptRun,
}

/// Finds the run `name`. The first of `paths`, which are those of the command line, is in its workspace.
pub(super) fn again(args: &RunArgs, name: &str, paths: &[PathBuf], console: &mut Console) -> Result<Again, Refusal> {
    let place = paths.first().map_or(Path::new("."), PathBuf::as_path);
    let loaded = config_of(args.config.as_deref(), place)?;
    refuse_faulty(&loaded, console)?;
    let run = runs_of(args.results.as_deref(), &loaded).find_kept(name).or_nothing_selected()?;
    Ok(Again { loaded, run })
}

impl Again {
    /// The arguments with which the run continues: those of `args` that concern its output, and the others as it was started.
    ///
    /// # Errors
    /// If the run cannot be continued, or `args` has an option that a run keeps.
    pub(super) fn resumed(&self, args: &RunArgs) -> Result<RunArgs, Refusal> {
        let misused = |fault: String| Refusal::new(ExitStatus::Misused, fault);
        let run = &self.run;
        if let Some(flag) = args.options.given().keys().next() {
            return Err(misused(format!(
                "`--resume` continues a run with the options with which it was started; remove `--{flag}`"
            )));
        }
        match run.state() {
            RunState::Interrupted => {}
            // It ended before all cases were asked, for example because of `--max-failures`.
            RunState::Ended if run.record().not_run.is_some_and(|count| count > 0) => {}
            RunState::Running => return Err(misused(format!("the run {} is still running", run.id()))),
            RunState::Ended => {
                let fault = format!("the run {} has ended; no case remains", run.id());
                return Err(Refusal::new(ExitStatus::NothingSelected, fault));
            }
        }
        let options = serde_json::from_value(Value::Object(run.record().options.clone()));
        let options = options.map_err(|fault| format!("the options of the run {} are not known: {fault}", run.id()));
        Ok(RunArgs { options: options.or_unusable()?, ..args.clone() })
    }

    /// The batch of the run: the cases that it did not finish, or all its answers.
    pub(super) fn batch(self, args: &RunArgs, console: &mut Console) -> Result<Batches, Refusal> {
        let Again { loaded, run } = self;
        let mut group = Group::new(&loaded);
        let lints = Arc::new(workspace_of(&loaded.config));
        let mut selection = Selection::new(&args.select, args.results.as_deref()).or_misused()?;
        for suite in &run.record().suites {
            let path = suite_file(&run, suite, &loaded.root, args.config.is_some()).or_unusable()?;
            let given = Path::new(&suite.given);
            // The path as it was given, if it still means the same file.
            let path = if crate::workspace::absolute(given) == path { given.to_owned() } else { path };
            let read = read_suite(&Input::File(path), &lints, with_errors(args), console);
            let input = read.map_err(|_| Refusal::told(ExitStatus::Unusable))?.suite;
            let ids: HashSet<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
            let id = |index: &usize| input.suite.cases[*index].case.id.as_ref().map_or("", |id| id.value.as_str());
            let mut selected = selection
                .pick(SelectableSuite { path: &input.path, suite: &input.suite }, &loaded)
                .or_nothing_selected()?;
            selected.retain(|index| ids.contains(id(index)));
            let now: HashSet<&str> = (0..input.suite.cases.len()).map(|index| id(&index)).collect();
            for gone in suite.cases.iter().filter(|case| !now.contains(case.id.as_str())) {
                let case = quoted(&gone.id);
                console.tell(format_args!("{}: the case {case} of the run is gone", input.path.display()));
            }
            group.push(input, &selected);
        }
        let unselected = selection.complain(console);
        if unselected != ExitStatus::Passed {
            return Err(Refusal::told(unselected));
        }
        let from = match &args.answers_of {
            Some(_) => Answering::Run(&run),
            None => Answering::Resumed(&run),
        };
        let batch = open(args, from, group, console)?;
        Ok(Batches { batches: vec![batch], not_run: Vec::new(), status: ExitStatus::Passed })
    }
}

/// What answers a batch.
#[derive(Clone, Copy)]
enum Answering<'a> {
    /// The target of that name; `None` means that of the configuration.
    Target(Option<&'a str>),
    /// The target of an interrupted run, which continues.
    Resumed(&'a KeptRun),
    /// A kept run.
    Run(&'a KeptRun),
}

fn with_errors(args: &RunArgs) -> WithErrors {
    if args.options.no_check { WithErrors::Used } else { WithErrors::NotAsked }
}

/// A target or a hint that was left out for a fault would decide something other than what was written.
fn refuse_faulty(loaded: &LoadedConfig, console: &mut Console) -> Result<(), Refusal> {
    if loaded.errors.is_empty() {
        return Ok(());
    }
    let name = near(loaded.config_path.as_deref().unwrap_or(Path::new("eval-ls.toml")));
    let findings: Vec<_> = loaded.errors.iter().map(Finding::from).collect();
    show(&name, &Text::new(&loaded.text), &findings, console);
    Err(Refusal::told(ExitStatus::Misused))
}

/// The group of a configuration, which is new if no suite had it before.
fn group_of<'g>(groups: &'g mut Vec<Group>, loaded: &LoadedConfig) -> &'g mut Group {
    let known = groups.iter().position(|group| group.loaded.root == loaded.root);
    let place = known.unwrap_or_else(|| {
        groups.push(Group::new(loaded));
        groups.len() - 1
    });
    &mut groups[place]
}

/// Opens what answers a group.
fn open(args: &RunArgs, from: Answering<'_>, group: Group, console: &mut Console) -> Result<Batch, Refusal> {
    let Group { loaded, suites, selected } = group;
    let plan = Plan::select(suites, |suite, case| selected.contains(&(suite, case)));
    let plan = plan.or_nothing_selected()?;
    let (target, resumed) = match from {
        Answering::Target(target) => (target, None),
        Answering::Resumed(run) => (Some(run.record().target.name.as_str()), Some(run)),
        Answering::Run(_) => (None, None),
    };
    let answers_of = match from {
        Answering::Run(run) => {
            Some(Arc::new(AnswersOf::new(run.clone(), &loaded.root, Arc::clone(&loaded.config)).or_unusable()?))
        }
        Answering::Target(_) | Answering::Resumed(_) => None,
    };
    let (name, config, target, timeout): (_, _, Arc<dyn Target>, _) = match &answers_of {
        Some(answers) => (answers.name().to_owned(), Arc::clone(&loaded.config), Arc::new(Arc::clone(answers)), None),
        None => {
            let Chosen { name, config, options, timeout } =
                choose(args, target, Arc::clone(&loaded.config)).or_misused()?;
            announce(args, &loaded, console);
            check_approved(args, &loaded, &config, &name).or_misused()?;
            let target = targets::open(&name, &config, &loaded.root, &options).or_misused()?;
            (name, config, target, timeout)
        }
    };
    if args.options.mode == RunMode::Record && !target.is_live() {
        let name = quoted(&name);
        let fault = format!("the answers of the target {name} are stored already; name a live target with `--target`");
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    let defaults = Options::new(&config, &name);
    let jobs = args.options.jobs.unwrap_or(defaults.jobs);
    let timeout = args.options.timeout.unwrap_or_else(|| at_least(defaults.timeout, timeout));
    let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
    let results = match (&args.results, args.no_results || args.keep_only || args.options.mode == RunMode::Record) {
        (_, true) => None,
        (Some(folder), _) => Some(absolute(folder)),
        (None, _) => Some(loaded.root.join(&config.run.results)),
    };
    let policy = Policy { strict: args.options.strict, ..defaults.policy };
    let repeats = match &answers_of {
        Some(answers) => repeat::recorded(&plan, answers),
        None => repeat::of(args, &plan, &config, &*target, console),
    };
    let since = match target.is_live() || answers_of.is_some() {
        true => Since::default(),
        false => since(&plan, &config, &runs_of(args.results.as_deref(), &loaded), &loaded.root),
    };
    refuse(args, &loaded, &config, &name, &plan).or_misused()?;
    let recorder = Recorder {
        args,
        loaded: &loaded,
        config: &config,
        name: &name,
        target: &*target,
        policy,
        retry_errors: defaults.retry_errors,
    };
    let kept = recorder.keeping(resumed).or_misused()?;
    let options = Options {
        jobs,
        replay_jobs: args.options.jobs,
        timeout,
        retry_errors: defaults.retry_errors,
        repeats,
        max_failures: args.options.max_failures,
        since,
        record: args.options.record,
        hand_over: args.answers,
        policy,
        results,
        kept,
    };
    Ok(Batch { plan, target, config, options })
}

fn at_least(timeout: HumanDuration, least: Option<Duration>) -> HumanDuration {
    let least = least.filter(|least| *least > timeout.get()).and_then(|least| HumanDuration::try_from(least).ok());
    least.unwrap_or(timeout)
}

/// What the record of a run is made of.
pub(super) struct Recorder<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) loaded: &'a LoadedConfig,
    /// The configuration with the changes of the command line.
    pub(super) config: &'a Config,
    /// The name of the target.
    pub(super) name: &'a str,
    pub(super) target: &'a dyn Target,
    pub(super) policy: Policy,
    pub(super) retry_errors: usize,
}

impl Recorder<'_> {
    /// How the run is kept; `None` if the command line does not want that. `resumed` is the run that is continued.
    ///
    /// # Errors
    /// If the target is not that of the run that is continued.
    pub(super) fn keeping(&self, resumed: Option<&KeptRun>) -> Result<Option<Keeping>, String> {
        if self.args.no_results {
            return Ok(None);
        }
        let runs = runs_of(self.args.results.as_deref(), self.loaded);
        if self.args.keep_only && runs.prepare().is_err() {
            return Ok(None);
        }
        let record = self.record();
        if let Some(resumed) = resumed
            && resumed.record().target.hash != record.target.hash
        {
            return Err(format!(
                "the target has changed since the run {}; run the cases without `--resume`",
                resumed.id()
            ));
        }
        let secrets = self.target.secrets();
        if let Some(resumed) = resumed
            && resumed.record().target.has_other_files(&record.target)
        {
            return Err(format!(
                "the program of {} has changed since the run {}, so its cases would be those of two assistants; run all cases \
                 again",
                quoted(self.name),
                resumed.id()
            ));
        }
        let redact: Option<Redact> = self
            .target
            .is_private()
            .then(|| Arc::new(move |value: &mut _| secrets.redact_values(std::slice::from_mut(value))) as Redact);
        Ok(Some(Keeping {
            runs,
            root: self.loaded.root.clone(),
            record: Box::new(record),
            redact,
            resume: resumed.map(|run| run.id().clone()),
            is_part: self.args.part,
        }))
    }

    fn record(&self) -> RunRecord {
        let path = self.loaded.config_path.as_deref();
        let path = path.map(|path| path.strip_prefix(&self.loaded.root).unwrap_or(path).display().to_string());
        let decides = (&self.config.ui_hints, &self.config.sources);
        RunRecord {
            format: FORMAT.to_owned(),
            mode: self.args.options.mode,
            policy: self.policy,
            target: self.target_record(),
            config: ConfigRecord { path, hash: hash_of(&self.loaded.text), hints: hash_of(&format!("{decides:?}")) },
            versions: Versions::current(),
            os: std::env::consts::OS.to_owned(),
            options: self.args.options.given(),
            attempts: if self.target.is_live() { self.retry_errors + 1 } else { 1 },
            ..RunRecord::default()
        }
    }

    fn target_record(&self) -> TargetRecord {
        let name = self.name.to_owned();
        let table = self.config.targets.get(self.name).filter(|_| self.args.answers_of.is_none());
        let Some(table) = table else {
            let kind = if self.args.answers_of.is_some() { TargetRecord::RUN } else { "" };
            return TargetRecord { name, kind: kind.to_owned(), ..TargetRecord::default() };
        };
        let record = TargetRecord { name, hash: table.fingerprint(), ..TargetRecord::default() };
        let kind = |kind: &str| kind.to_owned();
        match &table.kind {
            TargetKind::Replay => TargetRecord { kind: kind("replay"), ..record },
            TargetKind::Browser(browser) => {
                TargetRecord { kind: kind("browser"), address: Some(plain_address(&browser.url)), ..record }
            }
            TargetKind::Command(command) => TargetRecord {
                kind: kind("command"),
                argv: Some(command.command.clone()),
                files: self.target.program_hash().map(str::to_owned),
                ..record
            },
        }
    }
}

/// Refuses a run of `plan` with the target `name` that would write its results or transcripts through such a link.
///
/// # Errors
/// If it would: a lower-case fragment.
pub(super) fn refuse(
    args: &RunArgs,
    loaded: &LoadedConfig,
    config: &Config,
    name: &str,
    plan: &Plan,
) -> Result<(), String> {
    let suites = || plan.suites().iter().map(|suite| suite.path.as_path());
    if args.options.mode == RunMode::Record || !(args.no_results || args.keep_only) {
        refuse_results(args.results.as_deref(), loaded)?;
    }
    let takes_pictures = config.targets.get(name).is_some_and(TargetConfig::takes_pictures);
    if args.options.record || (takes_pictures && !args.no_results) {
        for suite in suites() {
            let fix = "set `[run] transcripts` to the folder itself, or remove the link";
            refuse_folder(Store::new(suite, config).folder(), suite.parent().unwrap_or(Path::new("")), loaded, fix)?;
        }
    }
    Ok(())
}

/// Refuses results through such a link, unless `--results` names their folder.
///
/// # Errors
/// If they would be written so: a lower-case fragment.
pub(super) fn refuse_results(results: Option<&Path>, loaded: &LoadedConfig) -> Result<(), String> {
    if results.is_some() {
        return Ok(());
    }
    let fix = "name a folder with `--results`, or remove the link";
    refuse_folder(Runs::of_workspace(&loaded.root, &loaded.config).path(), &loaded.root, loaded, fix)
}

fn refuse_folder(folder: &Path, base: &Path, loaded: &LoadedConfig, fix: &str) -> Result<(), String> {
    if !is_linked_out(folder, base, &loaded.root) {
        return Ok(());
    }
    let folder = quoted(&near(folder));
    Err(format!("nothing is written to {folder}, because a link leads out of the workspace there; {fix}"))
}
