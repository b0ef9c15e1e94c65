//! What the jobs of a run share, and where they send their events.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::events::Event;
use crate::targets::{Cancel, Target};

use super::case::{JudgedCase, NoAnswer};
use super::enough::Enough;
use super::keeper::{CaseEvent, ToKeep};
use super::{Options, Plan};

/// The state that the jobs of a run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) target: Arc<dyn Target>,
    pub(super) config: Arc<Config>,
    pub(super) options: Options,
    pub(super) cancel: Cancel,
    /// The attempts at cases that had begun before the run was interrupted, by the index of the case.
    pub(super) begun: Mutex<HashMap<usize, Vec<JudgedCase>>>,
    /// The indexes of the cases to run.
    pub(super) todo: Vec<usize>,
    /// The place in `todo` that is taken next.
    pub(super) next: AtomicUsize,
    /// Decides when no further case is started.
    pub(super) enough: Enough,
    /// Why no case can be run, if the target could not be set up.
    pub(super) unusable: Option<NoAnswer>,
}

/// How many cases may run or wait for the disk, if there are not more jobs. A disk that stalls must not fill the memory.
const WAITING: usize = 64;

/// Where the jobs send their events: to the thread that keeps the run.
#[derive(Clone)]
pub(super) struct Events {
    sender: UnboundedSender<ToKeep>,
    waiting: Arc<Semaphore>,
}

impl Events {
    /// For that number of jobs.
    pub(super) fn new(sender: UnboundedSender<ToKeep>, jobs: usize) -> Events {
        Events { sender, waiting: Arc::new(Semaphore::new(WAITING.max(2 * jobs))) }
    }

    /// Waits until a case may start.
    pub(super) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.waiting).acquire_owned().await.ok()
    }

    /// Sends an event of the case with that index.
    pub(super) fn send(&self, index: usize, event: Event) {
        self.send_with(CaseEvent { index, event, ended: None });
    }

    /// Sends an event with what the case left behind. The receiver is gone only if the run itself is.
    pub(super) fn send_with(&self, event: CaseEvent) {
        let _ = self.sender.send(ToKeep::Event(Box::new(event)));
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
