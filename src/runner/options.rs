use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::config::{Config, HumanDuration};

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The number of cases that run at once.
    pub(crate) jobs: NonZeroUsize,
    /// The time limit of one case, setup prompts included.
    pub(crate) timeout: HumanDuration,
    /// How often a case of a live target that gave no answer is asked again.
    pub(crate) retry_errors: usize,
    /// Whether to store the answers of a live target as transcripts.
    pub(crate) record: bool,
    /// Whether each `case-finished` event contains the answer.
    pub(crate) hand_over: bool,
    /// The folder of the results, relative to the suite's folder. A run of a live target has its journal there. `None`
    /// means that the run writes nothing.
    pub(crate) results: Option<PathBuf>,
}

impl Options {
    /// The configuration's settings for runs with the target called `target`.
    pub(crate) fn new(config: &Config, target: &str) -> Self {
        Self {
            jobs: config.run.jobs,
            timeout: config.targets.get(target).map_or(config.run.timeout, |target| config.timeout(target)),
            retry_errors: config.run.retry_errors,
            record: false,
            hand_over: false,
            results: Some(PathBuf::from(&config.run.results)),
        }
    }
}
