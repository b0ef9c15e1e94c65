use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::{lint_names, workspace_of};
use crate::cli::args::{RunArgs, RunMode};
use crate::cli::input::{Input, SharedFolders, WithErrors, Workspaces, find, near, read_suite, show};
use crate::cli::selection::{SelectableSuite, Selection, runs_of, suite_file};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::{Config, HumanDuration};
use crate::diagnostic::{Finding, quoted};
use crate::events::{Policy, SuiteNotRun};
use crate::runner::{Options, Plan, Since, SuiteInput, origin_record};
use crate::runs::{KeptRun, RunState, ShardRecord};
use crate::targets::{self, Target};
use crate::text::Text;
use crate::workspace::LoadedConfig;

use super::approved;
use super::baseline::Gate;
use super::configuration::announce;
use super::debugged::debugged;
use super::keep::Recorder;
use super::links;
use super::repeat;
use super::shard::Sharding;
use super::since::since;
use super::target::{Chosen, choose};
use super::warnings;

/// Suites that run together, because they share one configuration.
pub(super) struct Batch {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) gate: Option<Gate>,
}

/// The batches to run, and what is already known to be wrong.
pub(super) struct Batches {
    pub(super) batches: Vec<Batch>,
    /// The suites that cannot be run, each with the reason.
    pub(super) not_run: Vec<SuiteNotRun>,
    pub(super) status: ExitStatus,
}

impl Batches {
    /// Whether a target gets values that must not be shown.
    pub(super) fn have_secrets(&self) -> bool {
        self.batches.iter().any(|batch| !batch.target.secrets().is_empty())
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
    /// Those of them that the shard has; `None` without shards.
    of_shard: Option<HashSet<(usize, usize)>>,
}

impl Group {
    fn new(loaded: &LoadedConfig) -> Group {
        Group { loaded: loaded.clone(), suites: Vec::new(), selected: HashSet::new(), of_shard: None }
    }

    /// Adds a suite with the indexes of its selected cases, and of those of them that the shard has.
    fn push(&mut self, suite: SuiteInput, cases: &[usize], of_shard: Option<&[usize]>) {
        let place = self.suites.len();
        self.selected.extend(cases.iter().map(|case| (place, *case)));
        if let Some(of_shard) = of_shard {
            self.of_shard.get_or_insert_default().extend(of_shard.iter().map(|case| (place, *case)));
        }
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
    let given = args.config.as_deref().map(load).transpose()?;
    let selection = Selection::new(&args.select, args.results.as_deref()).or_misused()?;
    let mut selection = selection.asking(args.target.as_deref());
    let mut sharding = Sharding::of(args).or_misused()?;

    let mut groups: Vec<Group> = Vec::new();
    let mut not_run = Vec::new();
    let mut folders = SharedFolders::default();
    for input in &found.inputs {
        let loaded = workspaces.of_input(input);
        let loaded = match (&given, &*loaded) {
            (Some(given), _) => given,
            (None, Ok(loaded)) => loaded,
            (None, Err(fault)) => return Err(Refusal::new(ExitStatus::Misused, fault)),
        };
        refuse_faulty(loaded, console)?;
        let lints = match &given {
            Some(given) => Arc::new(workspace_of(&given.config)),
            None => workspaces.lints_of(input, loaded),
        };
        match read_suite(input, &lints, with_errors(args), console) {
            Ok(read) => {
                let suite = &read.suite;
                let seen = SelectableSuite { path: &suite.path, suite: &suite.suite };
                let picked = selection.pick(seen, loaded).or_nothing_selected()?;
                if let Some(warnings) = warnings::line(&suite.suite, &read.warnings, &picked) {
                    console.tell(format_args!("{}: {warnings}", input.name()));
                }
                for message in folders.add(input, loaded).into_iter().filter(|_| !picked.is_empty()) {
                    console.tell(format_args!("{}: {message}", input.name()));
                }
                let of_shard = sharding.as_mut().map(|sharding| sharding.pick(suite, &picked, loaded)).transpose();
                let of_shard = of_shard.or_nothing_selected()?;
                group_of(&mut groups, loaded).push(read.suite, &picked, of_shard.as_deref());
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
        batches.push(open(args, target.as_deref(), group, sharding.as_ref(), None, console)?);
    }
    if batches.is_empty() && not_run.is_empty() {
        return Err(Refusal::told(status.max(ExitStatus::NothingSelected)));
    }
    Ok(Batches { batches, not_run, status })
}

/// The batch that runs the cases that an interrupted run did not finish. `name` is the run.
pub(super) fn resume(args: &RunArgs, name: &str, paths: &[PathBuf], console: &mut Console) -> Result<Batches, Refusal> {
    let misused = |fault: String| Refusal::new(ExitStatus::Misused, fault);
    let mut workspaces = Workspaces::new();
    let place = paths.first().map_or(Path::new("."), PathBuf::as_path);
    let loaded = match args.config.as_deref() {
        Some(path) => load(path)?,
        None => workspaces.of_place(place).or_misused()?,
    };
    refuse_faulty(&loaded, console)?;
    let runs = runs_of(args.results.as_deref(), &loaded);
    let run = runs.find_kept(name).or_nothing_selected()?;
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
    let record = run.record();
    if args.target.as_ref().is_some_and(|target| *target != record.target.name) {
        let target = quoted(&record.target.name);
        return Err(misused(format!("the run {} has the target {target}; remove `--target`", run.id())));
    }
    let mut group = Group::new(&loaded);
    let lints = Arc::new(workspace_of(&loaded.config));
    for suite in &record.suites {
        let path = suite_file(&run, suite, &loaded.root, args.config.is_some()).or_unusable()?;
        let given = Path::new(&suite.given);
        // The path as it was given, if it still means the same file.
        let path = if crate::workspace::absolute(given) == path { given.to_owned() } else { path };
        let read = read_suite(&Input::File(path), &lints, with_errors(args), console);
        let read = read.map_err(|_| Refusal::told(ExitStatus::Unusable))?;
        let input = read.suite;
        let ids: HashSet<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
        let cases = input.suite.cases.iter().enumerate();
        let selected = cases.filter(|(_, case)| ids.contains(case.case.id.as_ref().map_or("", |id| &id.value)));
        let selected: Vec<usize> = selected.map(|(index, _)| index).collect();
        group.push(input, &selected, None);
    }
    let batch = open(args, Some(&record.target.name), group, None, Some(&run), console)?;
    Ok(Batches { batches: vec![batch], not_run: Vec::new(), status: ExitStatus::Passed })
}

fn with_errors(args: &RunArgs) -> WithErrors {
    if args.no_check { WithErrors::Run } else { WithErrors::NotRun }
}

fn load(path: &Path) -> Result<LoadedConfig, Refusal> {
    LoadedConfig::read(path, &lint_names()).or_misused()
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

/// Opens the target of a group: `target`, or that of the configuration. `sharding` is the shard that runs, and `resumed` the
/// interrupted run that is continued.
fn open(
    args: &RunArgs,
    target: Option<&str>,
    group: Group,
    sharding: Option<&Sharding<'_>>,
    resumed: Option<&KeptRun>,
    console: &mut Console,
) -> Result<Batch, Refusal> {
    let Group { loaded, suites, selected, of_shard } = group;
    let Chosen { name, config, options, timeout } = choose(args, target, Arc::clone(&loaded.config)).or_misused()?;
    announce(args, &loaded, console);
    approved::check(args, &loaded, &config, &name).or_misused()?;
    let config = match args.debug_port {
        Some(port) => Arc::new(debugged(&config, &name, port, &loaded.root).or_misused()?),
        None => config,
    };
    let target = targets::open(&name, &config, &loaded.root, &options).or_misused()?;
    if args.mode == RunMode::Record && !target.is_live() {
        let name = quoted(&name);
        let fault = format!("the answers of the target {name} are stored already; name a live target with `--target`");
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    if args.record && !target.is_live() {
        console.tell(format_args!(
            "warning: `--record` has no effect with the target {}, whose answers are stored already",
            quoted(&name)
        ));
    }
    let plan = Plan::select(suites, |suite, case| selected.contains(&(suite, case)));
    let mut plan = plan.or_nothing_selected()?;
    let defaults = Options::new(&config, &name);
    let jobs = args.jobs.unwrap_or(defaults.jobs);
    let timeout = args.timeout.unwrap_or_else(|| at_least(defaults.timeout, timeout));
    let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
    let results = match (&args.results, args.no_results || args.keep_only) {
        (_, true) => None,
        (Some(folder), _) => Some(absolute(folder)),
        (None, _) => Some(loaded.root.join(&config.run.results)),
    };
    // Each attempt waits for a debugger, which attaches once to a case.
    let retry_errors = if args.debug_port.is_some() { 0 } else { defaults.retry_errors };
    let flaky = args.flaky.map_or(defaults.policy.flaky, Into::into);
    let policy = Policy { strict: args.strict, flaky, ..defaults.policy };
    let shard = sharding.zip(of_shard).map(|(sharding, of_shard)| {
        let (jobs, timeout_ms, origin) = (jobs.get(), timeout.get().as_millis() as u64, origin_record(target.origin()));
        let has_secrets = !target.secrets().is_empty();
        let of_run = ShardRecord { jobs, timeout_ms, policy, origin, has_secrets, ..ShardRecord::default() };
        sharding.cut(&mut plan, &of_shard, of_run, &config, &loaded.root)
    });
    if let Some(shard) = &shard {
        console.tell(format_args!("shard {} of {}: {} of {} cases", shard.index, shard.count, plan.len(), shard.total));
    }
    let repeating = repeat::of(args, &plan, &config, &*target, flaky, console);
    let gate = args.baseline.then(|| Gate::read(&plan, &name, &config, args.strict)).transpose().or_misused()?;
    let since = match target.is_live() || args.no_results {
        true => Since::default(),
        false => since(&plan, &config, &runs_of(args.results.as_deref(), &loaded), &loaded.root),
    };
    links::refuse(args, &loaded, &config, &name, &plan).or_misused()?;
    let recorder =
        Recorder { args, loaded: &loaded, config: &config, name: &name, target: &*target, policy, retry_errors, shard };
    let kept = recorder.keeping(resumed).or_misused()?;
    let options = Options {
        jobs,
        replay_jobs: args.jobs,
        timeout,
        retry_errors,
        repeats: repeating.repeats,
        quarantine: repeating.quarantine,
        baseline: gate.as_ref().map(|gate| gate.counts.clone()).unwrap_or_default(),
        max_failures: args.max_failures,
        since,
        record: args.record,
        hand_over: args.answers,
        policy,
        results,
        kept,
    };
    Ok(Batch { plan, target, config, options, gate })
}

fn at_least(timeout: HumanDuration, least: Option<Duration>) -> HumanDuration {
    let least = least.filter(|least| *least > timeout.get()).and_then(|least| HumanDuration::try_from(least).ok());
    least.unwrap_or(timeout)
}
