//! How often the cases of a run are repeated, and what has happened to the targets of stored answers since. `run --baseline`: the
//! baselines of the suites, and the gate at the end of the run.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cli::args::RunArgs;
use crate::cli::{Console, ExitStatus};
use crate::clock::{self, moment};
use crate::compare::{Drift, p_value, vanished};
use crate::config::{CaseGlob, Config, Flaky, TargetConfig};
use crate::diagnostic::quoted;
use crate::runner::{AnswersOf, LastAnswer, Plan, Run, Since, SuiteInput, case_hashes, judge_kept};
use crate::runs::{Baseline, CaseHashes, CaseLine, KeptRun, RunMode, RunState, Runs};
use crate::suite::PlacedCase;
use crate::targets::{Target, fingerprint};
use crate::text::counted;
use crate::verdict::{Quarantine, RepeatRule, Repeats, Standing, Status};
use crate::workspace::absolute;

/// The repeats of a kept run, whose answers are judged again, by the index of the case: what was planned then.
pub(super) fn recorded(plan: &Plan, answers: &AnswersOf) -> HashMap<usize, RepeatRule> {
    let rule = |(index, (suite, case)): (usize, (&SuiteInput, &PlacedCase))| {
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        let Repeats { planned: attempts, min_pass, quarantine, .. } = answers.repeats(&suite.path, id)?.clone();
        Some((index, RepeatRule { attempts, min_pass, stops_early: false, flaky_matters: false, quarantine }))
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
    flaky: Flaky,
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
    let today = clock::now().date();
    for policy in &config.policies {
        let name = policy.cases.as_ref().or(policy.category.as_ref()).map_or("", CaseGlob::as_str);
        if let Some(message) = policy.expired(today) {
            console.tell(format_args!("warning: {}: {message}", quoted(name)));
        }
    }
    let mut repeats = HashMap::new();
    for (index, (id, category)) in plan.names().enumerate() {
        let policy = config.policy_of(id, category, today);
        let given = args.options.repeat.map(usize::from);
        let attempts = given.or(policy.map(|policy| policy.repeat)).unwrap_or(1);
        let min_pass = policy.map_or(attempts, |policy| if given.is_some() { attempts } else { policy.min_pass });
        let until = policy.filter(|_| given.is_none()).and_then(|policy| policy.until.clone());
        let rule = RepeatRule {
            attempts,
            min_pass,
            // A number of attempts on the command line is there to measure.
            stops_early: given.is_none(),
            flaky_matters: flaky == Flaky::Pass,
            quarantine: until.map(|(until, why)| Quarantine { until: until.to_string(), why }),
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
fn programs(config: &Config, root: &Path) -> HashMap<String, String> {
    let of_target =
        |(name, target): (&String, &TargetConfig)| Some((name.clone(), fingerprint(target.command()?, config, root)?));
    config.targets.iter().filter_map(of_target).collect()
}

/// The baselines of a batch.
pub(super) struct Gate {
    /// Of each suite: the cases of its baseline that it does not have any more.
    vanished: Vec<(String, Vec<String>)>,
    /// The suites without a baseline.
    missing: Vec<String>,
    /// The baselines without a suite.
    left: Vec<PathBuf>,
    is_strict: bool,
    /// The attempts that passed in the baseline, and all of them, by the index of the case in the plan.
    pub(super) counts: HashMap<usize, (usize, usize)>,
}

impl Gate {
    /// Reads the baselines of the suites of a plan.
    ///
    /// # Errors
    /// If no suite has one, or one cannot be read: a lower-case fragment.
    pub(super) fn read(plan: &Plan, target: &str, config: &Config, is_strict: bool) -> Result<Gate, String> {
        let mut gate =
            Gate { vanished: Vec::new(), missing: Vec::new(), left: Vec::new(), is_strict, counts: HashMap::new() };
        let hashes = case_hashes(plan, config);
        for (place, suite) in plan.suites().iter().enumerate() {
            let path = Baseline::path(&suite.path, target);
            let name = suite.path.display().to_string();
            let Some(baseline) = Baseline::read(&path).map_err(|fault| fault.to_string())? else {
                gate.missing.push(format!("`{name}` has no baseline `{}`", path.display()));
                continue;
            };
            gate.vanished.push((name, vanished(&baseline, &ids(suite)).into_iter().map(str::to_owned).collect()));
            for (index, (of, id, now)) in hashes.iter().enumerate() {
                let same = baseline.cases.iter().find(|case| *of == place && case.id == *id && case.hashes == *now);
                let Some(case) = same else { continue };
                let passes = |status: Status| status == Status::Pass || (status == Status::Partial && !is_strict);
                let passed = case.attempts.iter().filter(|attempt| passes(attempt.status)).count();
                gate.counts.insert(index, (passed, case.attempts.len()));
            }
        }
        let folders: BTreeSet<_> =
            plan.suites().iter().map(|suite| suite.path.parent().unwrap_or(Path::new(""))).collect();
        gate.left = folders.into_iter().flat_map(|folder| Baseline::without_suite(folder, target)).collect();
        match gate.vanished.is_empty() {
            true => Err(format!("{}; `eval-ls baseline accept` writes it", gate.missing.join(", "))),
            false => Ok(gate),
        }
    }

    /// The result of the gate: lines for people, and the exit status.
    pub(super) fn close(&self, run: &Run) -> (Vec<String>, ExitStatus) {
        let mut lines: Vec<String> =
            self.missing.iter().map(|fault| format!("warning: {fault}; its cases count as new")).collect();
        let mut status = ExitStatus::Passed;
        let with = |standing: Standing| -> Vec<&str> {
            let cases = run
                .cases()
                .into_iter()
                .map(|case| &*case.result)
                .filter(|case| case.baseline.as_ref().is_some_and(|one| one.standing == standing));
            cases.map(|case| case.id.as_str()).collect()
        };
        let (regressed, known) = (with(Standing::Regressed), with(Standing::KnownFailure));
        if regressed.is_empty() {
            lines.push("baseline, each case: none regressed".to_owned());
        } else {
            let noun = counted(regressed.len(), "case");
            lines.push(format!(
                "baseline, each case: {noun} passed each attempt before and failed now: {}",
                list(&regressed)
            ));
        }
        if !known.is_empty() {
            lines.push(format!("baseline: known failures: {}", list(&known)));
        }
        for (suite, ids) in self.vanished.iter().filter(|(_, ids)| !ids.is_empty()) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            lines.push(format!("baseline: the suite {suite} does not have these cases any more: {}", list(&ids)));
            status = ExitStatus::Failed;
        }
        for path in &self.left {
            let path = quoted(&path.display().to_string());
            lines.push(format!(
                "baseline: the suite of {path} is not there any more; restore the suite or remove the baseline"
            ));
            status = ExitStatus::Unusable;
        }
        let drift = Drift::of(run.results(), self.is_strict);
        let result = match (drift.is_worse(), regressed.is_empty()) {
            (true, _) => "less often than chance explains",
            (false, true) => "no more than chance",
            (false, false) => "the sum alone could be chance; the cases above fail the run",
        };
        lines.push(format!(
            "baseline, all cases: {} of {} attempts passed before, {} of {} now, p {}: {result}",
            drift.before.passed,
            drift.before.attempts,
            drift.after.passed,
            drift.after.attempts,
            p_value(drift.p)
        ));
        if drift.is_worse() {
            status = status.max(ExitStatus::Failed);
        }
        (lines, status)
    }
}

fn ids(suite: &SuiteInput) -> HashSet<&str> {
    suite.suite.cases.iter().filter_map(|case| case.case.id.as_ref()).map(|id| id.value.as_str()).collect()
}

/// The most ids in a line. The report has all.
const MOST: usize = 20;

fn list(ids: &[&str]) -> String {
    let more = ids.len().saturating_sub(MOST);
    let shown = ids[..ids.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}
