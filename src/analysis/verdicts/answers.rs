use std::collections::HashMap;
use std::sync::Arc;

use super::{Answer, Baselines, History};
use crate::challenge::{OwnAnswer, Sample};
use crate::config::Config;
use crate::filed::Stray;
use crate::transcript::{Transcript, file_name};

/// Answers that a case must pass or must fail, by the id of the case.
pub(crate) type Samples = HashMap<String, Arc<[Sample]>>;

/// The answers of the run that `control` under `[challenge]` names, by the id of the case.
pub(crate) type ControlRun = HashMap<String, Arc<[Transcript]>>;

/// The last answers of a suite's cases, and the workspace's hints and sources. With the suite, this is all that a
/// verdict needs.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    config: Arc<Config>,
    /// By the file's name.
    kept: Arc<HashMap<String, Arc<Answer>>>,
    /// By the case's id.
    live: HashMap<String, Arc<Answer>>,
    /// The answers that ought to fail in every case.
    own: Arc<[OwnAnswer]>,
    /// The samples of the cases.
    samples: Arc<Samples>,
    /// What is stored for cases and suites that do not exist.
    strays: Arc<[Stray]>,
    /// The answers of the control.
    control: Arc<ControlRun>,
    /// How the cases ended in kept runs.
    history: Arc<History>,
    /// How the cases did in the accepted baselines.
    baselines: Arc<Baselines>,
}

impl Answers {
    /// Creates the answers from those in files, by the names of the files, and those in memory, by the ids of the
    /// cases. If a case has both, the one in memory counts.
    pub fn new(
        config: Arc<Config>,
        kept: Arc<HashMap<String, Arc<Answer>>>,
        live: HashMap<String, Arc<Answer>>,
    ) -> Answers {
        Answers { config, kept, live, ..Answers::default() }
    }

    /// The same with the answers that `[challenge]` lists.
    #[must_use]
    pub(crate) fn with_own(self, own: Arc<[OwnAnswer]>) -> Answers {
        Answers { own, ..self }
    }

    /// The same with the samples of the cases.
    #[must_use]
    pub(crate) fn with_samples(self, samples: Arc<Samples>) -> Answers {
        Answers { samples, ..self }
    }

    /// The same with what is stored for cases and suites that do not exist.
    #[must_use]
    pub(crate) fn with_strays(self, strays: Arc<[Stray]>) -> Answers {
        Answers { strays, ..self }
    }

    /// What is stored for cases and suites that do not exist.
    pub(crate) fn strays(&self) -> &Arc<[Stray]> {
        &self.strays
    }

    /// The same with the answers of the control.
    #[must_use]
    pub(crate) fn with_control(self, control: Arc<ControlRun>) -> Answers {
        Answers { control, ..self }
    }

    /// The answers of the control.
    pub(crate) fn control(&self) -> &Arc<ControlRun> {
        &self.control
    }

    /// The samples of the cases.
    pub(crate) fn samples(&self) -> &Arc<Samples> {
        &self.samples
    }

    /// The same with how the cases ended in kept runs.
    #[must_use]
    pub(crate) fn with_history(self, history: Arc<History>) -> Answers {
        Answers { history, ..self }
    }

    /// The same with the accepted baselines of the suite.
    #[must_use]
    pub(crate) fn with_baselines(self, baselines: Arc<Baselines>) -> Answers {
        Answers { baselines, ..self }
    }

    /// The accepted baselines of the suite.
    pub(crate) fn baselines(&self) -> &Arc<Baselines> {
        &self.baselines
    }

    /// How the cases ended in kept runs.
    pub(crate) fn history(&self) -> &Arc<History> {
        &self.history
    }

    /// The answers that `[challenge]` lists: they ought to fail in every case.
    pub(crate) fn own(&self) -> &Arc<[OwnAnswer]> {
        &self.own
    }

    /// Returns the hints and sources of the workspace.
    pub(crate) fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// Returns the answer that counts for the case with that id.
    pub(crate) fn of(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live(id).or_else(|| self.kept(id))
    }

    /// Returns the answer in memory.
    pub(crate) fn live(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live.get(id)
    }

    /// Whether the answer in memory is also the one in the file, apart from when it was given.
    pub(crate) fn is_stored(&self, id: &str) -> bool {
        let (Some(live), Some(kept)) = (self.live(id), self.kept(id)) else { return false };
        matches!((&live.transcript, &kept.transcript), (Ok(live), Ok(kept)) if live.has_same_content(kept))
    }

    /// Returns the answer in a file.
    pub(crate) fn kept(&self, id: &str) -> Option<&Arc<Answer>> {
        if self.kept.is_empty() {
            return None;
        }
        let is_of_case = |answer: &&Arc<Answer>| answer.transcript.as_ref().map_or(true, |kept| kept.case == id);
        self.kept.get(&file_name(id)).filter(is_of_case)
    }

    /// Returns the same answers without those in memory.
    #[must_use]
    pub(crate) fn only_kept(&self) -> Answers {
        Answers { live: HashMap::new(), ..self.clone() }
    }

    /// Returns all answers in arbitrary order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Answer>> {
        self.live.values().chain(self.kept.values())
    }
}
