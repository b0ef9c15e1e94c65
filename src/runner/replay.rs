//! A replay: all cores judge, and the run goes on as if one job did it. Its answers are there at once, so a hand-over for each
//! case would take longer than the case.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use tokio::runtime::Handle;
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinSet;

use crate::events::Event;
use crate::runs::OpenRun;

use super::case_run::CaseRun;
use super::job::close;
use super::keeper::{CaseEvent, PackedEvent, keep_cases};
use super::shared::{self, Shared};

/// The most cases of a chunk. The cases of a chunk are kept and shown together.
/// Enough for one write to cost little beside the judging.
const CHUNK: usize = 16;

/// The events of a chunk of cases.
enum Events {
    /// Of a run that is kept: the jobs pack what is written.
    ToKeep(Vec<PackedEvent>),
    ToShow(Vec<CaseEvent>),
}

/// The events of a chunk of cases, and its number.
type Chunk = (usize, Events);

/// Judges the stored answers on several threads. Keeps the cases and forwards their events in the order of the plan. Returns
/// the kept run.
pub(super) async fn replay(
    shared: &Arc<Shared>,
    mut kept: Option<OpenRun>,
    mut forward: impl FnMut(usize, Event),
) -> Option<OpenRun> {
    let threads = shared.options.replay_jobs.unwrap_or_else(cores).get();
    let length = shared.todo.len().div_ceil(threads).clamp(1, CHUNK);
    let (sender, mut chunks) = channel(2 * threads);
    let mut jobs = JoinSet::new();
    for job in 0..threads.min(shared.todo.len()) {
        let work = work(Arc::clone(shared), job, length, sender.clone());
        // It reads files and judges, and waits for nothing else.
        jobs.spawn_blocking(move || Handle::current().block_on(work));
    }
    drop(sender);
    let mut take = |events: Events| match (events, &mut kept) {
        (Events::ToKeep(events), Some(run)) => keep_cases(run, events, &mut forward),
        (Events::ToKeep(_), None) => unreachable!("only the cases of a kept run are packed"),
        (Events::ToShow(events), _) => events.into_iter().for_each(|arrived| forward(arrived.index, arrived.event)),
    };
    let mut next = 0;
    let mut early: BTreeMap<usize, Events> = BTreeMap::new();
    while let Some((number, events)) = chunks.recv().await {
        early.insert(number, events);
        while let Some(events) = early.remove(&next) {
            take(events);
            next += 1;
        }
    }
    // Only a job that broke off leaves a gap.
    early.into_values().for_each(take);
    while jobs.join_next().await.is_some() {}
    kept
}

fn cores() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs chunks until none is left or the run is cancelled.
async fn work(shared: Arc<Shared>, job: usize, length: usize, chunks: Sender<Chunk>) {
    let gathered = Arc::new(Mutex::new(Vec::new()));
    let events = shared::Events::Gathered(Arc::clone(&gathered));
    let mut session = None;
    while let Some((number, places)) = next_chunk(&shared, length) {
        for index in &shared.todo[places] {
            if !shared.cancel.is_cancelled() {
                let case = CaseRun { shared: &shared, job, session: &mut session, index: *index, events: &events };
                case.run().await;
            }
        }
        let events = std::mem::take(&mut *gathered.lock().unwrap_or_else(PoisonError::into_inner));
        let events = match &shared.options.kept {
            Some(keeping) => {
                let redact = keeping.redact.as_ref();
                Events::ToKeep(events.into_iter().map(|arrived| arrived.packed(redact)).collect())
            }
            None => Events::ToShow(events),
        };
        if chunks.send((number, events)).await.is_err() {
            break;
        }
    }
    close(session).await;
}

/// The number of the next chunk, and its places in the cases to run.
fn next_chunk(shared: &Shared, length: usize) -> Option<(usize, Range<usize>)> {
    let number = shared.next.fetch_add(1, Ordering::Relaxed);
    let start = number * length;
    let is_open = start < shared.todo.len() && !shared.cancel.is_cancelled();
    is_open.then(|| (number, start..(start + length).min(shared.todo.len())))
}
