use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::analysis::{Answer, History, PastVerdict, RunFailure};
use crate::config::Config;
use crate::lsp::session::suites;
use crate::runs::{AnswerRecord, CaseHashes, PastCase, PastRun, RunMode};
use crate::transcript::{Transcript, Wanted};
use crate::workspace::root_of_file;

use super::files::{Allowance, MAX_ANSWER_MEMORY};

/// The results of runs for one case, beside the transcript in its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunResults {
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
pub(crate) struct FileAnswer<'f> {
    pub(crate) answer: &'f Arc<Answer>,
    /// When it was written.
    pub(crate) written: Option<SystemTime>,
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
    pub(crate) fn keep(&mut self, recorded: Arc<Transcript>, since: SystemTime, wanted: &Wanted) {
        let (answer, memory) = (Arc::new(viewed(&recorded, since, wanted)), memory_to_keep(&recorded));
        self.judged = Some((Judged::Live(Live { answer, recorded: Some(recorded), memory }), since));
    }

    /// Notes that a live target gave an answer at `since` that needs too much memory. People see the `reason`.
    pub(crate) fn leave_out(&mut self, reason: &str, since: SystemTime) {
        let answer = Arc::new(Answer::unreadable(reason.to_owned(), since));
        self.judged = Some((Judged::Live(Live { answer, recorded: None, memory: 0 }), since));
    }

    /// The memory for the live answer, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.live().map_or(0, |(live, _)| live.memory)
    }

    /// Whether the live answer needs too much memory.
    pub(crate) fn is_left_out(&self) -> bool {
        self.live().is_some_and(|(live, _)| live.recorded.is_none())
    }

    /// Stores why a run got no answer.
    pub(crate) fn fail(&mut self, failure: RunFailure, at: SystemTime) {
        self.failure = Some((failure, at));
    }

    /// Notes that a run judged the stored transcript.
    pub(crate) fn replay(&mut self, at: SystemTime) {
        self.judged = Some((Judged::Stored, at));
    }

    /// Whether the last run is known.
    pub(crate) fn has_ended(&self) -> bool {
        self.judged.is_some() || self.failure.is_some()
    }

    /// The live answer, and when it was given.
    fn live(&self) -> Option<(&Live, SystemTime)> {
        match &self.judged {
            Some((Judged::Live(live), at)) => Some((live, *at)),
            Some((Judged::Stored, _)) | None => None,
        }
    }

    /// Reads the live answer again in the form that is wanted now.
    pub(crate) fn view(&mut self, wanted: &Wanted) {
        let Some((Judged::Live(live), since)) = &mut self.judged else { return };
        let Some(recorded) = &live.recorded else { return };
        let answer = viewed(recorded, *since, wanted);
        if answer.transcript != live.answer.transcript {
            live.answer = Arc::new(answer);
        }
    }

    /// The later of each result of this and of another source.
    #[must_use]
    pub(crate) fn or_later(&self, other: &RunResults) -> RunResults {
        RunResults { judged: later(&self.judged, &other.judged), failure: later(&self.failure, &other.failure) }
    }

    /// The answer that counts instead of the one in the file; `None` if the file counts, or if there is no answer at all.
    ///
    /// The later of the live answer and the file counts; a run that judges the file makes it later. A failure after that is a note
    /// beside the answer. A result that is the same as `before` is `before`.
    pub(crate) fn counting(&self, file: Option<FileAnswer<'_>>, before: Option<&Arc<Answer>>) -> Option<Arc<Answer>> {
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
    pub(crate) fn forget_beside(&mut self, file: Option<FileAnswer<'_>>) {
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
pub(crate) fn memory_to_keep(recorded: &Transcript) -> u64 {
    2 * recorded.memory()
}

fn viewed(recorded: &Transcript, since: SystemTime, wanted: &Wanted) -> Answer {
    match recorded.clone().viewed(wanted) {
        Ok(viewed) => Answer::live(viewed, since),
        Err(fault) => Answer::unreadable(fault.to_string(), since),
    }
}

/// What the kept runs of a workspace say about the cases of one suite.
#[derive(Debug, Default)]
pub(crate) struct FromRuns {
    past: Vec<Arc<PastRun>>,
    /// The last verdicts of each case.
    pub(crate) history: Arc<History>,
    /// What the last runs say, by the ids of the cases.
    pub(crate) cases: HashMap<String, RunResults>,
    /// The record of each live answer, to notice an answer that was read before.
    records: HashMap<String, AnswerRecord>,
    /// The forms in which the responses were read.
    wanted: Wanted,
    /// The memory that all this takes, in bytes.
    pub(crate) memory: u64,
    /// The number of runs and answers that are too large.
    pub(crate) left_out: usize,
    /// The memory that was left for them, in bytes.
    allowed: u64,
}

/// Why an answer of a kept run is not in memory.
const TOO_LARGE: &str =
    "the answer of the last run is too large for the editor; `eval-ls run --answers-of latest` judges it";

impl FromRuns {
    /// Reads the kept runs of the suite at `path`. What is unchanged is taken from `known`, which is returned itself if nothing has
    /// changed.
    pub(crate) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<FromRuns>,
        allowance: &mut Allowance,
    ) -> Arc<FromRuns> {
        let root = root_of_file(path);
        let mut past = suites::kept_runs(&root, config).past(&root, path, &known.past);
        let wanted = Wanted::by(config);
        let (before, left_out) = (allowance.left, allowance.left_out);
        // The last runs come first.
        past.truncate(past.iter().take_while(|run| allowance.take(run.memory())).count());
        let is_same = wanted == known.wanted
            && (known.left_out == 0 || before <= known.allowed)
            && past.len() == known.past.len()
            && past.iter().zip(&known.past).all(|(one, other)| Arc::ptr_eq(one, other));
        if is_same && known.of_answers() <= allowance.left && allowance.take(known.of_answers()) {
            return Arc::clone(known);
        }
        let history = Arc::new(history(&past));
        let mut read = FromRuns { history, wanted, ..FromRuns::default() };
        for run in &past {
            for case in &run.cases {
                read.take(run, case, known, allowance);
            }
        }
        let (memory, left_out) = (before - allowance.left, allowance.left_out - left_out);
        Arc::new(FromRuns { past, memory, left_out, allowed: before, ..read })
    }

    /// The memory of the answers, in bytes.
    fn of_answers(&self) -> u64 {
        self.cases.values().map(RunResults::memory).sum()
    }

    /// Takes the result of a case in a run, unless a later run has one.
    fn take(&mut self, run: &PastRun, case: &PastCase, known: &FromRuns, allowance: &mut Allowance) {
        let Some(at) = run.ended() else { return };
        let id = case.id.as_str();
        let of = self.cases.entry(id.to_owned()).or_default();
        match &case.answer {
            Some(record) if run.is_live() && of.judged.is_none() => {
                let before = known.cases.get(id).filter(|_| known.records.get(id) == Some(record));
                match before.filter(|before| known.wanted == self.wanted && !before.is_left_out()) {
                    Some(before) if before.memory() <= allowance.left => {
                        allowance.take(before.memory());
                        of.judged = before.judged.clone();
                    }
                    Some(_) => {
                        allowance.leave_out();
                        return of.leave_out(TOO_LARGE, at);
                    }
                    // An answer that was changed or removed does not count.
                    None => match run.run().recorded_answer(&case.id, record) {
                        Ok(recorded) => {
                            // An answer is recorded with the second in which the target was asked.
                            let took =
                                Duration::from_millis(recorded.duration_ms.unwrap_or_default().saturating_add(1000));
                            let answered = recorded.recorded().and_then(|asked| asked.checked_add(took));
                            let since = answered.map_or(at, |answered| answered.min(at));
                            let memory = memory_to_keep(&recorded);
                            if memory > MAX_ANSWER_MEMORY {
                                allowance.leave_out();
                                return of.leave_out(TOO_LARGE, since);
                            }
                            if !allowance.take(memory) {
                                return of.leave_out(TOO_LARGE, since);
                            }
                            of.keep(Arc::new(recorded), since, &self.wanted);
                        }
                        Err(fault) if fault.is_too_large() => {
                            allowance.leave_out();
                            return of.leave_out(TOO_LARGE, at);
                        }
                        Err(_) => return,
                    },
                }
                self.records.insert(id.to_owned(), record.clone());
            }
            Some(_) if !run.is_live() && of.judged.is_none() => of.replay(at),
            None if !of.has_ended() => {
                if let Some(reason) = &case.reason {
                    of.fail(RunFailure::new(reason, run.target()), at);
                }
            }
            _ => {}
        }
    }
}

fn history(past: &[Arc<PastRun>]) -> History {
    let mut history = History::default();
    // `record` stores answers without a verdict.
    for run in past.iter().filter(|run| run.run().record().mode == RunMode::Run) {
        for case in &run.cases {
            let PastCase { status, reason, hashes, .. } = case;
            history.0.entry(case.id.clone()).or_default().push(PastVerdict {
                status: *status,
                target: run.target().to_owned(),
                at: run.started(),
                reason: reason.clone(),
                question: hashes.as_ref().map(CaseHashes::question),
            });
        }
    }
    history
}
