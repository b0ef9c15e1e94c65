use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::ExitStatus;
use crate::cli::args::RunArgs;
use crate::cli::run::target::choose;
use crate::config::{Config, TargetConfig};
use crate::events::Grade;
use crate::report::Collected;
use crate::runner::SuiteInput;
use crate::runs::{CaseHashes, hash_of};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, absolute};

use super::files::target_files;
use super::started::Started;
use crate::files;

/// A case: the absolute path of its suite, and its id.
type Name = (PathBuf, String);

/// How the cases ended, from round to round.
#[derive(Debug, Default)]
pub(super) struct Session {
    ended: HashMap<Name, Ended>,
    /// The status of the last attempt to read the suites and the configuration.
    fault: Option<ExitStatus>,
    /// The targets that may start.
    pub(super) started: Started,
}

#[derive(Debug)]
struct Ended {
    /// The hash of what decided the result.
    hash: String,
    grade: Grade,
}

/// Which cases of those that the command line selects a round runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those that failed, or were not judged.
    Failed,
    /// Those that have not ended since what decides their result changed.
    Changed,
}

/// The choice of the cases of a round.
pub(super) struct Picking<'a> {
    session: &'a Session,
    args: &'a RunArgs,
    which: Which,
    /// By workspace: the hash of what decides the results of all its cases, and whether transcripts do.
    targets: HashMap<PathBuf, (String, bool)>,
    picked: HashMap<Name, String>,
}

impl Which {
    /// Why a round has no case.
    pub(super) fn nothing(self) -> &'static str {
        match self {
            Which::All => "there is no case to run",
            Which::Failed => "no case failed",
            Which::Changed => "no case is affected",
        }
    }
}

impl Session {
    /// Starts the choice of the cases of a round.
    pub(super) fn picking<'a>(&'a self, args: &'a RunArgs, which: Which) -> Picking<'a> {
        Picking { session: self, args, which, targets: HashMap::new(), picked: HashMap::new() }
    }

    /// Takes the results of a round. `picked` are its cases with the hash of what decides each.
    pub(super) fn take(&mut self, mut picked: HashMap<Name, String>, run: &Collected) {
        for case in run.cases() {
            let name = (absolute(Path::new(&case.case.suite)), case.case.case.clone());
            let Some(hash) = picked.remove(&name).filter(|_| !case.cancelled) else { continue };
            self.ended.insert(name, Ended { hash, grade: run.policy().grade(&case.result) });
        }
    }

    /// Keeps the status of the last attempt to read the suites and the configuration.
    pub(super) fn fault(&mut self, status: ExitStatus) {
        self.fault = Some(status).filter(|status| !matches!(status, ExitStatus::Passed | ExitStatus::NothingSelected));
    }

    /// Forgets the cases of files that do not exist any more.
    pub(super) fn forget_lost(&mut self) {
        self.ended.retain(|(suite, _), _| suite.is_file());
    }

    /// The numbers of the cases that failed or were not judged, and of all that ended.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.ended.values().filter(|ended| ended.grade != Grade::Passed).count(), self.ended.len())
    }

    /// The exit status of the cases as they last ended.
    pub(super) fn status(&self) -> ExitStatus {
        let grades = self.ended.values().map(|ended| match ended.grade {
            Grade::Passed => ExitStatus::Passed,
            Grade::NotJudged => ExitStatus::NotJudged,
            Grade::Failed => ExitStatus::Failed,
        });
        grades.chain(self.fault).max().unwrap_or(ExitStatus::Passed)
    }
}

impl Picking<'_> {
    /// Whether the round runs a case.
    pub(super) fn picks(&mut self, suite: &SuiteInput, index: usize, loaded: &LoadedConfig) -> bool {
        let case = &suite.suite.cases[index];
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        let name = (absolute(&suite.path), id.to_owned());
        let (target, is_replay) = self.targets.entry(loaded.root.clone()).or_insert_with(|| target(self.args, loaded));
        let span = case.span();
        let text = suite.text.as_str().get(span.start..span.end).unwrap_or_default();
        let hashes = CaseHashes::of(&case.case, text, &loaded.config);
        let transcript = is_replay.then(|| content(&Store::new(&suite.path, &loaded.config).path(id)));
        let hash =
            hash_of(&format!("{target} {hashes:?} {transcript:?} {:?}", loaded.config.policy_of(id, category(case))));
        let ended = self.session.ended.get(&name);
        let is_picked = match self.which {
            Which::All => true,
            Which::Failed => ended.is_some_and(|ended| ended.grade != Grade::Passed),
            Which::Changed => ended.is_none_or(|ended| ended.hash != hash),
        };
        if is_picked {
            self.picked.insert(name, hash);
        }
        is_picked
    }

    /// The cases that were picked, each with the hash of what decides its result.
    pub(super) fn finish(self) -> HashMap<Name, String> {
        self.picked
    }
}

fn category(case: &crate::suite::PlacedCase) -> &str {
    case.case.category.as_ref().map_or("general", |category| &category.value)
}

/// The hash of what decides the results of all cases of a workspace, and whether transcripts do.
fn target(args: &RunArgs, loaded: &LoadedConfig) -> (String, bool) {
    let Ok(chosen) = choose(args, args.target.as_deref(), Arc::clone(&loaded.config)) else {
        return (String::new(), false);
    };
    let config: &Config = &chosen.config;
    let table = config.targets.get(&chosen.name);
    let files = target_files(args, config, &chosen.name, &loaded.root);
    let files: Vec<_> = files.iter().map(|path| content(path)).collect();
    let of_run = (config.run.stale, config.run.flaky, config.run.retry_errors, config.quarantine.len());
    let hash = hash_of(&format!("{} {:?} {files:?} {of_run:?}", chosen.name, table.map(|table| table.fingerprint())));
    (hash, !table.is_some_and(TargetConfig::is_live))
}

/// The largest file whose content is compared, in bytes. A larger one is compared by its date.
const MOST: u64 = 1 << 30;

/// The hash of a file's content; `None` if it cannot be read.
fn content(path: &Path) -> Option<String> {
    files::read(path, MOST).ok().map(|bytes| hash_of(&String::from_utf8_lossy(&bytes)))
}
