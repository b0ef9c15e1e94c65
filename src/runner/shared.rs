//! What the jobs of a run share, and where they send their events.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use crate::config::Config;
use crate::events::Event;
use crate::targets::{Cancel, Target};

use super::case::NoAnswer;
use super::enough::Enough;
use super::keeper::{CaseEvent, Ended, ToKeep};
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
    pub(super) async fn send_ended(&self, index: usize, event: Event, mut ended: Ended) {
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

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
