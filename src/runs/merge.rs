//! Shards: which part of the cases a run has, so that several machines run all of them, and one run made of the shards.

use std::collections::{BTreeMap, HashMap, HashSet};

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Serialize};

use crate::transcript::Origin;

use super::{CaseLine, KeptRun, RunError, RunRecord, RunState, SuiteRecord, hash_of};

/// The shards of a run, complete and without contradiction.
#[derive(Debug)]
pub(crate) struct Merged {
    /// What ran: the record of the run without shards, with the times of all shards.
    pub(crate) record: RunRecord,
    /// The first shard.
    pub(crate) shard: ShardRecord,
    /// The number of cases that ran at once on all machines.
    pub(crate) jobs: usize,
    /// The shards, by number.
    shards: Vec<KeptRun>,
    /// The cases in the order of the suites, each with the place of its shard in `shards`.
    cases: Vec<(usize, CaseLine)>,
}

/// Why shards cannot be merged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MergeError {
    /// They do not fit together: one lower-case fragment for each fault.
    #[error("the shards cannot be merged: {}", .0.join("; "))]
    Unfit(Vec<String>),
    /// A shard cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
}

impl Merged {
    /// Puts shards together. `runs` are shards, at least one of them.
    ///
    /// # Errors
    /// If a shard is missing, given twice, or not complete, if shards are of different runs, or if one cannot be read. The
    /// error names the shards and the cases.
    pub(crate) fn of(mut runs: Vec<KeptRun>) -> Result<Merged, MergeError> {
        runs.sort_by_key(|run| shard(run).index);
        let mut faults = impossible(&runs);
        if faults.is_empty() {
            faults = differences(&runs);
        }
        if faults.is_empty() {
            faults = gaps(&runs);
        }
        if !faults.is_empty() {
            return Err(MergeError::Unfit(faults));
        }
        let mut record = runs[0].record().clone();
        record.suites = united(&runs);
        let mut cases = Vec::new();
        for (place, run) in runs.iter().enumerate() {
            cases.extend(run.lines()?.into_iter().map(|line| (place, line)));
        }
        faults.extend(doubles(&runs, &cases));
        faults.extend(unfinished(&runs, &cases));
        let total: usize = record.suites.iter().map(|suite| suite.cases.len()).sum();
        let first = shard(&runs[0]).clone();
        if faults.is_empty() && (total != first.total || plan_hash(&record.suites) != first.plan) {
            faults.push(format!("together they have {total} cases, and {} were selected", first.total));
        }
        if !faults.is_empty() {
            return Err(MergeError::Unfit(faults));
        }
        cases.sort_by_key(|(_, line)| (line.suite, line.index));
        let all = || runs.iter().map(KeptRun::record);
        // Each shard has its own job.
        record.shard = None;
        record.target.mixed = all().any(|record| record.target.mixed);
        record.merged = runs.iter().map(|run| run.id().to_string()).collect();
        record.started_at = all().map(|record| record.started_at.clone()).min().unwrap_or_default();
        record.ended_at = all().filter_map(|record| record.ended_at.clone()).max();
        // Clocks of machines differ, and shards run at the same time.
        record.duration_ms = all().filter_map(|record| record.duration_ms).max();
        let jobs = runs.iter().fold(0_usize, |jobs, run| jobs.saturating_add(shard(run).jobs));
        Ok(Merged { record, shard: first, jobs, shards: runs, cases })
    }

    /// The cases in the order of the suites, each with its shard.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&KeptRun, &CaseLine)> {
        self.cases.iter().map(|(place, line)| (&self.shards[*place], line))
    }
}

fn shard(run: &KeptRun) -> &ShardRecord {
    run.record().shard.as_ref().expect("only shards are merged")
}

fn name(run: &KeptRun) -> String {
    let shard = shard(run);
    format!("shard {} of {} ({})", shard.index, shard.count, run.folder().display())
}

/// The largest number of shards. No run has so many, and each missing one is named.
const MOST_SHARDS: usize = 10_000;

/// The shards whose numbers cannot be.
fn impossible(runs: &[KeptRun]) -> Vec<String> {
    let is_possible = |run: &&KeptRun| (1..=shard(run).count.min(MOST_SHARDS)).contains(&shard(run).index);
    let fault = |run: &KeptRun| format!("{} has impossible numbers", name(run));
    runs.iter().filter(|run| !is_possible(run) || shard(run).count > MOST_SHARDS).map(fault).collect()
}

/// What differs between the shards and the first one.
fn differences(runs: &[KeptRun]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some((first, others)) = runs.split_first() else { return faults };
    for run in others {
        let (one, other) = (first.record(), run.record());
        let (shard_one, shard_other) = (shard(first), shard(run));
        let commit = |record: &RunRecord| record.git.as_ref().and_then(|git| git.commit.clone());
        let paths = |record: &RunRecord| record.suites.iter().map(|suite| suite.path.clone()).collect::<Vec<_>>();
        let mut differs: Vec<String> = [
            (shard_one.count != shard_other.count, "the number of shards"),
            (one.target.name != other.target.name, "the target"),
            (one.target.name == other.target.name && one.target.hash != other.target.hash, "the target's table"),
            (one.target.has_other_files(&other.target), "the files of the target's program"),
            (one.config.hash != other.config.hash, "eval-ls.toml"),
            (one.versions != other.versions, "the version of eval-ls"),
            (commit(one) != commit(other), "the git commit"),
            (one.mode != other.mode, "the command"),
            (one.options.get("repeat") != other.options.get("repeat"), "`--repeat`"),
            (one.policy != other.policy, "what makes the run fail, such as `--strict`"),
            (paths(one) != paths(other), "the list of suites"),
        ]
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, what)| what.to_owned())
        .collect();
        let suites = one.suites.iter().zip(&other.suites);
        let edited = suites.filter(|(one, other)| one.path == other.path && one.hash != other.hash);
        differs.extend(edited.map(|(suite, _)| format!("the suite {}", suite.path)));
        if differs.is_empty() && shard_one.plan != shard_other.plan {
            differs.push("the selected cases".to_owned());
        }
        if !differs.is_empty() {
            faults.push(format!("{} and {} differ in {}", name(first), name(run), differs.join(", ")));
        }
    }
    faults
}

/// The shards that are missing, or that are there twice.
fn gaps(runs: &[KeptRun]) -> Vec<String> {
    let mut by_index: BTreeMap<usize, Vec<&KeptRun>> = BTreeMap::new();
    for run in runs {
        by_index.entry(shard(run).index).or_default().push(run);
    }
    let count = runs.first().map_or(0, |run| shard(run).count);
    let missing = (1..=count).filter(|index| !by_index.contains_key(index));
    let mut faults: Vec<String> = missing.map(|index| format!("shard {index} of {count} is missing")).collect();
    for (index, runs) in by_index.iter().filter(|(_, runs)| runs.len() > 1) {
        let folders: Vec<String> = runs.iter().map(|run| run.folder().display().to_string()).collect();
        faults.push(format!("shard {index} of {count} is there several times: {}; name one", folders.join(", ")));
    }
    faults
}

/// The suites with the cases of all shards.
fn united(runs: &[KeptRun]) -> Vec<SuiteRecord> {
    let mut suites = runs[0].record().suites.clone();
    for (place, suite) in suites.iter_mut().enumerate() {
        let cases = runs.iter().flat_map(|run| &run.record().suites[place].cases);
        suite.cases = cases.cloned().collect();
        suite.cases.sort_by_key(|case| case.index);
    }
    suites
}

/// The cases that several shards have.
fn doubles(runs: &[KeptRun], cases: &[(usize, CaseLine)]) -> Vec<String> {
    let mut known: HashMap<(usize, usize), usize> = HashMap::new();
    let mut faults = Vec::new();
    for (place, line) in cases {
        if let Some(other) = known.insert((line.suite, line.index), *place) {
            let (one, other) = (name(&runs[other]), name(&runs[*place]));
            faults.push(format!("the case {} is in {one} and in {other}", line.case.escape_debug()));
        }
    }
    faults
}

/// The shards with cases that have not ended.
fn unfinished(runs: &[KeptRun], cases: &[(usize, CaseLine)]) -> Vec<String> {
    let ended: HashSet<(usize, usize, usize)> =
        cases.iter().map(|(place, line)| (*place, line.suite, line.index)).collect();
    let fault = |(place, run): (usize, &KeptRun)| {
        let suites = run.record().suites.iter().enumerate();
        let selected = suites.flat_map(|(suite, record)| record.cases.iter().map(move |case| (suite, case)));
        let open = selected.filter(|(suite, case)| !ended.contains(&(place, *suite, case.index)));
        let open: Vec<String> = open.map(|(_, case)| case.id.escape_debug().to_string()).collect();
        match (open.is_empty(), run.state()) {
            (true, RunState::Ended) => None,
            (true, _) => Some(format!("{} has not ended", name(run))),
            (false, _) => Some(format!(
                "{} lacks {} of its cases: {}; `eval-ls run --resume --results DIR` runs them, where DIR is the folder of that shard",
                name(run),
                open.len(),
                open.join(", ")
            )),
        }
    };
    runs.iter().enumerate().filter_map(fault).collect()
}

/// The shard that a run is, and what all its shards have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShardRecord {
    /// The number of the shard, from 1.
    pub(crate) index: usize,
    /// The number of shards.
    pub(crate) count: usize,
    /// The number of cases of all shards.
    pub(crate) total: usize,
    /// The hash of the cases of all shards, see [`plan_hash`].
    pub(crate) plan: String,
    /// The number of cases that ran at once.
    pub(crate) jobs: usize,
    /// The time limit of a case in milliseconds.
    pub(crate) timeout_ms: u64,
    /// What results state about the source of the answers.
    #[serde(default)]
    pub(crate) origin: Origin,
    /// Whether the target was given secrets.
    #[serde(default)]
    pub(crate) has_secrets: bool,
}

/// The hash of the suites with all their selected cases. The paths as they were given do not count: they depend on the folder
/// in which the program was started.
pub(crate) fn plan_hash(suites: &[SuiteRecord]) -> String {
    let known: Vec<SuiteRecord> =
        suites.iter().map(|suite| SuiteRecord { given: String::new(), part: false, ..suite.clone() }).collect();
    hash_of(&serde_json::to_string(&known).expect("records have only keys that are strings"))
}

/// The shard of a case, from 1 to `count`, by the hash of its suite's path and its id. Other cases have no influence.
pub(crate) fn shard_of(suite: &str, id: &str, count: usize) -> usize {
    let digest = Sha256::hash(format!("{suite}\0{id}").as_bytes());
    let number = digest.iter().take(8).fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    (number % count as u64) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_spreads_cases_and_never_changes() {
        let shards: Vec<usize> = (0..1000).map(|id| shard_of("evals/s.json", &format!("C{id}"), 4)).collect();
        for shard in 1..=4 {
            let size = shards.iter().filter(|one| **one == shard).count();
            assert!((200..300).contains(&size), "{shard}: {size}");
        }
        // These values are part of the interface: machines with other versions must agree.
        assert_eq!(shards[..8], FIRST);
    }

    const FIRST: [usize; 8] = [2, 2, 2, 2, 4, 4, 2, 1];
}
