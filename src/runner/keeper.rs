//! A thread that keeps each case that ended, and only then lets its event go on.

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::events::{Event, Warning};
use crate::runs::{OpenRun, PackedCase, Redact};
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

/// An event of a case, with the case as it is written.
#[derive(Debug)]
pub(super) struct PackedEvent {
    index: usize,
    event: Event,
    /// The case, if it ended and the run is kept; an error is a fault of this program.
    case: Option<Result<PackedCase, String>>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl CaseEvent {
    /// Packs the case, for a run from which `redact` removes secrets.
    pub(super) fn packed(self, redact: Option<&Redact>) -> PackedEvent {
        let CaseEvent { index, event, ended } = self;
        let (Event::CaseFinished(finished), Some(ended)) = (&event, ended) else {
            return PackedEvent { index, event, case: None, _permit: None };
        };
        let Ended { suite, answer, answers, picture, _permit } = ended;
        let pack = || PackedCase::new(suite, finished, answer.as_ref(), &answers, picture, redact);
        PackedEvent { index, case: Some(guarded(pack)), event, _permit }
    }
}

/// Keeps what arrives in `run` and forwards it, until it is stopped. Returns the run.
pub(super) fn keep(
    mut run: OpenRun,
    mut events: UnboundedReceiver<ToKeep>,
    forward: &UnboundedSender<(usize, Event)>,
) -> OpenRun {
    while let Some(ToKeep::Event(arrived)) = events.blocking_recv() {
        let packed = arrived.packed(run.redact());
        // The receiver is gone only if the run itself is.
        keep_cases(&mut run, vec![packed], |index, event| drop(forward.send((index, event))));
    }
    run
}

/// Keeps the cases that ended, and then forwards the events, each with the index of its case.
pub(super) fn keep_cases(run: &mut OpenRun, mut events: Vec<PackedEvent>, mut forward: impl FnMut(usize, Event)) {
    let (mut cases, mut faults) = (Vec::new(), Vec::new());
    for arrived in &mut events {
        match (&arrived.event, arrived.case.take()) {
            (Event::CaseFinished(finished), Some(Ok(case))) => cases.push((&**finished, case)),
            (_, Some(Err(panic))) => faults.push(panic),
            _ => {}
        }
    }
    if !cases.is_empty() {
        match guarded(|| run.add(cases)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => faults.push(error.to_string()),
            Err(panic) => faults.push(panic),
        }
    }
    let first = events.first().map_or(0, |arrived| arrived.index);
    for fault in faults {
        forward(first, Event::Warning(Warning { message: format!("the run is no longer kept: {fault}") }));
    }
    events.into_iter().for_each(|arrived| forward(arrived.index, arrived.event));
}
