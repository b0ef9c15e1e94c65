use std::collections::HashMap;
use std::sync::Arc;

use super::Answer;
use crate::config::Config;
use crate::transcript::{file_name, is_of_case};

/// What the cases of a suite were answered last, and what the workspace says of hints and sources: all that a verdict
/// needs beside the suite.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    config: Arc<Config>,
    /// By the name of the file.
    kept: Arc<HashMap<String, Arc<Answer>>>,
    /// By the case's id.
    live: HashMap<String, Arc<Answer>>,
}

impl Answers {
    /// The answers that are kept in files, by the files' names, and those in memory, by the cases' ids. Where a case has
    /// both, the one in memory counts.
    pub fn new(
        config: Arc<Config>,
        kept: Arc<HashMap<String, Arc<Answer>>>,
        live: HashMap<String, Arc<Answer>>,
    ) -> Answers {
        Answers { config, kept, live }
    }

    /// What the workspace says.
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// The answer that counts for the case with that id.
    pub fn of(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live(id).or_else(|| self.kept(id))
    }

    /// The answer in memory.
    pub fn live(&self, id: &str) -> Option<&Arc<Answer>> {
        self.live.get(id)
    }

    /// The answer that is kept in a file.
    pub fn kept(&self, id: &str) -> Option<&Arc<Answer>> {
        if self.kept.is_empty() {
            return None;
        }
        let is_of_case = |answer: &&Arc<Answer>| answer.transcript.as_ref().map_or(true, |kept| is_of_case(kept, id));
        self.kept.get(&file_name(id)).filter(is_of_case)
    }

    /// The same without those in memory.
    #[must_use]
    pub fn only_kept(&self) -> Answers {
        Answers { live: HashMap::new(), ..self.clone() }
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Answer>> {
        self.live.values().chain(self.kept.values())
    }
}
