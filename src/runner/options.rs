use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::config::{Config, HumanDuration};
use crate::events::Policy;
use crate::verdict::{Quarantine, RepeatRule};

use super::{Keeping, Since};

/// How often a case passed in a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaselineCounts {
    /// The attempts that did not fail.
    pub(crate) passed: usize,
    /// All attempts.
    pub(crate) attempts: usize,
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The number of cases that run at once.
    pub(crate) jobs: NonZeroUsize,
    /// The number of threads that judge stored answers; `None` means one for each core. The events have the order that one
    /// thread gives them.
    pub(crate) replay_jobs: Option<NonZeroUsize>,
    /// The time limit of one case, setup prompts included.
    pub(crate) timeout: HumanDuration,
    /// How often a case of a live target that gave no answer is asked again.
    pub(crate) retry_errors: usize,
    /// How often cases of a live target run, by their index in the plan; the others run once.
    pub(crate) repeats: HashMap<usize, RepeatRule>,
    /// The quarantine of cases whose rule counts for a while, by their index in the plan.
    pub(crate) quarantine: HashMap<usize, Quarantine>,
    /// How often cases passed in the baseline, by their index in the plan; those that it does not have are absent.
    pub(crate) baseline: HashMap<usize, BaselineCounts>,
    /// After how many cases that did not pass no further case of a live target is started.
    pub(crate) max_failures: Option<NonZeroUsize>,
    /// What has happened to the targets of stored answers since.
    pub(crate) since: Since,
    /// Whether to store the answers of a live target as transcripts.
    pub(crate) record: bool,
    /// Whether each `case-finished` event contains the answer.
    pub(crate) hand_over: bool,
    /// Which results make the run fail.
    pub(crate) policy: Policy,
    /// The folder of the result files. `None` means that there are none.
    pub(crate) results: Option<PathBuf>,
    /// How the run is kept. `None` means that it is not kept.
    pub(crate) kept: Option<Keeping>,
}

impl Options {
    /// The configuration's settings for runs with the target called `target`.
    pub(crate) fn new(config: &Config, target: &str) -> Self {
        Self {
            jobs: config.run.jobs,
            replay_jobs: None,
            timeout: config.targets.get(target).map_or(config.run.timeout, |target| config.timeout(target)),
            retry_errors: config.run.retry_errors,
            repeats: HashMap::new(),
            quarantine: HashMap::new(),
            baseline: HashMap::new(),
            max_failures: None,
            since: Since::default(),
            record: false,
            hand_over: false,
            policy: Policy { strict: false, stale: config.run.stale, flaky: config.run.flaky },
            results: None,
            kept: None,
        }
    }
}
