use serde::{Deserialize, Serialize};

use crate::suite::Group;
use crate::text::{LineColumn, Span};

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The check's id, for instance `must_not_say:I cannot`.
    pub id: String,
    /// The group it counts for; an outcome that does not exist counts for none.
    pub group: Option<Group>,
    /// The text of the case that asks, in bytes from where the case starts.
    pub span: Span,
    /// Whether it passed.
    pub outcome: CheckOutcome,
    /// What was found, as one plain line without a full stop. Text of others in it is quoted, and safe to show.
    pub message: String,
    /// Where in the transcript: what made it pass, or what is there and must not be.
    pub evidence: Vec<Evidence>,
}

/// Whether a check passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// It holds.
    Passed,
    /// It does not hold.
    Failed,
    /// It cannot be told: a UI hint that nobody defined.
    Unknown,
    /// It could not be judged within its limits, so the whole case is `ERROR`; the message says why.
    NotJudged,
}

/// A place in a transcript, and what stands there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Where.
    #[serde(flatten)]
    pub place: EvidencePlace,
    /// The text that stands there, cut where it is long. It is as the target wrote it: whoever shows it escapes it.
    pub text: String,
}

/// Where in a transcript a piece of evidence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EvidencePlace {
    /// In the response, whose lines are separated by `\n` alone.
    Response(LineColumn),
    /// An event of the telemetry.
    Telemetry {
        /// Its number, from 1.
        event: usize,
    },
}

/// What a rule decides; the dispatcher adds the id, the group and the span.
pub(super) struct Decision {
    pub(super) outcome: CheckOutcome,
    pub(super) message: String,
    pub(super) evidence: Vec<Evidence>,
}

impl Decision {
    pub(super) fn passed(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Passed, message: message.into(), evidence: Vec::new() }
    }

    pub(super) fn failed(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Failed, ..Decision::passed(message) }
    }

    pub(super) fn unknown(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Unknown, ..Decision::passed(message) }
    }

    pub(super) fn not_judged(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::NotJudged, ..Decision::passed(message) }
    }

    pub(super) fn with(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Decision {
        self.evidence.extend(evidence);
        self
    }
}
