use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Config, TargetConfig};

/// What a person approves before a target runs from an editor: the target's table, and the folders into which its answers go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Approvable {
    /// The target's table.
    pub(crate) table: TargetConfig,
    /// `results` of `[run]`.
    pub(crate) results: String,
    /// `transcripts` of `[run]`.
    pub(crate) transcripts: String,
}

impl Config {
    /// What a person approves of a target with this table.
    pub(crate) fn approvable(&self, table: &TargetConfig) -> Approvable {
        let (results, transcripts) = (self.run.results.clone(), self.run.transcripts.clone());
        Approvable { table: table.clone(), results, transcripts }
    }
}

impl Approvable {
    /// The SHA-256 of all of it, as 64 hexadecimal digits. It is the same in every process on every system.
    pub(crate) fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        let mut hash = Sha256::new_with_prefix("eval-ls/approval@1\n");
        hash.update(text);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
