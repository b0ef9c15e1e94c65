//! A job of a run: runs the next case until none is left.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt;
use tokio::sync::mpsc::UnboundedSender;

use crate::config::Config;
use crate::events::{CaseFinished, CaseStarted, Event, Warning};
use crate::targets::{Cancel, Session, Target, off_reactor};
use crate::transcript::Store;

use super::attempts::{Asked, ask_case, finish};
use super::case::{JudgedCase, NoAnswer, PATIENCE, judge_answer, request};
use super::guard::message;
use super::journal::Journal;
use super::picture;
use super::{Options, Plan};

/// The state that the jobs of a run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) cancel: Cancel,
    /// The journal of each suite, if it has one.
    pub(super) journals: Vec<Option<Mutex<Journal>>>,
    /// The index of the case that is taken next.
    pub(super) next: AtomicUsize,
    /// Why no case can be run, if the target could not be set up.
    pub(super) unusable: Option<NoAnswer>,
}

/// An event of a case, with the case's index in the plan.
pub(super) type CaseEvent = (usize, Event);

/// Runs cases until none is left or the run is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, events: UnboundedSender<CaseEvent>) {
    let mut session = None;
    while !shared.cancel.is_cancelled() {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        if index >= shared.plan.cases.len() {
            break;
        }
        let send = |event| {
            // The receiver is dropped only if the run is.
            let _ = events.send((index, event));
        };
        let case = &shared.plan.cases[index];
        send(Event::CaseStarted(CaseStarted { case: shared.plan.case_ref(case) }));
        let started = Instant::now();
        let judged = AssertUnwindSafe(run_case(&shared, job, &mut session, index, &events)).catch_unwind().await;
        let judged = judged.unwrap_or_else(|panic| JudgedCase::error(&case.placed.case, message(&*panic).into()));
        for message in judged.warnings {
            send(Event::Warning(Warning { message }));
        }
        send(Event::CaseFinished(Box::new(CaseFinished {
            case: shared.plan.case_ref(case),
            status: judged.result.status,
            cancelled: judged.cancelled,
            duration_ms: millis(started.elapsed()),
            transcript: judged.transcript.map(|path| path.display().to_string()),
            answer: judged.answer.filter(|_| shared.options.hand_over).map(|answer| answer.to_value()),
            result: judged.result,
        })));
    }
    if let Some(session) = session {
        // A session that does not close in time is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}

async fn run_case(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    events: &UnboundedSender<CaseEvent>,
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
    let mut judged = off_reactor(move || {
        let shared = of_case;
        let case = &shared.plan.cases[index];
        let suite = shared.plan.suite_of(case);
        let store = Store::new(&suite.path, &shared.config);
        let record = (is_live && shared.options.record).then_some(&store);
        let replayed = (!is_live && answer.is_ok()).then(|| case.id().map(|id| store.path(id))).flatten();
        let mut judged = judge_answer(&suite.text, case, answer, &shared.config, record);
        judged.result.attempts = attempts;
        judged.warnings.extend(warnings);
        judged.transcript = judged.transcript.or(replayed);
        if is_live && judged.result.duration_ms.is_none() {
            judged.result.duration_ms = Some(millis(duration));
        }
        judged
    })
    .await;
    picture::store(shared, session, index, &mut judged).await;
    judged.warnings.extend(finish(shared, session, case.id().unwrap_or_default()).await);
    let shared = Arc::clone(shared);
    off_reactor(move || {
        if let Some(journal) = &shared.journals[shared.plan.cases[index].suite] {
            // A panic elsewhere leaves the journal as it was: at the end of a line.
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = journal.add(shared.plan.cases[index].index, &judged.result) {
                judged.warnings.push(error.to_string());
            }
        }
        judged
    })
    .await
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
