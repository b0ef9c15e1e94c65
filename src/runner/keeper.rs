//! A thread that keeps each case that ended, and only then lets its event go on.

use std::collections::{HashMap, VecDeque};

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::events::{CaseFinished, Event, Warning};
use crate::runs::{EndedCase, OpenRun};
use crate::transcript::Transcript;

use super::guard::guarded;

/// An event of a case on its way from its job.
#[derive(Debug)]
pub(super) struct CaseEvent {
    /// The index of the case in the plan.
    pub(super) index: usize,
    pub(super) event: Event,
    /// What the case left behind, if it or one of its attempts ended.
    pub(super) ended: Option<Ended>,
}

/// What a case left behind.
#[derive(Debug)]
pub(super) struct Ended {
    /// The index of its suite in the plan.
    pub(super) suite: usize,
    /// The attempt at the case that ended, with its number from 1, if it is not the case itself.
    pub(super) attempt: Option<(usize, Box<CaseFinished>)>,
    pub(super) answer: Option<Transcript>,
    /// The answer of each attempt, if the case ran several times.
    pub(super) answers: Vec<Option<Transcript>>,
    pub(super) picture: Option<Vec<u8>>,
    /// Limits how many cases run or wait for the disk.
    pub(super) _permit: Option<OwnedSemaphorePermit>,
}

/// What reaches the thread.
#[derive(Debug)]
pub(super) enum ToKeep {
    Event(Box<CaseEvent>),
    /// All jobs have ended. A target that was given up may still hold a sender, so the channel need not close.
    Stop,
}

/// What becomes of the events of cases.
pub(super) struct Keeper {
    /// The run, if it is kept.
    pub(super) run: Option<OpenRun>,
    /// The cases whose events go on one case after the other, in this order; the events of other cases go on as they arrive.
    pub(super) order: VecDeque<usize>,
    pub(super) forward: UnboundedSender<(usize, Event)>,
}

impl Keeper {
    /// Keeps what arrives and forwards it, until it is stopped. Returns the run.
    pub(super) fn keep(mut self, mut events: UnboundedReceiver<ToKeep>) -> Option<OpenRun> {
        let mut early: HashMap<usize, Vec<CaseEvent>> = HashMap::new();
        while let Some(ToKeep::Event(arrived)) = events.blocking_recv() {
            if self.order.front().is_some_and(|next| *next != arrived.index) {
                early.entry(arrived.index).or_default().push(*arrived);
                continue;
            }
            self.take(*arrived);
            while let Some(events) = self.order.front().and_then(|next| early.remove(next)) {
                events.into_iter().for_each(|event| self.take(event));
            }
        }
        // A case that broke off has left a gap.
        early.into_values().flatten().for_each(|event| self.take(event));
        self.run
    }

    fn take(&mut self, arrived: CaseEvent) {
        let CaseEvent { index, event, ended } = arrived;
        let finished = match &event {
            Event::CaseFinished(finished) => Some(finished),
            _ => ended.as_ref().and_then(|ended| Some(&ended.attempt.as_ref()?.1)),
        };
        if let (Some(run), Some(ended), Some(case)) = (&mut self.run, &ended, finished) {
            let Ended { suite, attempt, answer, answers, picture, .. } = ended;
            let attempt = attempt.as_ref().map(|(number, _)| *number);
            let (answer, picture) = (answer.as_ref(), picture.as_deref());
            let ended = EndedCase { suite: *suite, case, attempt, answer, attempts: answers, picture };
            let kept = guarded(|| run.add(&ended).map_err(|error| error.to_string()));
            if let Err(fault) | Ok(Err(fault)) = kept {
                let message = format!("the run is no longer kept: {fault}");
                let _ = self.forward.send((index, Event::Warning(Warning { message })));
            }
        }
        if matches!(event, Event::CaseFinished(_)) && self.order.front() == Some(&index) {
            self.order.pop_front();
        }
        // The receiver is gone only if the run itself is.
        let _ = self.forward.send((index, event));
    }
}
