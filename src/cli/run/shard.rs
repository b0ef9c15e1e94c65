//! `run --shard` runs a part of the cases, and `merge` puts the parts together.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::cli::args::{MergeArgs, RunArgs, ShardArg};
use crate::cli::input::config_of;
use crate::cli::selection::runs_of;
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::files::Access;
use crate::runner::{self, Plan, suite_records};
use crate::runs::{CaseRecord, KeptRun, Merged, RunId, Runs, ShardRecord, plan_hash, shard_of};

use super::batch::refuse_results;
use super::present::Presenter;
use super::{refuse_reports, write};

/// Leaves only the cases of the shard in `plan`, which has those of all shards. Returns what the record of the run states about the
/// shard, beside what is in `of_run`.
pub(super) fn cut(
    ShardArg { index, count }: ShardArg,
    plan: &mut Plan,
    of_run: ShardRecord,
    config: &Config,
    root: &Path,
) -> ShardRecord {
    let suites = suite_records(plan, config, root);
    let record = ShardRecord { index, count, total: plan.len(), plan: plan_hash(&suites), ..of_run };
    let has = |(suite, case): (usize, &CaseRecord)| {
        (shard_of(&suites[suite].path, &case.id, count) == index).then_some((suite, case.index))
    };
    let cases =
        suites.iter().enumerate().flat_map(|(suite, record)| record.cases.iter().map(move |case| (suite, case)));
    let cases: HashSet<_> = cases.filter_map(has).collect();
    plan.retain(|suite, case| cases.contains(&(suite, case)));
    record
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
    let before = runs.iter().flat_map(Runs::list).find(|run| run.record().merged == merged.record.merged);
    if let Some(before) = before {
        let fault = format!(
            "these shards are merged already, as the run {}; remove it, or name another folder with `--results`",
            before.id()
        );
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
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
            let (status, written) = write(outcome, &run_args, &mut presenter);
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
