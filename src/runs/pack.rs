use serde_json::value::{RawValue, to_raw_value};

use crate::events::CaseFinished;
use crate::transcript::Transcript;

use super::answers::PackedAnswer;
use super::write::Redact;

/// A case that ended, in the form in which a run writes it. Packing takes longer than writing, and any thread can pack.
#[derive(Debug)]
pub(crate) struct PackedCase {
    /// The index of its suite in `run.json`.
    pub(super) suite: usize,
    pub(super) answer: Option<PackedAnswer>,
    pub(super) attempts: Vec<Option<PackedAnswer>>,
    /// A picture of the app after the case (PNG).
    pub(super) picture: Option<Vec<u8>>,
    /// The result. Secrets are removed when it is written.
    pub(super) result: Box<RawValue>,
}

impl PackedCase {
    /// Packs a case of the suite with that index: its result, its answer, and the answers of its attempts if there were
    /// several. `redact` removes secrets from the answers.
    pub(crate) fn new(
        suite: usize,
        case: &CaseFinished,
        answer: Option<&Transcript>,
        attempts: &[Option<Transcript>],
        picture: Option<Vec<u8>>,
        redact: Option<&Redact>,
    ) -> PackedCase {
        let pack = |answer: &Transcript| PackedAnswer::new(answer, redact);
        PackedCase {
            suite,
            answer: answer.map(pack),
            attempts: attempts.iter().map(|answer| answer.as_ref().map(pack)).collect(),
            picture,
            result: to_raw_value(&case.result).expect("results have only keys that are strings"),
        }
    }
}
