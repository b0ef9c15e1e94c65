//! The result of a case, and the outcome of a run as one sentence.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::{Answer, Answers};
use crate::diagnostic::quoted;
use crate::events::CaseFinished;
use crate::lsp::features::test_explorer::{failures, hash};
use crate::lsp::protocol::{CaseOutcome, CheckFailure, Item, RunEvent};
use crate::text::visible_text;
use crate::transcript::Transcript;
use crate::verdict::Status;
use crate::wording::{LAST_RUN_FAILED, error_label, main_reason};

use super::{PlannedCase, PlannedSuite};

/// How much of an answer is sent, in code points. The page of the answer has the whole text.
const SHOWN: usize = 20_000;

/// The result of a case: the verdict on the text that ran.
pub(crate) struct Came {
    pub(crate) status: CaseOutcome,
    pub(crate) transcript: Option<Arc<Transcript>>,
    pub(crate) soft_score: Option<f64>,
    pub(crate) duration_ms: u64,
    /// Why there is no verdict, perhaps on several lines.
    pub(crate) reason: Option<String>,
    /// Whether an earlier run got an answer, if this one did not.
    pub(crate) is_after_answer: bool,
    /// The verdict in the words of lenses and hints; `None` without a verdict.
    pub(crate) label: Option<String>,
    pub(crate) failures: Vec<CheckFailure>,
    pub(crate) screenshot: Option<String>,
}

/// Judges an answer like every other answer. Without an answer, returns the reason from the child.
pub(crate) fn judge(suite: &PlannedSuite, case: &PlannedCase, finished: CaseFinished) -> Came {
    let CaseFinished { duration_ms, answer, result, .. } = finished;
    let told = Came {
        status: CaseOutcome::Judged(result.status),
        duration_ms,
        reason: result.reason.clone(),
        screenshot: result.screenshot.clone(),
        ..Came::cancelled()
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

    /// Returns why there is no answer; `None` if the case was stopped.
    pub(crate) fn failure(&self) -> Option<&str> {
        let failed = self.transcript.is_none() && self.status != CaseOutcome::Cancelled;
        self.reason.as_deref().filter(|_| failed)
    }

    /// The verdict in the words of lenses and hints; `None` if the case was stopped.
    pub(crate) fn label(&self) -> Option<String> {
        let not_judged = || Some(error_label(self.failure()?, self.is_after_answer));
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

/// How many cases the sentence names. A notification has two lines.
const MAX_NAMED: usize = 3;

/// The results of the cases so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether a case was stopped.
    pub(crate) cancelled: bool,
    /// Why the run ended early.
    pub(crate) reason: Option<String>,
    passed: usize,
    total: usize,
    /// The cases that neither passed nor were stopped, with their verdict.
    others: Vec<(String, String)>,
}

impl Tally {
    /// Adds the result of a case, with its verdict in a few words.
    pub(crate) fn add(&mut self, id: &str, status: CaseOutcome, label: Option<String>) {
        self.total += 1;
        match status {
            CaseOutcome::Cancelled => self.cancelled = true,
            CaseOutcome::Judged(Status::Pass) => self.passed += 1,
            CaseOutcome::Judged(status) => {
                self.others.push((id.to_owned(), label.unwrap_or_else(|| status.to_string())))
            }
        }
    }

    /// Returns how many cases passed, which did not, and why the run ended early.
    pub(crate) fn sentence(&self) -> String {
        let Tally { passed, total, .. } = self;
        let mut sentence = match (*passed, *total) {
            (1, 1) => "The case passed".to_owned(),
            (passed, total) if passed == total => format!("All {total} cases passed"),
            (passed, total) => format!("{passed} of {total} cases passed"),
        };
        let named = self.others.iter().take(MAX_NAMED);
        let named: Vec<_> = named.map(|(id, label)| format!("{} {label}", quoted(id))).collect();
        if !named.is_empty() {
            let more = self.others.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            sentence.push_str(&format!(": {}{more}", named.join(", ")));
        }
        if self.cancelled {
            sentence.push_str("; the run was stopped");
        }
        if let Some(reason) = &self.reason {
            sentence.push_str(&format!("; {reason}"));
        }
        visible_text(sentence)
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

    fn sentence(results: &[(&str, CaseOutcome)], reason: Option<&str>) -> String {
        let mut tally = Tally { reason: reason.map(str::to_owned), ..Tally::default() };
        results.iter().for_each(|(id, status)| tally.add(id, *status, None));
        tally.sentence()
    }

    #[test]
    fn the_sentence_has_the_reason_of_an_error() {
        let mut tally = Tally::default();
        let label = Some("ERROR no stored answer".to_owned());
        tally.add("A", CaseOutcome::Judged(Status::Error), label);
        assert_eq!(tally.sentence(), "0 of 1 cases passed: `A` ERROR no stored answer");
    }

    #[test]
    fn the_sentence_names_the_cases_that_did_not_pass() {
        let [pass, fail, partial, error] =
            [Status::Pass, Status::Fail, Status::Partial, Status::Error].map(CaseOutcome::Judged);
        for (results, reason, expected) in [
            (&[("A", pass)][..], None, "The case passed"),
            (&[("A", pass), ("B", pass)], None, "All 2 cases passed"),
            (&[("A", fail)], None, "0 of 1 cases passed: `A` FAIL"),
            (&[("A", pass), ("B", partial)], None, "1 of 2 cases passed: `B` PARTIAL"),
            (
                &[("A", fail), ("B", fail), ("C", error), ("D", fail), ("E", fail)],
                None,
                "0 of 5 cases passed: `A` FAIL, `B` FAIL, `C` ERROR and 2 more",
            ),
            (&[("A", pass), ("B", CaseOutcome::Cancelled)], None, "1 of 2 cases passed; the run was stopped"),
            (&[("A", error)], Some("the agent\nis missing"), "0 of 1 cases passed: `A` ERROR; the agent␊is missing"),
        ] {
            assert_eq!(sentence(results, reason), expected);
        }
    }
}
