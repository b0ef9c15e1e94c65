//! Cases that are compared with a baseline. A case that fails for the first time runs again before it counts as a regression.

use std::sync::Arc;

use crate::events::{CaseProgress, Event, Grade};
use crate::targets::Session;
use crate::verdict::{AgainstBaseline, Standing, Status};

use super::case::JudgedCase;
use super::job::{Events, Shared, run_case};
use super::repeat::run_repeated;

/// How often a case passed in a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaselineCounts {
    /// The attempts that did not fail.
    pub(crate) passed: usize,
    /// All attempts.
    pub(crate) attempts: usize,
}

/// Runs a case, and compares it with the baseline if there is one.
pub(super) async fn run_confirmed(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    events: &Events,
) -> JudgedCase {
    let mut judged = run_repeated(shared, job, session, index, events).await;
    let Some(BaselineCounts { passed, attempts }) = shared.options.baseline.get(&index).copied() else { return judged };
    let policy = shared.options.policy;
    let (standing, reruns) = match policy.grade(&judged.result) {
        Grade::NotJudged => return judged,
        Grade::Passed => (Standing::Passes, Vec::new()),
        Grade::Failed if passed < attempts => (Standing::KnownFailure, Vec::new()),
        Grade::Failed => {
            let Reruns { statuses, one_passed, warnings } = rerun(shared, job, session, index, events).await;
            judged.warnings.extend(warnings);
            (if one_passed { Standing::NotConfirmed } else { Standing::Regressed }, statuses)
        }
    };
    judged.result.baseline = Some(AgainstBaseline { passed, attempts, standing, reruns });
    judged
}

/// The reruns of a case that failed.
#[derive(Default)]
struct Reruns {
    statuses: Vec<Status>,
    /// Whether the last one does not make the run fail.
    one_passed: bool,
    warnings: Vec<String>,
}

/// Runs a case again until it passes, at most as often as the options say.
async fn rerun(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    events: &Events,
) -> Reruns {
    let mut reruns = Reruns::default();
    // A transcript gives the same answer again.
    let most = if shared.target.is_live() { shared.options.confirm } else { 0 };
    while reruns.statuses.len() < most && !reruns.one_passed && !shared.cancel.is_cancelled() {
        let case = shared.plan.case_ref(&shared.plan.cases[index]);
        let message = format!("rerun {} of {most}, because the case passed in the baseline", reruns.statuses.len() + 1);
        events.send(index, Event::CaseProgress(CaseProgress { case, message }));
        let again = run_case(shared, job, session, index, events).await;
        reruns.statuses.push(again.result.status);
        reruns.one_passed = shared.options.policy.grade(&again.result) == Grade::Passed;
        reruns.warnings.extend(again.warnings);
    }
    reruns
}
