//! One case in the job that runs it. Its steps, from the outside in: `run` sends the events, `compared` compares with a
//! baseline, `repeated` folds several attempts, `attempt` asks and judges, `ask` asks again after an error. `repeated` and `ask`
//! are in separate files.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::events::{AnswerText, CaseFinished, CaseProgress, CaseRef, CaseStarted, Event, Grade, Warning};
use crate::targets::{Session, off_reactor};
use crate::transcript::Store;
use crate::verdict::{AgainstBaseline, Standing, Status};

use super::attempts::Asked;
use super::case::{JudgedCase, judge_answer, mark, request};
use super::guard::message;
use super::keeper::{CaseEvent, Ended};
use super::options::BaselineCounts;
use super::shared::{Events, Shared, millis};

/// A case of the plan, and the job that runs it.
pub(super) struct CaseRun<'a> {
    pub(super) shared: &'a Arc<Shared>,
    /// The number of the job.
    pub(super) job: usize,
    /// The session of the job, if one is open.
    pub(super) session: &'a mut Option<Box<dyn Session>>,
    /// The index of the case in the plan.
    pub(super) index: usize,
    pub(super) events: &'a Events,
}

impl CaseRun<'_> {
    /// Runs a case, and sends its events.
    pub(super) async fn run(mut self, permit: Option<OwnedSemaphorePermit>) {
        let (shared, index) = (self.shared, self.index);
        let case = &shared.plan.cases[index];
        let events = self.events;
        let send = |event| events.send(index, event);
        let case_ref = shared.plan.case_ref(case);
        send(Event::CaseStarted(CaseStarted { case: case_ref.clone() }));
        let started = Instant::now();
        let judged = AssertUnwindSafe(self.compared()).catch_unwind().await;
        let judged = judged.unwrap_or_else(|panic| JudgedCase::error(&case.placed.case, message(&*panic).into()));
        for message in judged.warnings {
            send(Event::Warning(Warning { message }));
        }
        // Without a target that is ready, the others end at once, too, each with the reason.
        if shared.target.is_live() && shared.unusable.is_none() && !judged.cancelled {
            shared.enough.note(&judged.result, shared.options.policy);
        }
        let JudgedCase { result, transcript, not_stored, answer, answers, picture, cancelled, .. } = judged;
        let finished = Event::CaseFinished(Box::new(CaseFinished {
            case: case_ref,
            status: result.status,
            cancelled,
            resumed: false,
            duration_ms: millis(started.elapsed()),
            transcript: transcript.map(|path| path.display().to_string()),
            not_stored,
            answer: answer
                .as_ref()
                .filter(|_| shared.options.hand_over)
                .map(|answer| AnswerText::new(answer.to_json_line())),
            result: Arc::new(result),
        }));
        let ended = Some(Ended { suite: case.suite, attempt: None, answer, answers, picture, _permit: permit });
        events.send_with(CaseEvent { index, event: finished, ended });
    }

    /// Runs a case, and compares it with the baseline if there is one.
    async fn compared(&mut self) -> JudgedCase {
        let mut judged = self.repeated().await;
        let options = &self.shared.options;
        if let Some(BaselineCounts { passed, attempts }) = options.baseline.get(&self.index).copied() {
            let standing = match options.policy.grade(&judged.result) {
                Grade::NotJudged => return judged,
                Grade::Passed => Standing::Passes,
                Grade::Failed if passed < attempts => Standing::KnownFailure,
                Grade::Failed => Standing::Regressed,
            };
            judged.result.baseline = Some(AgainstBaseline { passed, attempts, standing });
        }
        judged
    }

    /// One attempt at a case: asks, judges, and ends the turn.
    pub(super) async fn attempt(&mut self) -> JudgedCase {
        let (shared, index) = (self.shared, self.index);
        let case = &shared.plan.cases[index];
        let is_live = shared.target.is_live();
        let started = Instant::now();
        let request = match &shared.unusable {
            Some(why) => Err(why.clone()),
            None => request(shared.plan.suite_of(case), case, is_live),
        };
        let Asked { answer, attempts, warnings } = match request {
            Err(why) => Asked::not_at_all(why),
            Ok(request) => self.ask(&request).await,
        };
        let duration = started.elapsed();
        let of_case = Arc::clone(shared);
        let judge = move || {
            let shared = of_case;
            let case = &shared.plan.cases[index];
            let suite = shared.plan.suite_of(case);
            let store = Store::new(&suite.path, &shared.config).private(shared.target.is_private());
            let record = (is_live && shared.options.record).then_some(&store);
            let earlier = case.id().filter(|_| record.is_some()).and_then(|id| store.read(id).ok().flatten());
            let replayed =
                case.id().filter(|_| answer.is_ok()).and_then(|id| shared.target.transcript(&suite.path, id));
            let lacks_answer = answer.as_ref().is_err_and(|why| !why.cancelled);
            let mut judged = judge_answer(&suite.text, case, answer, &shared.config, record, earlier.as_ref());
            if let (true, Some(store), Some(earlier)) = (lacks_answer, record, &earlier) {
                judged.warnings.extend(mark(store, &earlier.case, shared.target.name(), None, Status::Error));
            }
            judged.result.attempts = attempts;
            judged.warnings.extend(warnings);
            if let (false, Some(stored)) = (is_live, &judged.answer) {
                judged.result.newer = shared.options.since.newer(index, stored, replayed.as_deref());
            }
            judged.transcript = judged.transcript.or(replayed);
            if is_live && judged.result.duration_ms.is_none() {
                judged.result.duration_ms = Some(millis(duration));
            }
            judged
        };
        let mut judged = if is_live { off_reactor(judge).await } else { judge() };
        self.store_picture(&mut judged).await;
        judged.warnings.extend(self.finish(case.id().unwrap_or_default()).await);
        judged
    }

    /// How events name the case.
    pub(super) fn case_ref(&self) -> CaseRef {
        self.shared.plan.case_ref(&self.shared.plan.cases[self.index])
    }

    /// Sends a line about the progress of the case.
    pub(super) fn tell(&self, message: String) {
        self.events.send(self.index, Event::CaseProgress(CaseProgress { case: self.case_ref(), message }));
    }
}
