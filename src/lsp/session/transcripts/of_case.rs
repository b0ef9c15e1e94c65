use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, RunFailure};
use crate::transcript::{Transcript, Wanted};

/// The results of runs for one case, beside the transcript in its file.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct OfCase {
    /// The last answer of a live target.
    live: Option<Live>,
    /// When a run last judged the stored transcript. An earlier live answer does not count any more.
    replayed: Option<SystemTime>,
    /// The last run without an answer, and when it was.
    failure: Option<(RunFailure, SystemTime)>,
}

/// The file of a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnDisk<'f> {
    pub(super) answer: &'f Arc<Answer>,
    /// When it was written.
    pub(super) written: Option<SystemTime>,
}

/// An answer of a live target.
#[derive(Clone, Debug)]
struct Live {
    answer: Arc<Answer>,
    since: SystemTime,
    /// The transcript as it was recorded; `None` if it is too large for the editor.
    recorded: Option<Arc<Transcript>>,
    /// The memory that it takes, in bytes; 0 if it is too large.
    memory: u64,
}

impl OfCase {
    /// Stores an answer that a live target gave at `since`, in the form that is `wanted`.
    pub(super) fn keep(&mut self, recorded: Arc<Transcript>, since: SystemTime, wanted: &Wanted) {
        let (answer, memory) = (Arc::new(viewed(&recorded, since, wanted)), memory_of(&recorded));
        self.live = Some(Live { answer, since, recorded: Some(recorded), memory });
    }

    /// Notes that a live target gave an answer at `since` that needs too much memory. People see the `reason`.
    pub(super) fn leave_out(&mut self, reason: &str, since: SystemTime) {
        let answer = Arc::new(Answer::unreadable(reason.to_owned(), since));
        self.live = Some(Live { answer, since, recorded: None, memory: 0 });
    }

    /// The memory for the live answer, in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.live.as_ref().map_or(0, |live| live.memory)
    }

    /// Whether the live answer needs too much memory.
    pub(super) fn is_left_out(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.recorded.is_none())
    }

    /// Takes the live answer of another source, in its form.
    pub(super) fn adopt(&mut self, other: &OfCase) {
        self.live = other.live.clone();
    }

    /// Stores why a run got no answer.
    pub(super) fn fail(&mut self, failure: RunFailure, at: SystemTime) {
        self.failure = Some((failure, at));
    }

    /// Notes that a run judged the stored transcript.
    pub(super) fn replay(&mut self, at: SystemTime) {
        self.replayed = Some(at);
    }

    /// Whether a live target gave an answer.
    pub(super) fn is_answered(&self) -> bool {
        self.live.is_some()
    }

    /// Whether it has no result.
    pub(super) fn is_empty(&self) -> bool {
        self.live.is_none() && self.replayed.is_none() && self.failure.is_none()
    }

    /// Whether a run judged the stored transcript, or got an answer.
    pub(super) fn is_settled(&self) -> bool {
        self.live.is_some() || self.replayed.is_some()
    }

    /// Whether the last run is known.
    pub(super) fn has_ended(&self) -> bool {
        self.is_settled() || self.failure.is_some()
    }

    /// Reads the live answer again in the form that is wanted now.
    pub(super) fn view(&mut self, wanted: &Wanted) {
        let Some(live) = &mut self.live else { return };
        let Some(recorded) = &live.recorded else { return };
        let answer = viewed(recorded, live.since, wanted);
        if answer.transcript != live.answer.transcript {
            live.answer = Arc::new(answer);
        }
    }

    /// The later of each result of this and of another source.
    #[must_use]
    pub(super) fn or_later(&self, other: &OfCase) -> OfCase {
        let later_live = |live: &&Live| other.live.as_ref().is_none_or(|other| other.since <= live.since);
        let later_failure =
            |(_, at): &&(RunFailure, SystemTime)| other.failure.as_ref().is_none_or(|(_, other)| other <= at);
        OfCase {
            live: self.live.as_ref().filter(later_live).or(other.live.as_ref()).cloned(),
            replayed: self.replayed.max(other.replayed),
            failure: self.failure.as_ref().filter(later_failure).or(other.failure.as_ref()).cloned(),
        }
    }

    /// The answer that counts instead of the one in the file; `None` if the file counts, or if there is no answer at all. An
    /// answer that is the same as `before` is `before`.
    pub(super) fn counting(&self, file: Option<OnDisk<'_>>, before: Option<&Arc<Answer>>) -> Option<Arc<Answer>> {
        let live = self.live.as_ref().filter(|live| self.counts_beside(live, file));
        let (answer, since) = match (live, file) {
            (Some(live), _) => (Some(&live.answer), Some(live.since)),
            (None, Some(file)) => (Some(file.answer), file.written.max(self.replayed)),
            (None, None) => (None, self.replayed),
        };
        let failure = self.failure.as_ref().filter(|(_, at)| since.is_none_or(|since| since < *at));
        let Some((failure, at)) = failure else { return live.map(|live| Arc::clone(&live.answer)) };
        let known = before.filter(|before| match answer {
            Some(answer) => before.is_followed_by(answer, failure),
            None => before.is_missing(failure),
        });
        if let Some(known) = known {
            return Some(Arc::clone(known));
        }
        Some(Arc::new(match answer {
            Some(answer) => answer.followed_by(failure.clone()),
            None => Answer::missing(failure, *at),
        }))
    }

    /// Forgets a live answer that the file has replaced.
    pub(super) fn forget_beside(&mut self, file: Option<OnDisk<'_>>) {
        if self.live.as_ref().is_some_and(|live| !self.counts_beside(live, file)) {
            self.live = None;
        }
    }

    /// Whether a live answer counts. A file that was written or judged later, or that has the same content, replaces it.
    fn counts_beside(&self, live: &Live, file: Option<OnDisk<'_>>) -> bool {
        file.is_none_or(|OnDisk { answer, written }| {
            let is_later = written.max(self.replayed).is_some_and(|at| at > live.since);
            !is_later && answer.transcript != live.answer.transcript
        })
    }
}

/// The memory for an answer, in bytes: as it was recorded, and in the form that is wanted.
pub(super) fn memory_of(recorded: &Transcript) -> u64 {
    2 * recorded.memory()
}

fn viewed(recorded: &Transcript, since: SystemTime, wanted: &Wanted) -> Answer {
    match recorded.clone().viewed(wanted) {
        Ok(viewed) => Answer::live(viewed, since),
        Err(fault) => Answer::unreadable(fault.to_string(), since),
    }
}
