//! `run --shard` runs a part of the cases, and `merge` puts the parts together.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::cli::args::{MergeArgs, RunArgs, ShardArg};
use crate::cli::input::config_of;
use crate::cli::selection::{path_in, runs_of};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::files::Access;
use crate::runner;
use crate::runner::{Plan, SuiteInput, suite_records};
use crate::runs::{KeptRun, Merged, RunId, ShardRecord, Source, balanced, plan_hash, shard_of};
use crate::workspace::LoadedConfig;

use super::links::refuse_results;
use super::present::Presenter;
use super::{refuse_reports, write};

/// The shard of this process.
#[derive(Debug)]
pub(super) struct Sharding<'a> {
    /// Its number, from 1.
    index: usize,
    /// The number of shards.
    count: usize,
    args: &'a RunArgs,
    /// By the workspace's root: the run of `--balance`, and the shard of each of its cases.
    placed: HashMap<PathBuf, Balance>,
}

#[derive(Debug)]
struct Balance {
    run: String,
    shards: HashMap<(String, String), usize>,
}

impl<'a> Sharding<'a> {
    /// The shard that the command line asks for; `None` without `--shard`.
    ///
    /// # Errors
    /// If the environment does not name a shard: a lower-case fragment.
    pub(super) fn of(args: &'a RunArgs) -> Result<Option<Sharding<'a>>, String> {
        let Some(shard) = args.shard else { return Ok(None) };
        let (index, count) = match shard {
            ShardArg::Fixed { index, count } => (index, count),
            ShardArg::Auto { count } => {
                let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
                let found = of_environment(&variable, count).map_err(|fault| format!("`--shard`: {fault}"))?;
                // Bazel counts a test as not sharded, and fails it, unless it creates this file.
                if let Some(file) = variable("TEST_SHARD_STATUS_FILE") {
                    std::fs::write(&file, "").map_err(|fault| format!("cannot write `{file}`: {fault}"))?;
                }
                found
            }
        };
        Ok(Some(Sharding { index, count, args, placed: HashMap::new() }))
    }

    /// Leaves only the cases of the shard in `plan`, which has those of all shards. Returns what the record of the run states
    /// about the shard, beside what is in `of_run`.
    pub(super) fn cut(
        &self,
        plan: &mut Plan,
        cases: &HashSet<(usize, usize)>,
        of_run: ShardRecord,
        config: &Config,
        root: &Path,
    ) -> ShardRecord {
        let record = ShardRecord {
            index: self.index,
            count: self.count,
            total: plan.len(),
            plan: plan_hash(&suite_records(plan, config, root)),
            balance: self.placed.get(root).map(|balance| balance.run.clone()),
            ..of_run
        };
        plan.retain(|suite, case| cases.contains(&(suite, case)));
        record
    }

    /// The cases of a suite that the shard has, of those that are selected. Cases that the run of `--balance` does not have
    /// are placed by their hash.
    ///
    /// # Errors
    /// If the run of `--balance` cannot be read: a lower-case fragment.
    pub(super) fn pick(
        &mut self,
        suite: &SuiteInput,
        selected: &[usize],
        loaded: &LoadedConfig,
    ) -> Result<Vec<usize>, String> {
        let mut picked = Vec::new();
        for index in selected {
            let id = suite.suite.cases[*index].case.id.as_ref().map_or("", |id| &id.value);
            if self.has(&suite.path, id, loaded)? {
                picked.push(*index);
            }
        }
        Ok(picked)
    }

    fn has(&mut self, path: &Path, id: &str, loaded: &LoadedConfig) -> Result<bool, String> {
        let suite = path_in(&loaded.root, path);
        if let Some(name) = &self.args.balance
            && !self.placed.contains_key(&loaded.root)
        {
            let balance = self.read(name, loaded).map_err(|fault| format!("`--balance`: {fault}"))?;
            self.placed.insert(loaded.root.clone(), balance);
        }
        let name = (suite, id.to_owned());
        let placed = self.placed.get(&loaded.root).and_then(|balance| balance.shards.get(&name).copied());
        Ok(placed.unwrap_or_else(|| shard_of(&name.0, id, self.count)) == self.index)
    }

    fn read(&self, name: &str, loaded: &LoadedConfig) -> Result<Balance, String> {
        let source = runs_of(self.args.results.as_deref(), loaded).find(name).map_err(|fault| fault.to_string())?;
        let Source::Run(run) = source else {
            return Err(format!("{} is not a kept run; `eval-ls runs` lists them", quoted(name)));
        };
        let lines = run.lines().map_err(|fault| fault.to_string())?.into_iter().filter(|line| !line.cancelled);
        let durations: Vec<_> = lines
            .filter_map(|line| {
                let suite = run.record().suites.get(line.suite)?.path.clone();
                Some(((suite, line.case), line.duration_ms))
            })
            .collect();
        Ok(Balance { run: run.id().to_string(), shards: balanced(&durations, self.count) })
    }
}

/// A system that numbers its jobs: the variables of the job's number and of the number of jobs, and the first number.
struct System {
    name: &'static str,
    index: &'static str,
    count: Option<&'static str>,
    first: usize,
}

/// The systems. The innermost one counts, for example Bazel inside of a job of GitLab. The pages of each system document the variables.
const SYSTEMS: [System; 5] = [
    System { name: "Bazel", index: "TEST_SHARD_INDEX", count: Some("TEST_TOTAL_SHARDS"), first: 0 },
    System { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: None, first: 0 },
    System { name: "GitLab", index: "CI_NODE_INDEX", count: Some("CI_NODE_TOTAL"), first: 1 },
    System { name: "CircleCI", index: "CIRCLE_NODE_INDEX", count: Some("CIRCLE_NODE_TOTAL"), first: 0 },
    System {
        name: "Buildkite",
        index: "BUILDKITE_PARALLEL_JOB",
        count: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
        first: 0,
    },
];

/// The number of the shard, from 1, and the number of shards.
fn of_environment(variable: &dyn Fn(&str) -> Option<String>, given: Option<usize>) -> Result<(usize, usize), String> {
    let number = |name: &str| -> Result<Option<usize>, String> {
        let Some(value) = variable(name) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| format!("`{name}` is {}, and not a number", quoted(&value)))
    };
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        return of_slurm(id, &number, given);
    }
    for System { name, index, count, first } in SYSTEMS {
        let Some(at) = number(index)? else { continue };
        let counted = count.map(number).transpose()?.flatten();
        let total = match (counted, given) {
            (Some(counted), Some(given)) if counted != given => {
                return Err(format!("{name} runs {counted} jobs, and `auto/{given}` asks for {given} shards"));
            }
            (counted, given) => counted.or(given),
        };
        let Some(total) = total else {
            return Err(format!("{name} does not state the number of jobs; write it: `--shard auto/4`"));
        };
        return match (at + 1).checked_sub(first) {
            Some(shard) if (1..=total).contains(&shard) => Ok((shard, total)),
            _ => Err(format!("`{index}` is {at}, and {name} has {total} jobs")),
        };
    }
    let known: BTreeSet<&str> = SYSTEMS.iter().map(|system| system.index).chain(["SLURM_ARRAY_TASK_ID"]).collect();
    let known: Vec<&str> = known.into_iter().collect();
    Err(format!("no system numbers this job; none of {} is set; write the shard: `--shard 1/4`", known.join(", ")))
}

/// The shard of a task of a Slurm array, for example `--array=0-3` or `--array=10-40:10`.
fn of_slurm(
    id: usize,
    number: &dyn Fn(&str) -> Result<Option<usize>, String>,
    given: Option<usize>,
) -> Result<(usize, usize), String> {
    let get = |name: &str| number(name)?.ok_or_else(|| format!("`SLURM_ARRAY_TASK_ID` is set, and `{name}` is not"));
    let (least, most, count) =
        (get("SLURM_ARRAY_TASK_MIN")?, get("SLURM_ARRAY_TASK_MAX")?, get("SLURM_ARRAY_TASK_COUNT")?);
    let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
    let is_range =
        most >= least && (most - least) / step + 1 == count && id >= least && (id - least).is_multiple_of(step);
    if !is_range {
        return Err(
            "the Slurm array is not one range; submit `--array=0-3`, or write the shard: `--shard 1/4`".to_owned()
        );
    }
    if given.is_some_and(|given| given != count) {
        return Err(format!("the Slurm array has {count} tasks; a single task again is `--shard m/n`"));
    }
    Ok(((id - least) / step + 1, count))
}

/// How deep runs are searched below a folder. CI systems unpack artifacts two or three folders deep.
const DEPTH: usize = 8;

/// Merges the shards, and shows the run that they make as `run` does.
pub(crate) fn merge(args: &MergeArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let run_args = RunArgs {
        format: args.format,
        report: args.report.clone(),
        results: args.results.clone(),
        no_results: args.no_results,
        ..RunArgs::default()
    };
    refuse_reports(&run_args)?;
    let place = args.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = config_of(None, place)?;
    let merged = Merged::of(shards(&args.folders).or_unusable()?).or_unusable()?;
    if !args.no_results {
        refuse_results(args.results.as_deref(), &loaded).or_misused()?;
    }
    let runs = (!args.no_results).then(|| runs_of(args.results.as_deref(), &loaded));
    let results = match &args.results {
        _ if args.no_results => None,
        Some(results) => Some(crate::workspace::absolute(results)),
        None => Some(loaded.root.join(&loaded.config.run.results)),
    };
    let mut presenter =
        Presenter::new(&run_args, Access::private_if(merged.shard.has_secrets), BTreeSet::new(), console);
    let outcome =
        runner::merge(&merged, &loaded.root, runs.as_ref(), results.as_deref(), |event| presenter.take(event));
    let status = match outcome {
        Ok(outcome) => {
            let (status, written) = write(outcome, &run_args, None, &mut presenter);
            if let Some(written) = written {
                presenter.made(written, Arc::clone(&loaded.config));
            }
            status
        }
        Err(fault) => {
            presenter.complain(&fault.to_string());
            ExitStatus::Unusable
        }
    };
    let written = presenter.close(status);
    Ok(status.max(written))
}

/// The shards in the folders. A copy of a run, such as the target of a link that an archive resolved, counts once.
fn shards(folders: &[PathBuf]) -> Result<Vec<KeptRun>, String> {
    let mut found: HashMap<RunId, KeptRun> = HashMap::new();
    let mut others = 0;
    for folder in folders {
        for entry in WalkDir::new(folder).max_depth(DEPTH).sort_by_file_name() {
            let entry =
                entry.map_err(|fault| format!("cannot read {}: {fault}", quoted(&folder.display().to_string())))?;
            if entry.file_name() != "run.json" {
                continue;
            }
            let run = KeptRun::read(entry.path().parent().unwrap_or(folder)).map_err(|fault| fault.to_string())?;
            match &run.record().shard {
                None => others += 1,
                Some(_) => drop(found.entry(run.id().clone()).or_insert(run)),
            }
        }
    }
    let mut shards: Vec<KeptRun> = found.into_values().collect();
    shards.sort_by(|one, other| one.id().cmp(other.id()));
    match (shards.is_empty(), others) {
        (false, _) => Ok(shards),
        (true, 0) => Err("the folders have no run; `eval-ls run --shard` keeps one in `results/runs`".to_owned()),
        (true, _) => {
            Err(format!("the folders have no shard, only {others} whole runs; `eval-ls run --shard` makes shards"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(variables: &str, given: Option<usize>) -> Result<(usize, usize), String> {
        let variables: HashMap<_, _> = variables.split(' ').filter_map(|variable| variable.split_once('=')).collect();
        of_environment(&|name| variables.get(name).map(|value| (*value).to_owned()), given)
    }

    #[test]
    fn each_system_numbers_its_jobs() {
        for (variables, given, expected) in [
            ("CI_NODE_INDEX=1 CI_NODE_TOTAL=3", None, (1, 3)),
            ("CIRCLE_NODE_INDEX=2 CIRCLE_NODE_TOTAL=3", None, (3, 3)),
            ("BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=2", Some(2), (1, 2)),
            ("JOB_COMPLETION_INDEX=3", Some(4), (4, 4)),
            ("TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2 CI_NODE_INDEX=9", None, (2, 2)),
            (
                "SLURM_ARRAY_TASK_ID=30 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=40 SLURM_ARRAY_TASK_STEP=10 SLURM_ARRAY_TASK_COUNT=4",
                None,
                (3, 4),
            ),
        ] {
            assert_eq!(shard(variables, given), Ok(expected), "{variables:?}");
        }
    }

    #[test]
    fn a_wrong_environment_has_a_clear_error() {
        let slurm = "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=3";
        for (variables, given, expected) in [
            ("", None, "no system numbers this job; none of BUILDKITE_PARALLEL_JOB, CIRCLE_NODE_INDEX, "),
            ("CI_NODE_INDEX=x", None, "`CI_NODE_INDEX` is `x`, and not a number"),
            ("CI_NODE_INDEX=0 CI_NODE_TOTAL=3", None, "`CI_NODE_INDEX` is 0, and GitLab has 3 jobs"),
            ("JOB_COMPLETION_INDEX=3", None, "Kubernetes does not state the number of jobs; write it: "),
            ("JOB_COMPLETION_INDEX=4", Some(4), "`JOB_COMPLETION_INDEX` is 4, and Kubernetes has 4 jobs"),
            ("CI_NODE_INDEX=1 CI_NODE_TOTAL=3", Some(4), "GitLab runs 3 jobs, and `auto/4` asks for 4 shards"),
            (slurm, None, "the Slurm array is not one range; "),
        ] {
            let fault = shard(variables, given).unwrap_err();
            assert!(fault.starts_with(expected), "{fault}");
        }
    }
}
