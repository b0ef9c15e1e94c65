//! A job of a run: runs the next case until none is left.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use crate::config::Config;
use crate::events::{AnswerText, CaseFinished, CaseStarted, Event, Warning};
use crate::targets::{Cancel, Session, Target, off_reactor};
use crate::transcript::Store;

use super::attempts::{Asked, ask_case, finish};
use super::case::{JudgedCase, NoAnswer, PATIENCE, judge_answer, request};
use super::confirm::run_confirmed;
use super::enough::Enough;
use super::guard::message;
use super::keeper::{CaseEvent, Ended, ToKeep};
use super::picture;
use super::{Options, Plan};

/// The state that the jobs of a run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) cancel: Cancel,
    /// The indexes of the cases to run.
    pub(super) todo: Vec<usize>,
    /// The place in `todo` that is taken next.
    pub(super) next: AtomicUsize,
    /// Decides when no further case is started.
    pub(super) enough: Enough,
    /// Why no case can be run, if the target could not be set up.
    pub(super) unusable: Option<NoAnswer>,
}

/// How many answers may wait for the disk. A disk that stalls must not fill the memory.
const WAITING: usize = 64;

/// Where the jobs send their events: to the thread that keeps the run, at once to the run, or to the chunk of a replay.
#[derive(Clone)]
pub(super) enum Events {
    Kept(UnboundedSender<ToKeep>, Arc<Semaphore>),
    Direct(UnboundedSender<(usize, Event)>),
    Gathered(Arc<Mutex<Vec<CaseEvent>>>),
}

impl Events {
    pub(super) fn kept(sender: UnboundedSender<ToKeep>) -> Events {
        Events::Kept(sender, Arc::new(Semaphore::new(WAITING)))
    }

    /// Sends an event of the case with that index. The receiver is gone only if the run itself is.
    pub(super) fn send(&self, index: usize, event: Event) {
        self.send_with(CaseEvent { index, event, ended: None });
    }

    /// Sends the last event of a case with what the case left behind.
    async fn send_ended(&self, index: usize, event: Event, mut ended: Ended) {
        if let Events::Kept(_, waiting) = self {
            ended._permit = Arc::clone(waiting).acquire_owned().await.ok();
        }
        self.send_with(CaseEvent { index, event, ended: Some(ended) });
    }

    fn send_with(&self, event: CaseEvent) {
        let _ = match self {
            Events::Direct(sender) => sender.send((event.index, event.event)).is_ok(),
            Events::Kept(sender, _) => sender.send(ToKeep::Event(Box::new(event))).is_ok(),
            Events::Gathered(chunk) => {
                chunk.lock().unwrap_or_else(PoisonError::into_inner).push(event);
                true
            }
        };
    }
}

/// Runs cases until none is left or the run is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, events: Events) {
    let mut session = None;
    while !shared.cancel.is_cancelled() && shared.enough.why().is_none() {
        let Some(index) = shared.todo.get(shared.next.fetch_add(1, Ordering::Relaxed)).copied() else { break };
        run_to_end(&shared, job, &mut session, index, &events).await;
    }
    close(session).await;
}

/// Runs a case, and sends its events.
pub(super) async fn run_to_end(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    events: &Events,
) {
    let send = |event| events.send(index, event);
    let case = &shared.plan.cases[index];
    let case_ref = shared.plan.case_ref(case);
    send(Event::CaseStarted(CaseStarted { case: case_ref.clone() }));
    let started = Instant::now();
    let judged = AssertUnwindSafe(run_confirmed(shared, job, session, index, events)).catch_unwind().await;
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
    let ended = Ended { suite: case.suite, answer, answers, picture, _permit: None };
    events.send_ended(index, finished, ended).await;
}

/// Closes the session of a job.
pub(super) async fn close(session: Option<Box<dyn Session>>) {
    if let Some(session) = session {
        // A session that does not close in time is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}

/// One attempt at a case: asks, judges, and ends the turn.
pub(super) async fn run_case(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    events: &Events,
) -> JudgedCase {
    let case = &shared.plan.cases[index];
    let is_live = shared.target.is_live();
    let started = Instant::now();
    let request = match &shared.unusable {
        Some(why) => Err(why.clone()),
        None => request(shared.plan.suite_of(case), case, is_live),
    };
    let Asked { answer, attempts, warnings } = match request {
        Err(why) => Asked::not_at_all(why),
        Ok(request) => ask_case(shared, job, session, index, &request, events).await,
    };
    let duration = started.elapsed();
    let of_case = Arc::clone(shared);
    let judge = move || {
        let shared = of_case;
        let case = &shared.plan.cases[index];
        let suite = shared.plan.suite_of(case);
        let store = Store::new(&suite.path, &shared.config).private(!shared.target.secrets().is_empty());
        let record = (is_live && shared.options.record).then_some(&store);
        let replayed = (!is_live && answer.is_ok()).then(|| case.id().map(|id| store.path(id))).flatten();
        let mut judged = judge_answer(&suite.text, case, answer, &shared.config, record);
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
    picture::store(shared, session, index, &mut judged).await;
    judged.warnings.extend(finish(shared, session, case.id().unwrap_or_default()).await);
    judged
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
