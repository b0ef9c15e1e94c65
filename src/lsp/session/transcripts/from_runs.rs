use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::Live;
use super::budget::{Allowance, MAX_ANSWER_MEMORY};
use crate::analysis::{Answer, History, PastVerdict, RunFailure};
use crate::config::Config;
use crate::lsp::session::fence;
use crate::runs::{AnswerRecord, CaseHashes, PastCase, PastRun, RunMode};
use crate::transcript::{Transcript, Wanted};
use crate::workspace::Scope;

/// What the kept runs of a workspace say about the cases of one suite.
#[derive(Debug, Default)]
pub(in crate::lsp) struct FromRuns {
    past: Vec<Arc<PastRun>>,
    /// The last verdicts of each case.
    pub(super) history: Arc<History>,
    /// The last answers and failures of live targets, by the ids of the cases.
    pub(super) live: HashMap<String, Live>,
    /// The record of each answer, to notice an answer that was read before.
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

impl FromRuns {
    /// Reads the kept runs of the suite at `path`. What is unchanged is taken from `known`, which is returned itself if
    /// nothing has changed.
    pub(super) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<FromRuns>,
        allowance: &mut Allowance,
    ) -> Arc<FromRuns> {
        let scope = Scope::of_file(path);
        let mut past = fence::runs(scope.folder(), config).past(scope.folder(), path, &known.past);
        let wanted = Wanted::by(config);
        let (before, left_out) = (allowance.left(), allowance.left_out());
        // The last runs come first.
        past.truncate(past.iter().take_while(|run| allowance.take(run.memory())).count());
        let is_same = wanted == known.wanted
            && (known.left_out == 0 || before <= known.allowed)
            && past.len() == known.past.len()
            && past.iter().zip(&known.past).all(|(one, other)| Arc::ptr_eq(one, other));
        if is_same && allowance.take(known.of_answers()) {
            return Arc::clone(known);
        }
        let mut read = FromRuns { history: Arc::new(history(&past)), wanted, ..FromRuns::default() };
        let mut failures = HashMap::new();
        for run in past.iter().filter(|run| run.is_live()) {
            for case in &run.cases {
                read.take(run, case, &mut failures, known, allowance);
            }
        }
        // No run has an answer of these cases.
        for (id, Failed { reason, at, .. }) in failures {
            let answer = Arc::new(Answer::missing(reason, at));
            read.live.insert(id, Live { answer, since: at, recorded: None });
        }
        let (memory, left_out) = (before - allowance.left(), allowance.left_out() - left_out);
        Arc::new(FromRuns { past, memory, left_out, allowed: before, ..read })
    }

    /// The memory of the answers, in bytes.
    fn of_answers(&self) -> u64 {
        self.live.values().map(Live::memory).sum()
    }

    /// Takes the answer of a case if no later run has one.
    fn take(
        &mut self,
        run: &PastRun,
        case: &PastCase,
        failures: &mut HashMap<String, Failed>,
        known: &FromRuns,
        allowance: &mut Allowance,
    ) {
        if self.live.contains_key(&case.id) {
            return;
        }
        let Some(record) = &case.answer else {
            if let (Some(reason), Some(at)) = (&case.reason, run.ended()) {
                let failed = || Failed { reason: reason.clone(), target: run.target().to_owned(), at };
                failures.entry(case.id.clone()).or_insert_with(failed);
            }
            return;
        };
        let before = known.live.get(&case.id).filter(|_| known.records.get(&case.id) == Some(record));
        let recorded = match before.and_then(|live| live.recorded.clone()) {
            Some(recorded) => recorded,
            // An answer that was changed or removed does not count.
            None => match run.run().recorded_answer(&case.id, record) {
                Ok(recorded) => Arc::new(recorded),
                Err(_) => return,
            },
        };
        let memory = Live::memory_of(&recorded);
        if memory > MAX_ANSWER_MEMORY || !allowance.take(memory) {
            let reason = "the answer of the last run is too large for the editor; `eval-ls rescore` judges it";
            let since = recorded.recorded().or(run.ended()).unwrap_or(SystemTime::UNIX_EPOCH);
            let answer = Arc::new(Answer::missing(reason.to_owned(), since));
            self.live.insert(case.id.clone(), Live { answer, since, recorded: None });
            return;
        }
        let Some(since) = recorded.recorded().or(run.ended()) else { return };
        let answer = match Transcript::clone(&recorded).viewed(&self.wanted) {
            Ok(viewed) => Answer::live(viewed, since),
            Err(fault) => Answer::missing(fault.to_string(), since),
        };
        let (answer, since) = match failures.remove(&case.id) {
            Some(Failed { reason, target, at }) => (answer.followed_by(RunFailure::new(&reason, &target)), at),
            None => (answer, since),
        };
        self.records.insert(case.id.clone(), record.clone());
        let live = Live { answer: Arc::new(answer), since, recorded: Some(recorded) };
        self.live.insert(case.id.clone(), live);
    }
}

/// A run that got no answer for a case.
struct Failed {
    reason: String,
    target: String,
    at: SystemTime,
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
