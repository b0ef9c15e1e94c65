//! Several attempts at one case.

use std::sync::PoisonError;

use crate::events::{CaseFinished, CaseProgress, Event};
use crate::verdict::{CaseResult, Quarantine, Repeat, RepeatRule, Repeats, Status, is_flaky};

use super::case::JudgedCase;
use super::case_run::CaseRun;
use super::keeper::{CaseEvent, Ended};

impl CaseRun<'_> {
    /// Runs a case as often as its rule says, and folds the attempts to one result: that of the first attempt with the status of
    /// the case. Each attempt is kept before the next one starts, so a run that is resumed continues with the next one.
    pub(super) async fn repeated(&mut self) -> JudgedCase {
        let (shared, index) = (self.shared, self.index);
        let Some(rule) = shared.options.repeats.get(&index).copied().filter(|rule| rule.attempts > 1) else {
            return self.attempt().await;
        };
        let quarantine = shared.options.quarantine.get(&index);
        let begun = shared.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(&index);
        let mut attempts: Vec<JudgedCase> = begun.unwrap_or_default();
        while !is_decided(&attempts, rule) {
            let number = attempts.len() + 1;
            self.tell(format!("attempt {number} of {}", rule.attempts));
            let attempt = self.attempt().await;
            let is_cancelled = attempt.cancelled;
            if !is_cancelled {
                self.keep_attempt(number, &attempt, rule);
            }
            // A cancelled attempt does not count beside others.
            if !is_cancelled || attempts.is_empty() {
                attempts.push(attempt);
            }
            if is_cancelled || shared.cancel.is_cancelled() {
                let cancelled = !is_decided(&attempts, rule);
                return JudgedCase { cancelled, ..folded(attempts, rule, quarantine) };
            }
            if self.session.as_ref().is_some_and(|session| !session.can_be_asked_again()) {
                break;
            }
        }
        folded(attempts, rule, quarantine)
    }

    /// Keeps an attempt.
    fn keep_attempt(&self, number: usize, attempt: &JudgedCase, rule: RepeatRule) {
        let shared = self.shared;
        let finished = || CaseFinished {
            case: self.case_ref(),
            status: attempt.result.status,
            cancelled: false,
            resumed: false,
            duration_ms: attempt.result.duration_ms.unwrap_or_default(),
            transcript: None,
            not_stored: None,
            answer: None,
            result: attempt.result.clone().into(),
        };
        let ended = shared.options.kept.is_some().then(|| Ended {
            suite: shared.plan.cases[self.index].suite,
            attempt: Some((number, Box::new(finished()))),
            answer: attempt.answer.clone(),
            answers: Vec::new(),
            picture: None,
            _permit: None,
        });
        let message = format!("attempt {number} of {}: {}", rule.attempts, attempt.result.status);
        let event = Event::CaseProgress(CaseProgress { case: self.case_ref(), message });
        self.events.send_with(CaseEvent { index: self.index, event, ended });
    }
}

fn statuses(attempts: &[JudgedCase]) -> Vec<Status> {
    attempts.iter().map(|attempt| attempt.result.status).collect()
}

fn is_decided(attempts: &[JudgedCase], rule: RepeatRule) -> bool {
    rule.is_decided(&statuses(attempts))
}

/// The result of a case with these attempts: that of the first one with the status of the case.
fn folded(mut attempts: Vec<JudgedCase>, rule: RepeatRule, quarantine: Option<&Quarantine>) -> JudgedCase {
    let statuses = statuses(&attempts);
    let status = rule.status(&statuses);
    let repeats = Repeats {
        planned: rule.attempts,
        min_pass: rule.min_pass,
        flaky: is_flaky(&statuses),
        attempts: attempts.iter().map(|attempt| repeat(&attempt.result)).collect(),
        quarantine: quarantine.cloned(),
    };
    let warnings = attempts.iter_mut().flat_map(|attempt| std::mem::take(&mut attempt.warnings)).collect();
    let answers = attempts.iter().map(|attempt| attempt.answer.clone()).collect();
    // A case without a certain status has an attempt without a verdict, or was cancelled.
    let place = statuses.iter().position(|one| *one == status).unwrap_or(statuses.len() - 1);
    let chosen = attempts.swap_remove(place);
    let result = CaseResult { status, repeats: Some(repeats), ..chosen.result };
    let reason = (status == Status::Error)
        .then(|| result.reason.clone().unwrap_or_else(|| "the missing attempts would decide the status".to_owned()));
    JudgedCase { result: CaseResult { reason, ..result }, warnings, answers, ..chosen }
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
