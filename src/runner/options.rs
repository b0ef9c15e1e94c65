use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::config::{Config, HumanDuration};

/// How a run is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many cases run at a time.
    pub jobs: NonZeroUsize,
    /// How long one case may take, setup prompts included.
    pub timeout: HumanDuration,
    /// Whether transcripts of a live target are kept. Replayed ones never are: they are kept already.
    pub record: bool,
    /// Whether each answer is told with the event that its case has finished.
    pub hand_over: bool,
    /// The folder of the results, relative to the suite's folder; a run of a live target keeps its journal there. `None`
    /// where nothing is to be written.
    pub results: Option<PathBuf>,
}

impl Options {
    /// What the configuration says of runs with the target called `target`.
    pub fn new(config: &Config, target: &str) -> Self {
        Self {
            jobs: config.run.jobs,
            timeout: config.targets.get(target).map_or(config.run.timeout, |target| config.timeout(target)),
            record: false,
            hand_over: false,
            results: Some(PathBuf::from(&config.run.results)),
        }
    }
}
