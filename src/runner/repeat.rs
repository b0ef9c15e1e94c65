//! Several attempts at one case.

use crate::transcript::Transcript;
use crate::verdict::{CaseResult, Quarantine, Repeat, RepeatRule, Repeats, Status, is_flaky};

use super::case::JudgedCase;
use super::case_run::CaseRun;

impl CaseRun<'_> {
    /// Runs a case as often as its rule says, and folds the attempts to one result: that of the first attempt with the status of
    /// the case.
    pub(super) async fn repeated(&mut self) -> JudgedCase {
        let (shared, index) = (self.shared, self.index);
        let rule = shared.options.repeats.get(&index).copied().filter(|_| shared.target.is_live());
        let Some(rule) = rule.filter(|rule| rule.attempts > 1) else {
            return self.attempt().await;
        };
        let mut attempts: Vec<JudgedCase> = Vec::new();
        loop {
            self.tell(format!("attempt {} of {}", attempts.len() + 1, rule.attempts));
            let attempt = self.attempt().await;
            let is_cancelled = attempt.cancelled;
            attempts.push(attempt);
            let statuses: Vec<Status> = attempts.iter().map(|attempt| attempt.result.status).collect();
            if is_cancelled || shared.cancel.is_cancelled() || rule.is_decided(&statuses) {
                let quarantine = shared.options.quarantine.get(&index).cloned();
                return folded(attempts, rule, quarantine);
            }
        }
    }
}

fn folded(mut attempts: Vec<JudgedCase>, rule: RepeatRule, quarantine: Option<Quarantine>) -> JudgedCase {
    let statuses: Vec<Status> = attempts.iter().map(|attempt| attempt.result.status).collect();
    let status = rule.status(&statuses);
    let repeats = Repeats {
        planned: rule.attempts,
        min_pass: rule.min_pass,
        flaky: is_flaky(&statuses),
        attempts: attempts.iter().map(|attempt| repeat(&attempt.result)).collect(),
        quarantine,
    };
    let warnings = attempts.iter_mut().flat_map(|attempt| std::mem::take(&mut attempt.warnings)).collect();
    let answers: Vec<Option<Transcript>> = attempts.iter().map(|attempt| attempt.answer.clone()).collect();
    // A case without a certain status has an attempt without a verdict, or was cancelled.
    let place = statuses.iter().position(|one| *one == status).unwrap_or(statuses.len() - 1);
    let cancelled = status == Status::Error && attempts.iter().any(|attempt| attempt.cancelled);
    let chosen = attempts.swap_remove(place);
    let result = CaseResult { status, repeats: Some(repeats), ..chosen.result };
    let reason = (status == Status::Error)
        .then(|| result.reason.clone().unwrap_or_else(|| "the missing attempts would decide the status".to_owned()));
    JudgedCase { result: CaseResult { reason, ..result }, cancelled, warnings, answers, ..chosen }
}

fn repeat(result: &CaseResult) -> Repeat {
    Repeat {
        status: result.status,
        reason: result.reason.clone(),
        soft_score: result.metrics.scoring.soft_score.shown(),
        checks: result.checks.clone(),
        duration_ms: result.duration_ms,
    }
}
