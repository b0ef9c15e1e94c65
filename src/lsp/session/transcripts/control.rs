use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::budget::{Allowance, MAX_ANSWER_MEMORY};
use super::run_results::memory_to_keep;
use crate::analysis::ControlRun;
use crate::config::Config;
use crate::lsp::client::log::log;
use crate::lsp::session::fence;
use crate::runs::{KeptRun, RunError, RunState};
use crate::transcript::{Transcript, Wanted};
use crate::workspace::root_of_file;

/// The answers of the run that `control` under `[challenge]` names to the cases of one suite.
#[derive(Debug, Default)]
pub(in crate::lsp) struct FromControl {
    /// What was read: the run, how much of it, and in which forms.
    read: Option<(String, (u64, SystemTime), Wanted)>,
    pub(super) run: Arc<ControlRun>,
    /// The memory that the answers take, in bytes.
    pub(super) memory: u64,
    /// The number of answers that are too large.
    pub(super) left_out: usize,
}

impl FromControl {
    /// Reads the answers to the cases of the suite at `path`. What is unchanged is taken from `known`, which is returned itself if nothing has
    /// changed.
    pub(super) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<FromControl>,
        allowance: &mut Allowance,
    ) -> Arc<FromControl> {
        let root = root_of_file(path);
        let named = config.challenge.control.as_ref();
        let Some(found) = named.map(|name| fence::runs(&root, config).find_kept(name)) else {
            return if known.read.is_none() { Arc::clone(known) } else { Arc::default() };
        };
        let run = match found {
            // What a run has so far says little about it.
            Ok(run) if run.state() != RunState::Running => run,
            Ok(_) => return Arc::clone(known),
            Err(fault) => {
                log(&format!("no control is used: {fault}"));
                return Arc::default();
            }
        };
        let read = run.stamp().map(|stamp| (run.id().as_str().to_owned(), stamp, Wanted::by(config)));
        if read.is_some() && read == known.read && allowance.take(known.memory) {
            return Arc::clone(known);
        }
        let mut found = FromControl::default();
        match found.take(&run, &root, path, config, allowance) {
            Ok(()) => Arc::new(FromControl { read, ..found }),
            Err(fault) => {
                log(&format!("no control is used: {fault}"));
                Arc::default()
            }
        }
    }

    fn take(
        &mut self,
        run: &KeptRun,
        root: &Path,
        path: &Path,
        config: &Config,
        allowance: &mut Allowance,
    ) -> Result<(), RunError> {
        let wanted = Wanted::by(config);
        let mut answers: HashMap<String, Vec<Transcript>> = HashMap::new();
        // A case of which an answer is left out is not compared.
        let mut partial: HashSet<String> = HashSet::new();
        for answer in run.answers_to(root, path)? {
            let (case, answer) = answer?;
            let memory = memory_to_keep(&answer);
            match answer.viewed(&wanted) {
                Ok(answer) if memory <= MAX_ANSWER_MEMORY && allowance.take(memory) => {
                    self.memory += memory;
                    answers.entry(case).or_default().push(answer);
                }
                _ => {
                    self.left_out += 1;
                    partial.insert(case);
                }
            }
        }
        answers.retain(|case, _| !partial.contains(case));
        self.run = Arc::new(answers.into_iter().map(|(case, answers)| (case, answers.into())).collect());
        Ok(())
    }
}
