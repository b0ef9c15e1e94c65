//! How often the cases of a run are repeated, and what has happened to the targets of stored answers since.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::clock::moment;
use crate::config::{Config, Flaky, TargetConfig};
use crate::diagnostic::quoted;
use crate::runner::{AnswersOf, LastAnswer, Plan, Since, SuiteInput, judge_kept};
use crate::runs::{CaseHashes, CaseLine, KeptRun, RunMode, RunState, Runs};
use crate::suite::PlacedCase;
use crate::targets::{Target, fingerprint};
use crate::verdict::{RepeatRule, Repeats, Status};
use crate::workspace::absolute;

/// The repeats of a kept run, whose answers are judged again, by the index of the case: what was planned then.
pub(super) fn recorded(plan: &Plan, answers: &AnswersOf) -> HashMap<usize, RepeatRule> {
    let rule = |(index, (suite, case)): (usize, (&SuiteInput, &PlacedCase))| {
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        let Repeats { planned: attempts, min_pass, .. } = *answers.repeats(&suite.path, id)?;
        Some((index, RepeatRule { attempts, min_pass, stops_early: false, flaky_matters: false }))
    };
    plan.cases().enumerate().filter_map(rule).collect()
}

/// The repeats that the command line and the configuration ask for. Reports options without effect, and policies that have
/// expired.
pub(super) fn of(
    args: &RunArgs,
    plan: &Plan,
    config: &Config,
    target: &dyn Target,
    console: &mut Console,
) -> HashMap<usize, RepeatRule> {
    if args.options.mode == RunMode::Record || args.options.record {
        return HashMap::new();
    }
    if !target.is_live() {
        if args.options.repeat.is_some_and(|repeat| repeat > 1) {
            let name = quoted(target.name());
            console.tell(format_args!("warning: `--repeat` has no effect: {name} gives the same answer each time"));
        }
        return HashMap::new();
    }
    let mut repeats = HashMap::new();
    for (index, (id, category)) in plan.names().enumerate() {
        let policy = config.policy_of(id, category);
        let given = args.options.repeat.map(usize::from);
        let attempts = given.or(policy.map(|policy| policy.repeat)).unwrap_or(1);
        let min_pass = policy.map_or(attempts, |policy| if given.is_some() { attempts } else { policy.min_pass });
        let rule = RepeatRule {
            attempts,
            min_pass,
            // A number of attempts on the command line is there to measure.
            stops_early: given.is_none(),
            flaky_matters: config.run.flaky == Flaky::Pass,
        };
        if attempts > 1 {
            repeats.insert(index, rule);
        }
    }
    repeats
}

/// The most runs whose cases are read. Most often it is one for each target, because it has all cases.
const MOST_RUNS: usize = 50;

/// What has happened to the targets of `config` that gave answers to the cases of `plan`. `runs` are the kept runs of the workspace at
/// `root`. A run that cannot be read is left out.
pub(super) fn since(plan: &Plan, config: &Config, runs: &Runs, root: &Path) -> Since {
    let mut since = Since { programs: programs(config, root), ..Since::default() };
    last_answers(plan, config, runs, root, &mut since);
    since
}

/// Adds when each live target was asked last, and its answers that do not pass.
fn last_answers(plan: &Plan, config: &Config, runs: &Runs, root: &Path, since: &mut Since) {
    let place = |(index, (suite, case)): (usize, (&SuiteInput, &PlacedCase))| {
        Some(((absolute(&suite.path), case.case.id.as_ref()?.value.clone()), index))
    };
    let places: HashMap<(PathBuf, String), usize> = plan.cases().enumerate().filter_map(place).collect();
    let mut known: HashMap<String, HashSet<usize>> = HashMap::new();
    let is_live = |run: &KeptRun| run.record().target.is_live() && run.state() != RunState::Running;
    for run in runs.list().into_iter().filter(is_live).take(MOST_RUNS) {
        let target = &run.record().target.name;
        let known = known.entry(target.clone()).or_default();
        if known.len() == places.len() {
            continue;
        }
        let suites: Vec<PathBuf> = run.record().suites.iter().map(|suite| root.join(&suite.path)).collect();
        for line in run.lines().unwrap_or_default() {
            let Some(suite) = suites.get(line.suite) else { continue };
            let Some(index) = places.get(&(suite.clone(), line.case.clone())).copied() else { continue };
            if known.insert(index) {
                let recorded = line.answer.as_ref().and_then(|answer| moment(answer.recorded_at.as_deref()?));
                if let Some(at) = recorded.or_else(|| moment(&run.record().started_at)) {
                    let asked = since.asked.entry(index).or_insert(at);
                    *asked = at.max(*asked);
                    since.answers.entry(index).or_default().extend(last_answer(plan, index, &run, &line, at, config));
                }
            }
        }
    }
}

/// The answer of a case in a run, if it does not pass the present case.
fn last_answer(
    plan: &Plan,
    index: usize,
    run: &KeptRun,
    line: &CaseLine,
    at: SystemTime,
    config: &Config,
) -> Option<LastAnswer> {
    let (suite, case) = plan.case(index)?;
    let span = case.span();
    let text = suite.text.as_str().get(span.start..span.end).unwrap_or_default();
    let is_edited = run.record().hashes(line.suite, line.index) != Some(&CaseHashes::of(&case.case, text, config));
    if line.status == Status::Pass && !is_edited {
        return None;
    }
    let answer = run.answer(line).ok()?;
    let status = match &answer {
        Some(answer) if is_edited => judge_kept(&suite.text, case, Ok(answer.clone()), config).status,
        Some(_) => line.status,
        None => Status::Error,
    };
    let target = run.record().target.name.clone();
    // Of an edited case, only the answer that decides is judged again.
    let attempts = line.result.repeats.as_ref().filter(|_| !is_edited).map(|repeats| repeats.passed());
    (status != Status::Pass).then_some(LastAnswer { target, status, attempts, answer, at })
}

/// By target: the hash of the files of its program.
pub(super) fn programs(config: &Config, root: &Path) -> HashMap<String, String> {
    let of_target =
        |(name, target): (&String, &TargetConfig)| Some((name.clone(), fingerprint(target.command()?, config, root)?));
    config.targets.iter().filter_map(of_target).collect()
}
