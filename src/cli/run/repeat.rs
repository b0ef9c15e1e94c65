//! How often the cases of a run are repeated.

use std::collections::HashMap;

use crate::cli::Console;
use crate::cli::args::{RunArgs, RunMode};
use crate::clock;
use crate::config::{CaseGlob, Config, Flaky};
use crate::diagnostic::quoted;
use crate::runner::{AnswersOf, Plan};
use crate::targets::Target;
use crate::verdict::{Quarantine, RepeatRule};

/// The repeats of a plan, by the index of the case.
#[derive(Default)]
pub(super) struct Repeating {
    pub(super) repeats: HashMap<usize, RepeatRule>,
    /// The quarantine of those cases whose rule counts for a while.
    pub(super) quarantine: HashMap<usize, Quarantine>,
}

/// The repeats of a kept run, whose answers are judged again: what was planned then.
pub(super) fn recorded(plan: &Plan, answers: &AnswersOf) -> Repeating {
    let mut repeating = Repeating::default();
    for (index, (suite, case)) in plan.cases().enumerate() {
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        let Some(repeats) = answers.repeats(&suite.path, id) else { continue };
        let (attempts, min_pass) = (repeats.planned, repeats.min_pass);
        repeating.repeats.insert(index, RepeatRule { attempts, min_pass, stops_early: false, flaky_matters: false });
        repeating.quarantine.extend(repeats.quarantine.clone().map(|quarantine| (index, quarantine)));
    }
    repeating
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
) -> Repeating {
    if args.options.mode == RunMode::Record || args.options.record {
        return Repeating::default();
    }
    if !target.is_live() {
        if args.options.repeat.is_some_and(|repeat| repeat > 1) {
            let name = quoted(target.name());
            console.tell(format_args!("warning: `--repeat` has no effect: {name} gives the same answer each time"));
        }
        return Repeating::default();
    }
    let today = clock::now().date();
    for policy in &config.policies {
        let name = policy.cases.as_ref().or(policy.category.as_ref()).map_or("", CaseGlob::as_str);
        if let Some(message) = policy.expired(today) {
            console.tell(format_args!("warning: {}: {message}", quoted(name)));
        }
    }
    let mut repeating = Repeating::default();
    for (index, (id, category)) in plan.names().enumerate() {
        let policy = config.policy_of(id, category, today);
        let given = args.options.repeat.map(usize::from);
        let attempts = given.or(policy.map(|policy| policy.repeat)).unwrap_or(1);
        let min_pass = policy.map_or(attempts, |policy| if given.is_some() { attempts } else { policy.min_pass });
        let rule = RepeatRule {
            attempts,
            min_pass,
            // A number of attempts on the command line is there to measure.
            stops_early: given.is_none(),
            flaky_matters: flaky == Flaky::Pass,
        };
        if attempts > 1 {
            repeating.repeats.insert(index, rule);
        }
        if let Some((expires, why)) = policy.filter(|_| given.is_none()).and_then(|policy| policy.until.as_ref()) {
            repeating.quarantine.insert(index, Quarantine { until: expires.to_string(), why: why.clone() });
        }
    }
    repeating
}
