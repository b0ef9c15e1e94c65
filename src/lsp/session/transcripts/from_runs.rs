use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::RunResults;
use super::budget::{Allowance, MAX_ANSWER_MEMORY};
use super::run_results::memory_to_keep;
use crate::analysis::{History, PastVerdict, RunFailure};
use crate::config::Config;
use crate::lsp::session::fence;
use crate::runs::{AnswerRecord, CaseHashes, PastCase, PastRun, RunMode};
use crate::transcript::Wanted;
use crate::workspace::root_of_file;

/// What the kept runs of a workspace say about the cases of one suite.
#[derive(Debug, Default)]
pub(in crate::lsp) struct FromRuns {
    past: Vec<Arc<PastRun>>,
    /// The last verdicts of each case.
    pub(super) history: Arc<History>,
    /// What the last runs say, by the ids of the cases.
    pub(super) cases: HashMap<String, RunResults>,
    /// The record of each live answer, to notice an answer that was read before.
    records: HashMap<String, AnswerRecord>,
    /// The forms in which the responses were read.
    wanted: Wanted,
    /// The memory that all this takes, in bytes.
    pub(super) memory: u64,
    /// The number of runs and answers that are too large.
    pub(super) left_out: usize,
    /// The memory that was left for them, in bytes.
    allowed: u64,
}

/// Why an answer of a kept run is not in memory.
const TOO_LARGE: &str =
    "the answer of the last run is too large for the editor; `eval-ls run --answers-of latest` judges it";

impl FromRuns {
    /// Reads the kept runs of the suite at `path`. What is unchanged is taken from `known`, which is returned itself if nothing has
    /// changed.
    pub(super) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<FromRuns>,
        allowance: &mut Allowance,
    ) -> Arc<FromRuns> {
        let root = root_of_file(path);
        let mut past = fence::runs(&root, config).past(&root, path, &known.past);
        let wanted = Wanted::by(config);
        let (before, left_out) = (allowance.left(), allowance.left_out());
        // The last runs come first.
        past.truncate(past.iter().take_while(|run| allowance.take(run.memory())).count());
        let is_same = wanted == known.wanted
            && (known.left_out == 0 || before <= known.allowed)
            && past.len() == known.past.len()
            && past.iter().zip(&known.past).all(|(one, other)| Arc::ptr_eq(one, other));
        if is_same && known.of_answers() <= allowance.left() && allowance.take(known.of_answers()) {
            return Arc::clone(known);
        }
        let history = Arc::new(history(&past));
        let mut read = FromRuns { history, wanted, ..FromRuns::default() };
        for run in &past {
            for case in &run.cases {
                read.take(run, case, known, allowance);
            }
        }
        let (memory, left_out) = (before - allowance.left(), allowance.left_out() - left_out);
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
            Some(record) if run.is_live() && !of.is_judged() => {
                let before = known.cases.get(id).filter(|_| known.records.get(id) == Some(record));
                match before.filter(|before| known.wanted == self.wanted && !before.is_left_out()) {
                    Some(before) if before.memory() <= allowance.left() => {
                        allowance.take(before.memory());
                        of.adopt(before);
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
            Some(_) if !run.is_live() && !of.is_judged() => of.replay(at),
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
