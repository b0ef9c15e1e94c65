use serde::Deserialize;
use serde_json::Value;

use crate::verdict::Status;

/// What a child tells, as far as it is needed here: `docs/events.md` has all of it.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(super) enum Heard {
    /// A case is asked from now on; the index counts the cases that the child was given.
    CaseStarted { index: usize },
    /// How far a case is.
    CaseProgress { index: usize, message: String },
    /// A case has its result.
    CaseFinished(Box<Finished>),
    /// Something went wrong that changes no verdict.
    Warning { message: String },
    /// Something else.
    #[serde(other)]
    Other,
}

/// What came of a case.
#[derive(Debug, Deserialize)]
pub(super) struct Finished {
    pub(super) index: usize,
    pub(super) duration_ms: u64,
    pub(super) answer: Option<Value>,
    pub(super) result: Outcome,
}

/// The part of a result that is used where there is no answer to be judged here.
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) reason: Option<String>,
    /// The file that has a picture of what the case came to.
    #[serde(default)]
    pub(super) screenshot: Option<String>,
}

/// The reason of a case that was running when its run was cancelled.
pub(super) const CANCELLED: &str = "cancelled";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_events_and_passes_over_others() {
        let read = |line: &str| serde_json::from_str::<Heard>(line).unwrap();
        let finished = r#"{"event":"case-finished","suite":"s","case":"A","index":1,"range":{},"status":"ERROR",
            "duration_ms":5,"transcript":null,"result":{"id":"A","status":"ERROR","reason":"cancelled","screenshot":"/A.png","more":1}}"#;
        let Heard::CaseFinished(finished) = read(finished) else { panic!("it is one") };
        assert_eq!((finished.index, finished.duration_ms, finished.answer), (1, 5, None));
        assert_eq!(finished.result.screenshot.as_deref(), Some("/A.png"));
        assert_eq!((finished.result.status, finished.result.reason.as_deref()), (Status::Error, Some(CANCELLED)));
        assert!(matches!(read(r#"{"event":"case-started","index":3,"case":"A"}"#), Heard::CaseStarted { index: 3 }));
        assert!(matches!(read(r#"{"event":"run-finished","cancelled":true}"#), Heard::Other));
        assert!(matches!(read(r#"{"event":"from-a-later-version"}"#), Heard::Other));
    }
}
