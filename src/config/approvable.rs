use hmac_sha256::Hash as Sha256;
use serde::Serialize;

use super::{Config, TargetConfig};

use crate::text::hex;

/// What a person approves before a target runs from an editor: the target's table, the folders into which its answers go, and how
/// much of it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Approvable {
    /// The target's table.
    pub(crate) table: TargetConfig,
    /// `results` of `[run]`.
    pub(crate) results: String,
    /// `transcripts` of `[run]`.
    pub(crate) transcripts: String,
    /// Not a part of [`fingerprint`](Self::fingerprint): less than what was approved needs no other approval.
    #[serde(skip)]
    pub(crate) load: Load,
}

/// How much of a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// How many cases run at the same time.
    pub(crate) jobs: usize,
    /// How often a case is asked at most.
    pub(crate) attempts: usize,
}

impl Load {
    /// One case after the other, each once.
    pub(crate) const LEAST: Load = Load { jobs: 1, attempts: 1 };

    /// Whether this is not more than `other`.
    pub(crate) fn is_within(self, other: Load) -> bool {
        self.jobs <= other.jobs && self.attempts <= other.attempts
    }
}

impl Config {
    /// What a person approves of a target with this table.
    pub(crate) fn approvable(&self, table: &TargetConfig) -> Approvable {
        let (results, transcripts) = (self.run.results.clone(), self.run.transcripts.clone());
        Approvable { table: table.clone(), results, transcripts, load: self.load() }
    }

    fn load(&self) -> Load {
        let repeats = self.policies.iter().map(|policy| policy.repeat).max().unwrap_or(1);
        Load { jobs: self.run.jobs.get(), attempts: repeats * (1 + self.run.retry_errors) }
    }
}

impl Approvable {
    /// The SHA-256 of the table and the folders, as 64 hexadecimal digits. It is the same in every process on every system.
    pub(crate) fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        hash("eval-ls/approval@1\n", &text)
    }

    /// The same of all of it: that of a run that was approved.
    pub(crate) fn run_fingerprint(&self) -> String {
        let Load { jobs, attempts } = self.load;
        hash("eval-ls/approved-run@1\n", &format!("{} {jobs} {attempts}", self.fingerprint()))
    }
}

pub(super) fn hash(kind: &str, text: &str) -> String {
    hex(&Sha256::hash(format!("{kind}{text}").as_bytes()))
}
