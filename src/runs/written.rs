use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::text::hex;

/// The content of `cases.jsonl` when the run ended. A program that was asked, or another one, may have changed the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinesRecord {
    /// The length in bytes.
    length: u64,
    /// The SHA-256, in hexadecimal.
    sha256: String,
}

/// The lines as they are written.
#[derive(Default)]
pub(super) struct WrittenLines {
    length: u64,
    hash: Sha256,
}

impl LinesRecord {
    /// Whether these are the lines that were written.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        let mut written = WrittenLines::default();
        written.add(bytes);
        *self == written.record()
    }
}

impl WrittenLines {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hash.update(bytes);
    }

    pub(super) fn record(&self) -> LinesRecord {
        LinesRecord { length: self.length, sha256: hex(&self.hash.clone().finalize()) }
    }
}
