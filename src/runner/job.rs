//! One of the jobs of a run: it takes the next case until there is none.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use crate::config::Config;
use crate::targets::{Cancel, Context, Deadline, Progress, Session, Target, off_reactor};
use crate::transcript::Store;
use crate::verdict::CaseResult;

use super::case::{Concluded, PATIENCE, ask, conclude, request};
use super::guard::message;
use super::journal::Journal;
use super::picture;
use super::{Options, Plan};

/// What the jobs of a run have in common.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) cancel: Cancel,
    /// A suite's journal, where it has one.
    pub(super) journals: Vec<Option<Mutex<Journal>>>,
    /// The index of the case that is taken next.
    pub(super) next: AtomicUsize,
    /// Why no case can be asked, where that is so.
    pub(super) unusable: Option<String>,
}

/// What a job says; the number is the case's index in the plan.
#[derive(Debug)]
pub(super) enum Message {
    Started(usize),
    Progress(usize, String),
    Finished(usize, Box<Finished>),
    Warning(String),
}

/// What came of a case.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) duration: Duration,
    pub(super) result: CaseResult,
    /// The file that has its transcript.
    pub(super) transcript: Option<String>,
    /// What was answered, where that is to be told.
    pub(super) answer: Option<Value>,
}

/// Takes cases until there is none, or until it is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, tell: UnboundedSender<Message>) {
    let mut session = None;
    while !shared.cancel.is_cancelled() {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        if index >= shared.plan.cases.len() {
            break;
        }
        // Nobody listens only where the run itself is gone.
        let _ = tell.send(Message::Started(index));
        let begun = Instant::now();
        let concluded = AssertUnwindSafe(one(&shared, job, &mut session, index, &tell)).catch_unwind().await;
        let concluded =
            concluded.unwrap_or_else(|panic| Concluded::error(&shared.plan.cases[index].placed.case, message(&*panic)));
        for warning in concluded.warnings {
            let _ = tell.send(Message::Warning(warning));
        }
        let finished = Finished {
            duration: begun.elapsed(),
            result: concluded.result,
            transcript: concluded.transcript.map(|path| path.display().to_string()),
            answer: concluded.answer.filter(|_| shared.options.hand_over).map(|answer| answer.to_value()),
        };
        let _ = tell.send(Message::Finished(index, Box::new(finished)));
    }
    if let Some(session) = session {
        // One that does not close is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}

async fn one(
    shared: &Arc<Shared>,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    index: usize,
    tell: &UnboundedSender<Message>,
) -> Concluded {
    let case = &shared.plan.cases[index];
    let is_live = shared.target.is_live();
    let begun = Instant::now();
    let request = match &shared.unusable {
        Some(reason) => Err(reason.clone()),
        None => request(shared.plan.suite_of(case), case, is_live),
    };
    let answer = match request {
        Err(reason) => Err(reason),
        Ok(request) => {
            let tell = tell.clone();
            let progress = Progress::new(move |message| {
                let _ = tell.send(Message::Progress(index, message));
            });
            let deadline = Deadline::start(shared.options.timeout, &shared.cancel);
            ask(&*shared.target, job, session, &request, &Context { deadline, progress }, PATIENCE).await
        }
    };
    let asked = begun.elapsed();
    let of_case = Arc::clone(shared);
    let mut concluded = off_reactor(move || {
        let shared = of_case;
        let case = &shared.plan.cases[index];
        let suite = shared.plan.suite_of(case);
        let store = Store::new(&suite.path, &shared.config);
        let record = (is_live && shared.options.record).then_some(&store);
        let replayed = (!is_live && answer.is_ok()).then(|| case.id().map(|id| store.path(id))).flatten();
        let mut concluded = conclude(&suite.text, case, answer, &shared.config, record);
        concluded.transcript = concluded.transcript.or(replayed);
        if is_live && concluded.result.duration_ms.is_none() {
            concluded.result.duration_ms = Some(millis(asked));
        }
        concluded
    })
    .await;
    picture::keep(shared, session, index, &mut concluded).await;
    let shared = Arc::clone(shared);
    off_reactor(move || {
        if let Some(journal) = &shared.journals[shared.plan.cases[index].suite] {
            // A panic elsewhere leaves the journal as it was: at the end of a line.
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = journal.add(shared.plan.cases[index].index, &concluded.result) {
                concluded.warnings.push(error.to_string());
            }
        }
        concluded
    })
    .await
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
