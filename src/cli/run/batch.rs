use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::{Document, lint_names, workspace_of};
use crate::cli::args::RunArgs;
use crate::cli::draw::Painter;
use crate::cli::input::{Contents, Input, Workspaces, find};
use crate::cli::{Console, ExitStatus};
use crate::config::{Config, HumanDuration};
use crate::diagnostic::{Finding, Severity, quoted};
use crate::lints::not_utf8;
use crate::runner::{Options, Plan, PlanError, SuiteInput};
use crate::targets::{self, Target};
use crate::text::Text;
use crate::workspace::LoadedConfig;

use super::browser::{Chosen, choose};

/// Suites that are run together, because one configuration holds for them.
pub(super) struct Batch {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
}

/// What is to be run, and what is known to be wrong already.
pub(super) struct Batches {
    pub(super) batches: Vec<Batch>,
    pub(super) status: ExitStatus,
}

/// A configuration and the suites for which it holds.
struct Group {
    root: PathBuf,
    config: Arc<Config>,
    suites: Vec<SuiteInput>,
}

/// Reads and checks the suites, and opens their targets. What is wrong is told; a wrong configuration, or nothing to run,
/// is the end of it.
pub(super) fn prepare(args: &RunArgs, paths: &[PathBuf], console: &mut Console) -> Result<Batches, ExitStatus> {
    let mut workspaces = Workspaces::new();
    let found = find(paths, args.stdin_filename.as_deref(), &mut workspaces);
    let mut status = found.complain(console);
    let given = args.config.as_deref().map(|path| load(path, console)).transpose()?;

    let mut groups: Vec<Group> = Vec::new();
    for input in &found.inputs {
        let loaded = workspaces.of_input(input);
        let loaded = match (&given, &*loaded) {
            (Some(given), _) => given,
            (None, Ok(loaded)) => loaded,
            (None, Err(fault)) => {
                console.complain(fault);
                return Err(ExitStatus::Misused);
            }
        };
        refuse_faulty(loaded, console)?;
        match read_suite(args, input, loaded, console) {
            Some(suite) => add(&mut groups, loaded, suite),
            None => status = ExitStatus::Unusable,
        }
    }
    if groups.is_empty() {
        return Err(status.max(ExitStatus::NothingSelected));
    }
    let mut batches = Vec::new();
    for (group, ids) in select(args, groups, console)? {
        batches.push(open(args, group, ids.as_deref(), console)?);
    }
    Ok(Batches { batches, status })
}

fn load(path: &Path, console: &mut Console) -> Result<LoadedConfig, ExitStatus> {
    LoadedConfig::read(path, &lint_names()).map_err(|fault| {
        console.complain(fault);
        ExitStatus::Misused
    })
}

/// A target or a hint that was left out for a fault would decide something other than what was written.
fn refuse_faulty(loaded: &LoadedConfig, console: &mut Console) -> Result<(), ExitStatus> {
    if loaded.errors.is_empty() {
        return Ok(());
    }
    let name = loaded.config_path.as_deref().unwrap_or(Path::new("eval-ls.toml")).display().to_string();
    let findings: Vec<_> = loaded.errors.iter().map(Finding::from).collect();
    show(&name, &Text::new(&loaded.text), &findings, console);
    Err(ExitStatus::Misused)
}

/// The suite, where it can be run; what keeps it from that is told.
fn read_suite(args: &RunArgs, input: &Input, loaded: &LoadedConfig, console: &mut Console) -> Option<SuiteInput> {
    let (text, findings, is_json) = match input.read() {
        Ok(Contents::Text(text)) => {
            let document = Document::new(text.clone(), input.path().map(Path::to_owned));
            (text, document.findings(&Arc::new(workspace_of(&loaded.config))), document.is_well_formed())
        }
        Ok(Contents::NotUtf8 { bytes, offset }) => {
            (Text::new(&String::from_utf8_lossy(&bytes)), vec![not_utf8(offset)], false)
        }
        Err(fault) => {
            console.complain(fault);
            return None;
        }
    };
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    if errors.is_empty() || (args.no_check && is_json) {
        return Some(SuiteInput::parse(input.path().unwrap_or(Path::new("stdin.json")), text));
    }
    show(&input.name(), &text, &errors, console);
    let advice = if is_json { "mend them, or run it all the same with `--no-check`" } else { "mend them" };
    console.complain(format_args!("`{}` is not run, because it has errors: {advice}", input.name()));
    None
}

fn show(name: &str, text: &Text, findings: &[Finding], console: &mut Console) {
    let painter = Painter::new(console.err.has_color());
    for finding in findings.iter().take(20) {
        console.err.write_line(&painter.paint(name, text, finding));
    }
    if findings.len() > 20 {
        console.tell(format_args!("{} more in `{name}`; `eval-ls check` shows them all", findings.len() - 20));
    }
}

fn add(groups: &mut Vec<Group>, loaded: &LoadedConfig, suite: SuiteInput) {
    let known = groups.iter_mut().find(|group| group.root == loaded.root);
    match known {
        Some(group) => group.suites.push(suite),
        None => {
            groups.push(Group { root: loaded.root.clone(), config: Arc::clone(&loaded.config), suites: vec![suite] })
        }
    }
}

type Selected = Vec<(Group, Option<Vec<String>>)>;

/// The groups that have a case to run, each with the ids that are asked for. An id must be in one of them.
fn select(args: &RunArgs, groups: Vec<Group>, console: &mut Console) -> Result<Selected, ExitStatus> {
    let Some(wanted) = &args.cases else {
        return Ok(groups.into_iter().map(|group| (group, None)).collect());
    };
    let ids = |group: &Group| -> HashSet<String> {
        let cases = group.suites.iter().flat_map(|suite| &suite.suite.cases);
        cases.filter_map(|case| Some(case.case.id.as_ref()?.value.clone())).collect()
    };
    let known: HashSet<String> = groups.iter().flat_map(&ids).collect();
    if wanted.iter().any(|id| !known.contains(id)) {
        let all: Vec<_> = groups.into_iter().flat_map(|group| group.suites).collect();
        if let Err(fault) = Plan::new(all, Some(wanted)) {
            console.complain(fault);
        }
        return Err(ExitStatus::NothingSelected);
    }
    let with_ids = groups.into_iter().map(|group| {
        let known = ids(&group);
        let wanted: Vec<_> = wanted.iter().filter(|id| known.contains(*id)).cloned().collect();
        (group, wanted)
    });
    Ok(with_ids.filter(|(_, wanted)| !wanted.is_empty()).map(|(group, wanted)| (group, Some(wanted))).collect())
}

fn open(args: &RunArgs, group: Group, ids: Option<&[String]>, console: &mut Console) -> Result<Batch, ExitStatus> {
    let Group { root, config, suites } = group;
    let Chosen { name, config, options, timeout } = choose(args, config).map_err(|fault| {
        console.complain(fault);
        ExitStatus::Misused
    })?;
    if let (Some(approved), Some(table)) = (&args.approved, config.targets.get(&name))
        && *approved != table.fingerprint()
    {
        console.complain(format_args!("the target {} was changed after it was approved: run it again", quoted(&name)));
        return Err(ExitStatus::Misused);
    }
    let target = targets::open(&name, &config, &root, &options).map_err(|fault| {
        console.complain(fault);
        ExitStatus::Misused
    })?;
    let plan = Plan::new(suites, ids).map_err(|fault: PlanError| {
        console.complain(fault);
        ExitStatus::NothingSelected
    })?;
    let defaults = Options::new(&config, &name);
    let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
    let results = match (&args.results, args.no_results) {
        (_, true) => None,
        (Some(folder), _) => Some(absolute(folder)),
        (None, _) => defaults.results,
    };
    let options = Options {
        jobs: args.jobs.unwrap_or(defaults.jobs),
        timeout: args.timeout.unwrap_or_else(|| at_least(defaults.timeout, timeout)),
        retry_errors: defaults.retry_errors,
        record: args.record,
        hand_over: args.answers,
        results,
    };
    Ok(Batch { plan, target, config, options })
}

fn at_least(timeout: HumanDuration, least: Option<Duration>) -> HumanDuration {
    let least = least.filter(|least| *least > timeout.get()).and_then(|least| HumanDuration::try_from(least).ok());
    least.unwrap_or(timeout)
}
