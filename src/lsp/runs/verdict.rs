use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Answers};
use crate::events::CaseFinished;
use crate::lsp::features::test_explorer::failures;
use crate::lsp::features::test_explorer::hash;
use crate::lsp::protocol::{CaseOutcome, CheckFailure, Item, RunEvent};
use crate::transcript::Transcript;
use crate::verdict::Status;
use crate::wording::{Headline, LAST_RUN_FAILED, main_reason};

use super::{PlannedCase, PlannedSuite};

/// How much of an answer is sent, in code points. The page of the answer has the whole text.
const SHOWN: usize = 20_000;

/// The result of a case: the verdict on the text that ran.
pub(crate) struct Came {
    pub(crate) status: CaseOutcome,
    pub(crate) transcript: Option<Arc<Transcript>>,
    soft_score: Option<f64>,
    duration_ms: u64,
    /// Why there is no verdict, perhaps on several lines.
    reason: Option<String>,
    /// Whether an earlier run got an answer, if this one did not.
    is_after_answer: bool,
    /// The verdict in the words of lenses and hints; `None` without a verdict.
    label: Option<String>,
    failures: Vec<CheckFailure>,
    screenshot: Option<String>,
}

/// Judges an answer like every other answer. Without an answer, returns the reason from the child.
pub(crate) fn judge(suite: &PlannedSuite, case: &PlannedCase, finished: CaseFinished) -> Came {
    let CaseFinished { duration_ms, answer, result, .. } = finished;
    let told = Came {
        status: CaseOutcome::Judged(result.status),
        transcript: None,
        soft_score: None,
        duration_ms,
        reason: result.reason.clone(),
        is_after_answer: false,
        label: None,
        failures: Vec::new(),
        screenshot: result.screenshot.clone(),
    };
    let Some(transcript) = answer.and_then(|answer| Transcript::parse(answer.as_str()).ok()) else { return told };
    let answer = Arc::new(Answer::live(transcript.clone(), SystemTime::now()));
    let live = HashMap::from([(case.id.clone(), answer)]);
    let answers = Answers::new(Arc::clone(&suite.config), Arc::default(), live);
    let Some(verdict) = suite.snapshot.document.verdict(case.index, &answers) else { return told };
    Came {
        status: CaseOutcome::Judged(verdict.status()),
        transcript: Some(Arc::new(transcript)),
        soft_score: verdict.soft_score(),
        reason: verdict.error().map(str::to_owned),
        label: Some(verdict.label()),
        failures: failures(&suite.snapshot, case.index, &verdict),
        ..told
    }
}

impl Came {
    pub(crate) fn cancelled() -> Self {
        Self { status: CaseOutcome::Cancelled, ..Self::error("stopped".to_owned()) }
    }

    /// Returns a result for a case that could not be judged.
    pub(crate) fn error(reason: String) -> Self {
        Self {
            status: CaseOutcome::Judged(Status::Error),
            transcript: None,
            soft_score: None,
            duration_ms: 0,
            reason: Some(reason),
            is_after_answer: false,
            label: None,
            failures: Vec::new(),
            screenshot: None,
        }
    }

    /// Returns the same result with this duration in milliseconds.
    pub(crate) fn after(self, duration_ms: u64) -> Self {
        Self { duration_ms, ..self }
    }

    /// Returns why there is no answer; `None` if the case was stopped.
    pub(crate) fn failure(&self) -> Option<&str> {
        let failed = self.transcript.is_none() && self.status != CaseOutcome::Cancelled;
        self.reason.as_deref().filter(|_| failed)
    }

    /// Returns the same result, after an answer of an earlier run if `is_so`.
    pub(crate) fn after_answer(self, is_so: bool) -> Self {
        Self { is_after_answer: is_so, ..self }
    }

    /// The verdict in the words of lenses and hints; `None` if the case was stopped.
    pub(crate) fn label(&self) -> Option<String> {
        let not_judged = || Headline::not_judged(self.failure()?, self.is_after_answer).label().into();
        self.label.clone().or_else(not_judged)
    }

    pub(crate) fn into_event(self, run: u64, item: Item, text: &str) -> RunEvent {
        let output = self.output();
        let label = self.label();
        let failed_run = if self.is_after_answer { LAST_RUN_FAILED } else { "" };
        RunEvent::CaseFinished {
            run,
            uri: item.uri,
            case: item.case,
            status: self.status,
            soft_score: self.soft_score,
            duration_ms: self.duration_ms,
            hash: hash(text),
            output,
            label,
            reason: self.reason.as_deref().map(|reason| format!("{failed_run}{}", main_reason(reason))),
            failures: self.failures,
        }
    }

    fn output(&self) -> String {
        let mut output = String::new();
        if let Some(transcript) = &self.transcript {
            output.extend(transcript.response.chars().take(SHOWN));
            if transcript.response.chars().nth(SHOWN).is_some() {
                output.push('…');
            }
            output.push('\n');
        }
        for failure in &self.failures {
            output.push_str(&format!("✗ {}\n", failure.message));
        }
        if let Some(reason) = &self.reason {
            output.push_str(reason);
            output.push('\n');
        }
        // Editors turn a path in the output of a test into a link.
        if let Some(screenshot) = &self.screenshot {
            output.push_str(&format!("screenshot: {screenshot}\n"));
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_ends_with_the_picture() {
        let came = Came { screenshot: Some("/w/A.png".to_owned()), ..Came::error("it did not answer".to_owned()) };
        assert_eq!(came.output(), "it did not answer\nscreenshot: /w/A.png\n");
    }
}
