//! `run --baseline`: the baselines of the suites, and the gate at the end of the run.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::cli::ExitStatus;
use crate::compare::{Drift, p_value, vanished};
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::runner::{BaselineCounts, Plan, RunResult, SuiteInput, case_hashes};
use crate::runs::Baseline;
use crate::text::counted;
use crate::verdict::{Standing, Status};

/// The baselines of a batch.
pub(super) struct Gate {
    /// Of each suite: the cases of its baseline that it does not have any more.
    vanished: Vec<(String, Vec<String>)>,
    /// The suites without a baseline.
    missing: Vec<String>,
    /// The baselines without a suite.
    left: Vec<PathBuf>,
    is_strict: bool,
    /// How often cases passed in the baseline, by their index in the plan.
    pub(super) counts: HashMap<usize, BaselineCounts>,
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
                gate.counts.insert(index, BaselineCounts { passed, attempts: case.attempts.len() });
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
    pub(super) fn close(&self, outcome: &RunResult) -> (Vec<String>, ExitStatus) {
        let mut lines: Vec<String> =
            self.missing.iter().map(|fault| format!("warning: {fault}; its cases count as new")).collect();
        let mut status = ExitStatus::Passed;
        let with = |standing: Standing| -> Vec<&str> {
            let cases =
                outcome.cases().filter(|case| case.baseline.as_ref().is_some_and(|one| one.standing == standing));
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
        let drift = Drift::of(outcome.cases(), self.is_strict);
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
