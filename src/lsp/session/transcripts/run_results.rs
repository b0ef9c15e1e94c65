//! The results of runs for the cases of a suite, beside the transcripts in files: those of this session, and those that are kept.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::analysis::{Answer, RunFailure};
use crate::config::Config;
use crate::lsp::session::suites;
use crate::runs::{AnswerRecord, PastCase, PastRun, RunMode};
use crate::transcript::{Transcript, Wanted};
use crate::workspace::root_of_file;

use super::files::Allowance;

/// Why an answer of a run is not in memory.
pub(super) const TOO_LARGE: &str =
    "the answer is too large for the editor; `eval-ls run --answers-of latest` judges it";

/// The results of runs for cases, by their ids.
pub(crate) type Results = HashMap<String, RunResults>;

/// The results of runs for one case, beside the transcript in its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunResults {
    /// When a run last had an answer, and that of a live target; `None` if the run judged the transcript in the file.
    judged: Option<(SystemTime, Option<Arc<Answer>>)>,
    /// The last run without an answer, and when it was. It is a note beside the answer that counts.
    failure: Option<(SystemTime, RunFailure)>,
    /// Where a kept run has the answer.
    record: Option<AnswerRecord>,
}

impl RunResults {
    /// Stores an answer that a live target gave at `since`, in the form that is `wanted`. If it does not fit into the memory, people see
    /// the reason.
    pub(crate) fn keep(&mut self, recorded: Transcript, since: SystemTime, wanted: &Wanted, fits: bool) {
        let viewed =
            if fits { recorded.viewed(wanted).map_err(|fault| fault.to_string()) } else { Err(TOO_LARGE.to_owned()) };
        let answer = match viewed {
            Ok(viewed) => Answer::live(viewed, since),
            Err(reason) => Answer::unreadable(reason, since),
        };
        self.judged = Some((since, Some(Arc::new(answer))));
    }

    /// Stores why a run got no answer.
    pub(crate) fn fail(&mut self, failure: RunFailure, at: SystemTime) {
        self.failure = Some((at, failure));
    }

    /// Notes that a run judged the stored transcript.
    pub(crate) fn replay(&mut self, at: SystemTime) {
        self.judged = Some((at, None));
    }

    /// Whether the last run is known.
    pub(crate) fn has_ended(&self) -> bool {
        self.judged.is_some() || self.failure.is_some()
    }

    /// The memory for the live answer, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let transcript = self.live().and_then(|answer| answer.transcript.as_ref().ok());
        transcript.map_or(0, Transcript::memory)
    }

    fn is_left_out(&self) -> bool {
        self.live().is_some_and(|answer| answer.transcript.as_ref().is_err_and(|reason| reason == TOO_LARGE))
    }

    fn live(&self) -> Option<&Arc<Answer>> {
        self.judged.as_ref()?.1.as_ref()
    }

    /// When a run last had an answer.
    fn judged_at(&self) -> Option<SystemTime> {
        self.judged.as_ref().map(|(at, _)| *at)
    }

    /// The later of each result of this and of another source.
    #[must_use]
    pub(crate) fn or_later(&self, other: &RunResults) -> RunResults {
        let at = |failure: &Option<(SystemTime, RunFailure)>| failure.as_ref().map(|(at, _)| *at);
        let judged = if other.judged_at() > self.judged_at() { &other.judged } else { &self.judged };
        let failure = if at(&other.failure) > at(&self.failure) { &other.failure } else { &self.failure };
        RunResults { judged: judged.clone(), failure: failure.clone(), record: None }
    }

    /// The answer that counts instead of the one in the file, which was written at a time; `None` if the file counts, or if there is no
    /// answer at all.
    ///
    /// The later of the live answer and the file counts; a run that judges the file makes it later. A failure after that is a note
    /// beside the answer.
    pub(crate) fn counting(&self, file: Option<(&Arc<Answer>, Option<SystemTime>)>) -> Option<Arc<Answer>> {
        let live = self.live().filter(|_| !self.is_replaced_by(file));
        let written = file.filter(|_| live.is_none()).and_then(|(_, written)| written);
        let since = written.max(self.judged_at());
        match self.failure.as_ref().filter(|(at, _)| since.is_none_or(|since| since < *at)) {
            Some((at, failure)) => {
                let answer = live.or(file.map(|(answer, _)| answer));
                Some(Arc::new(Answer::failed(answer.map(Arc::as_ref), failure.clone(), *at)))
            }
            None => live.cloned(),
        }
    }

    /// Forgets a live answer that the file has replaced.
    pub(crate) fn forget_beside(&mut self, file: Option<(&Arc<Answer>, Option<SystemTime>)>) {
        if self.is_replaced_by(file) {
            self.judged = None;
        }
    }

    /// Whether a file that was written later than the live answer, or that has the same content, replaces it.
    fn is_replaced_by(&self, file: Option<(&Arc<Answer>, Option<SystemTime>)>) -> bool {
        let (Some(live), Some((answer, written))) = (self.live(), file) else { return false };
        written > self.judged_at() || answer.transcript == live.transcript
    }
}

/// The memory for the live answers, in bytes.
pub(crate) fn memory_of(results: &Results) -> u64 {
    results.values().map(RunResults::memory).sum()
}

/// What the kept runs of a workspace say about the cases of one suite.
#[derive(Debug, Default)]
pub(crate) struct FromRuns {
    past: Vec<Arc<PastRun>>,
    /// What the last runs say.
    pub(crate) cases: Results,
    /// The forms in which the responses were read.
    wanted: Wanted,
    /// The number of answers that are too large.
    left_out: usize,
    /// The memory that was left for them, in bytes.
    allowed: u64,
}

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
        let (wanted, allowed) = (Wanted::by(config), allowance.left);
        // The last runs come first.
        past.truncate(past.iter().take_while(|run| allowance.take(run.memory())).count());
        let is_same = wanted == known.wanted
            && (known.left_out == 0 || allowed <= known.allowed)
            && past.len() == known.past.len()
            && past.iter().zip(&known.past).all(|(one, other)| Arc::ptr_eq(one, other));
        let of_answers = memory_of(&known.cases);
        if is_same && of_answers <= allowance.left && allowance.take(of_answers) {
            allowance.left_out += known.left_out;
            return Arc::clone(known);
        }
        let left_out = allowance.left_out;
        let mut read = FromRuns { wanted, allowed, ..FromRuns::default() };
        for run in &past {
            for case in &run.cases {
                read.take(run, case, known, allowance);
            }
        }
        Arc::new(FromRuns { past, left_out: allowance.left_out - left_out, ..read })
    }

    /// Whether a case has ended in a run. `record` stores answers without a verdict.
    pub(crate) fn have_ended(&self) -> bool {
        self.past.iter().any(|run| run.run().record().mode == RunMode::Run && !run.cases.is_empty())
    }

    /// Takes the result of a case in a run, unless a later run has one.
    fn take(&mut self, run: &PastRun, case: &PastCase, known: &FromRuns, allowance: &mut Allowance) {
        let Some(at) = run.ended() else { return };
        let of = self.cases.entry(case.id.clone()).or_default();
        match &case.answer {
            Some(_) if of.judged.is_some() => {}
            Some(_) if !run.is_live() => of.replay(at),
            Some(record) => {
                let is_known = |known: &&RunResults| known.record.as_ref() == Some(record) && !known.is_left_out();
                let before = known.cases.get(&case.id).filter(|_| known.wanted == self.wanted).filter(is_known);
                if let Some(before) = before.filter(|before| before.memory() <= allowance.left) {
                    allowance.take(before.memory());
                    of.judged = before.judged.clone();
                } else {
                    let recorded = match run.run().recorded_answer(&case.id, record) {
                        Ok(recorded) => Some(recorded),
                        Err(fault) if fault.is_too_large() => None,
                        // An answer that was changed or removed does not count.
                        Err(_) => return,
                    };
                    let since = recorded.as_ref().and_then(answered).map_or(at, |answered| answered.min(at));
                    let fits = allowance.take(recorded.as_ref().map_or(u64::MAX, Transcript::memory));
                    of.keep(recorded.unwrap_or_default(), since, &self.wanted, fits);
                }
                of.record = Some(record.clone());
            }
            None if !of.has_ended() => {
                if let Some(reason) = &case.reason {
                    of.fail(RunFailure::new(reason, run.target()), at);
                }
            }
            None => {}
        }
    }
}

/// When a target answered. An answer is recorded with the second in which the target was asked.
fn answered(recorded: &Transcript) -> Option<SystemTime> {
    let took = Duration::from_millis(recorded.duration_ms.unwrap_or_default().saturating_add(1000));
    recorded.recorded()?.checked_add(took)
}
