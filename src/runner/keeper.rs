//! A thread that keeps each case that ended, and only then lets its event go on.

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::events::{Event, Warning};
use crate::runs::OpenRun;
use crate::transcript::Transcript;

use super::guard::guarded;

/// An event of a case on its way from its job.
#[derive(Debug)]
pub(super) struct CaseEvent {
    /// The index of the case in the plan.
    pub(super) index: usize,
    pub(super) event: Event,
    /// What the case left behind, if it ended.
    pub(super) ended: Option<Ended>,
}

/// What a case left behind.
#[derive(Debug)]
pub(super) struct Ended {
    /// The index of its suite in the plan.
    pub(super) suite: usize,
    pub(super) answer: Option<Transcript>,
    /// The answer of each attempt, if the case ran several times.
    pub(super) answers: Vec<Option<Transcript>>,
    pub(super) picture: Option<Vec<u8>>,
    /// Limits how many answers wait for the disk.
    pub(super) _permit: Option<OwnedSemaphorePermit>,
}

/// What reaches the thread.
#[derive(Debug)]
pub(super) enum ToKeep {
    Event(Box<CaseEvent>),
    /// All jobs have ended. A target that was given up may still hold a sender, so the channel need not close.
    Stop,
}

/// Keeps what arrives in `run` and forwards it, until it is stopped. Returns the run.
pub(super) fn keep(
    mut run: OpenRun,
    mut events: UnboundedReceiver<ToKeep>,
    forward: &UnboundedSender<(usize, Event)>,
) -> OpenRun {
    while let Some(ToKeep::Event(arrived)) = events.blocking_recv() {
        let index = arrived.index;
        // The receiver is gone only if the run itself is.
        keep_case(&mut run, *arrived, |event| drop(forward.send((index, event))));
    }
    run
}

/// Keeps the case if the event is its last, and then forwards the event.
pub(super) fn keep_case(run: &mut OpenRun, arrived: CaseEvent, mut forward: impl FnMut(Event)) {
    let CaseEvent { event, ended, .. } = arrived;
    if let (Event::CaseFinished(finished), Some(ended)) = (&event, ended) {
        let Ended { suite, answer, answers, picture, _permit } = ended;
        let added = guarded(|| run.add(suite, finished, answer.as_ref(), &answers, picture.as_deref()));
        let fault = match added {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(panic),
        };
        if let Some(fault) = fault {
            forward(Event::Warning(Warning { message: format!("the run is no longer kept: {fault}") }));
        }
    }
    forward(event);
}
