//! Shards: which part of the cases a run has, so that several machines run all of them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::events::Policy;

use super::{SuiteRecord, hash_of};

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
    /// The id of the run whose durations placed the cases; `None` if hashes did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) balance: Option<String>,
    /// The number of cases that ran at once.
    pub(crate) jobs: usize,
    /// The time limit of a case in milliseconds.
    pub(crate) timeout_ms: u64,
    /// Which results make the run fail.
    #[serde(default)]
    pub(crate) policy: Policy,
    /// What results state about the source of the answers.
    #[serde(default)]
    pub(crate) origin: OriginRecord,
    /// Whether the target was given secrets.
    #[serde(default)]
    pub(crate) has_secrets: bool,
}

/// What results state about the source of the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OriginRecord {
    /// The name of the browser's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// The log that telemetry was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) telemetry_log_path: Option<String>,
    /// The address of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) app_url: Option<String>,
    /// The address that was opened for the cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) space_url: Option<String>,
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
    let digest = Sha256::digest(format!("{suite}\0{id}").as_bytes());
    let number = digest.iter().take(8).fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    (number % count as u64) as usize + 1
}

/// Shards of about equal length for cases (suite and id) with known durations in milliseconds: the longest case first, each into the
/// shard that is the shortest so far (Graham 1969: at most 4/3 of the best possible length).
pub(crate) fn balanced(durations: &[((String, String), u64)], count: usize) -> HashMap<(String, String), usize> {
    let mut cases: Vec<&((String, String), u64)> = durations.iter().collect();
    cases.sort_by(|(one, took), (other, other_took)| other_took.cmp(took).then(one.cmp(other)));
    let mut lengths = vec![0u64; count];
    let mut place = |took: u64| {
        let shortest = (0..count).min_by_key(|shard| lengths[*shard]).unwrap_or(0);
        // Also a case that takes no time takes a place.
        lengths[shortest] += took.max(1);
        shortest + 1
    };
    cases.into_iter().map(|(case, took)| (case.clone(), place(*took))).collect()
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

    #[test]
    fn balanced_shards_have_about_the_same_length() {
        let case = |id: usize, took| (("s.json".to_owned(), format!("C{id}")), took);
        let durations: Vec<_> =
            [90, 10, 20, 30, 40, 50, 60, 0].into_iter().enumerate().map(|(id, took)| case(id, took)).collect();
        let placed = balanced(&durations, 3);
        let length =
            |shard| durations.iter().filter(|(case, _)| placed[case] == shard).map(|(_, took)| took).sum::<u64>();
        assert_eq!([1, 2, 3].map(length), [110, 100, 90]);
        assert_eq!(placed.len(), 8);
    }
}
