//! Cases that are compared with a baseline. A case that fails for the first time runs again before it counts as a regression.

use crate::events::Grade;
use crate::verdict::{AgainstBaseline, Standing, Status};

use super::case::JudgedCase;
use super::case_run::CaseRun;

/// How often a case passed in a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaselineCounts {
    /// The attempts that did not fail.
    pub(crate) passed: usize,
    /// All attempts.
    pub(crate) attempts: usize,
}

/// The reruns of a case that failed.
#[derive(Default)]
struct Reruns {
    statuses: Vec<Status>,
    /// Whether the last one does not make the run fail.
    one_passed: bool,
    warnings: Vec<String>,
}

impl CaseRun<'_> {
    /// Runs a case, and compares it with the baseline if there is one.
    pub(super) async fn confirmed(&mut self) -> JudgedCase {
        let mut judged = self.repeated().await;
        let Some(BaselineCounts { passed, attempts }) = self.shared.options.baseline.get(&self.index).copied() else {
            return judged;
        };
        let policy = self.shared.options.policy;
        let (standing, reruns) = match policy.grade(&judged.result) {
            Grade::NotJudged => return judged,
            Grade::Passed => (Standing::Passes, Vec::new()),
            Grade::Failed if passed < attempts => (Standing::KnownFailure, Vec::new()),
            Grade::Failed => {
                let Reruns { statuses, one_passed, warnings } = self.rerun().await;
                judged.warnings.extend(warnings);
                (if one_passed { Standing::NotConfirmed } else { Standing::Regressed }, statuses)
            }
        };
        judged.result.baseline = Some(AgainstBaseline { passed, attempts, standing, reruns });
        judged
    }

    /// Runs a case again until it passes, at most as often as the options say.
    async fn rerun(&mut self) -> Reruns {
        let shared = self.shared;
        let mut reruns = Reruns::default();
        // A transcript gives the same answer again.
        let most = if shared.target.is_live() { shared.options.confirm } else { 0 };
        while reruns.statuses.len() < most && !reruns.one_passed && !shared.cancel.is_cancelled() {
            self.tell(format!(
                "rerun {} of {most}, because the case passed in the baseline",
                reruns.statuses.len() + 1
            ));
            let again = self.attempt().await;
            reruns.statuses.push(again.result.status);
            reruns.one_passed = shared.options.policy.grade(&again.result) == Grade::Passed;
            reruns.warnings.extend(again.warnings);
        }
        reruns
    }
}
