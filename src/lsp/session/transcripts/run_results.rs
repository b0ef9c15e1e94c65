use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, RunFailure};
use crate::transcript::{Transcript, Wanted};

/// The results of runs for one case, beside the transcript in its file.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct RunResults {
    /// What the last run with an answer judged, and when it had the answer.
    judged: Option<(Judged, SystemTime)>,
    /// The last run without an answer, and when it was. It is a note beside the answer that counts.
    failure: Option<(RunFailure, SystemTime)>,
}

/// What a run judged.
#[derive(Clone, Debug)]
enum Judged {
    /// The transcript in the file.
    Stored,
    Live(Live),
}

/// The file of a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileAnswer<'f> {
    pub(super) answer: &'f Arc<Answer>,
    /// When it was written.
    pub(super) written: Option<SystemTime>,
}

/// An answer of a live target.
#[derive(Clone, Debug)]
struct Live {
    answer: Arc<Answer>,
    /// The transcript as it was recorded; `None` if it is too large for the editor.
    recorded: Option<Arc<Transcript>>,
    /// The memory that it takes, in bytes; 0 if it is too large.
    memory: u64,
}

impl RunResults {
    /// Stores an answer that a live target gave at `since`, in the form that is `wanted`.
    pub(super) fn keep(&mut self, recorded: Arc<Transcript>, since: SystemTime, wanted: &Wanted) {
        let (answer, memory) = (Arc::new(viewed(&recorded, since, wanted)), memory_to_keep(&recorded));
        self.judged = Some((Judged::Live(Live { answer, recorded: Some(recorded), memory }), since));
    }

    /// Notes that a live target gave an answer at `since` that needs too much memory. People see the `reason`.
    pub(super) fn leave_out(&mut self, reason: &str, since: SystemTime) {
        let answer = Arc::new(Answer::unreadable(reason.to_owned(), since));
        self.judged = Some((Judged::Live(Live { answer, recorded: None, memory: 0 }), since));
    }

    /// The memory for the live answer, in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.live().map_or(0, |(live, _)| live.memory)
    }

    /// Whether the live answer needs too much memory.
    pub(super) fn is_left_out(&self) -> bool {
        self.live().is_some_and(|(live, _)| live.recorded.is_none())
    }

    /// Takes what another source states that a run judged.
    pub(super) fn adopt(&mut self, other: &RunResults) {
        self.judged = other.judged.clone();
    }

    /// Stores why a run got no answer.
    pub(super) fn fail(&mut self, failure: RunFailure, at: SystemTime) {
        self.failure = Some((failure, at));
    }

    /// Notes that a run judged the stored transcript.
    pub(super) fn replay(&mut self, at: SystemTime) {
        self.judged = Some((Judged::Stored, at));
    }

    /// Whether it has no result.
    pub(super) fn is_empty(&self) -> bool {
        !self.has_ended()
    }

    /// Whether a run judged an answer.
    pub(super) fn is_judged(&self) -> bool {
        self.judged.is_some()
    }

    /// Whether the last run is known.
    pub(super) fn has_ended(&self) -> bool {
        self.is_judged() || self.failure.is_some()
    }

    /// The live answer, and when it was given.
    fn live(&self) -> Option<(&Live, SystemTime)> {
        match &self.judged {
            Some((Judged::Live(live), at)) => Some((live, *at)),
            Some((Judged::Stored, _)) | None => None,
        }
    }

    /// Reads the live answer again in the form that is wanted now.
    pub(super) fn view(&mut self, wanted: &Wanted) {
        let Some((Judged::Live(live), since)) = &mut self.judged else { return };
        let Some(recorded) = &live.recorded else { return };
        let answer = viewed(recorded, *since, wanted);
        if answer.transcript != live.answer.transcript {
            live.answer = Arc::new(answer);
        }
    }

    /// The later of each result of this and of another source.
    #[must_use]
    pub(super) fn or_later(&self, other: &RunResults) -> RunResults {
        RunResults { judged: later(&self.judged, &other.judged), failure: later(&self.failure, &other.failure) }
    }

    /// The answer that counts instead of the one in the file; `None` if the file counts, or if there is no answer at all.
    ///
    /// The later of the live answer and the file counts; a run that judges the file makes it later. A failure after that is a note
    /// beside the answer. A result that is the same as `before` is `before`.
    pub(super) fn counting(&self, file: Option<FileAnswer<'_>>, before: Option<&Arc<Answer>>) -> Option<Arc<Answer>> {
        let live = self.live().filter(|live| counts_beside(*live, file)).map(|(live, _)| &live.answer);
        let answer = live.or(file.map(|file| file.answer));
        let since = match live {
            Some(_) => self.judged_at(),
            None => file.and_then(|file| file.written).max(self.judged_at()),
        };
        match self.failure.as_ref().filter(|(_, at)| since.is_none_or(|since| since < *at)) {
            Some((failure, at)) => Some(with_failure(answer, failure, *at, before)),
            None => live.map(Arc::clone),
        }
    }

    /// When a run last had an answer.
    fn judged_at(&self) -> Option<SystemTime> {
        self.judged.as_ref().map(|(_, at)| *at)
    }

    /// Forgets a live answer that the file has replaced.
    pub(super) fn forget_beside(&mut self, file: Option<FileAnswer<'_>>) {
        if self.live().is_some_and(|live| !counts_beside(live, file)) {
            self.judged = None;
        }
    }
}

/// An answer with a failure after it, or the failure alone. The same as `before` is `before`.
fn with_failure(
    answer: Option<&Arc<Answer>>,
    failure: &RunFailure,
    at: SystemTime,
    before: Option<&Arc<Answer>>,
) -> Arc<Answer> {
    let is_same = |before: &&Arc<Answer>| match answer {
        Some(answer) => before.is_followed_by(answer, failure),
        None => before.is_missing(failure),
    };
    before.filter(is_same).map(Arc::clone).unwrap_or_else(|| {
        Arc::new(match answer {
            Some(answer) => answer.followed_by(failure.clone()),
            None => Answer::missing(failure, at),
        })
    })
}

/// Whether a live answer counts. A file that was written later, or that has the same content, replaces it.
fn counts_beside((live, since): (&Live, SystemTime), file: Option<FileAnswer<'_>>) -> bool {
    file.is_none_or(|FileAnswer { answer, written }| {
        written.is_none_or(|at| at <= since) && answer.transcript != live.answer.transcript
    })
}

/// The later of two results; the first if they are equally late.
fn later<T: Clone>(one: &Option<(T, SystemTime)>, other: &Option<(T, SystemTime)>) -> Option<(T, SystemTime)> {
    let at = |result: &Option<(T, SystemTime)>| result.as_ref().map(|(_, at)| *at);
    if at(other) > at(one) { other.clone() } else { one.clone() }
}

/// The memory for an answer, in bytes: as it was recorded, and in the form that is wanted.
pub(super) fn memory_to_keep(recorded: &Transcript) -> u64 {
    2 * recorded.memory()
}

fn viewed(recorded: &Transcript, since: SystemTime, wanted: &Wanted) -> Answer {
    match recorded.clone().viewed(wanted) {
        Ok(viewed) => Answer::live(viewed, since),
        Err(fault) => Answer::unreadable(fault.to_string(), since),
    }
}
