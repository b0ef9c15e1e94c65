use serde::{Deserialize, Serialize};

use crate::suite::Group;
use crate::text::{LineColumn, Span};

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckResult {
    /// The check's id, for instance `must_not_say:I cannot`.
    pub(crate) id: String,
    /// The group that the check counts for; `None` for an outcome that does not exist.
    pub(crate) group: Option<Group>,
    /// The span of the expectation, in bytes from the start of the case.
    pub(crate) span: Span,
    /// Whether it passed.
    pub(crate) outcome: CheckOutcome,
    /// The finding, as one plain line without a full stop. Text from suites and answers is quoted and harmless.
    pub(crate) message: String,
    /// The places in the transcript that decided the check.
    pub(crate) evidence: Vec<Evidence>,
    /// Whether the prompt's own text decides: with it the outcome is another than without it. The message mentions it.
    pub(crate) by_prompt: bool,
}

/// Whether a check passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckOutcome {
    /// The answer meets the expectation.
    Passed,
    /// The answer does not meet the expectation.
    Failed,
    /// The expectation is a UI hint without a definition.
    Unknown,
    /// A limit was exceeded, so the whole case is `ERROR`. The message has the reason.
    NotJudged,
}

/// A place in a transcript and the text there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// The place.
    #[serde(flatten)]
    pub(crate) place: EvidencePlace,
    /// The text at the place, shortened if it is long. It is not escaped: the code that shows it escapes it.
    pub(crate) text: String,
    /// Whether it is text of the prompt, which the response shows as well as the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) in_prompt: bool,
}

/// The place of evidence in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum EvidencePlace {
    /// In the response. Only `\n` separates lines.
    Response(LineColumn),
    /// On the page that shows the answer, if the response is not the page. Only `\n` separates lines.
    Page {
        /// Where in the page.
        page: LineColumn,
    },
    /// An event of the telemetry.
    Telemetry {
        /// Its number, from 1.
        event: usize,
    },
}

impl Evidence {
    /// The bytes of the response that it is about, without what is not shown because it is long. `None` for an event, and for a place
    /// that the response does not have.
    pub(crate) fn span_in(&self, response: &str) -> Option<Span> {
        let EvidencePlace::Response(LineColumn { line, column }) = self.place else { return None };
        let lines_before = line.checked_sub(2);
        let line_start = match lines_before {
            Some(before) => memchr::memchr_iter(b'\n', response.as_bytes()).nth(before)? + 1,
            None => 0,
        };
        let rest = response.get(line_start..)?;
        let (start, _) = rest.char_indices().nth(column.checked_sub(1)?).unwrap_or((rest.len(), ' '));
        let start = line_start + start;
        let here = &response[start..];
        let whole = length_of(&self.text, here);
        let length = whole.or_else(|| length_of(self.text.strip_suffix('…')?, here));
        Some(Span::new(start, start + length.unwrap_or(0)))
    }
}

/// How many bytes the text of evidence, in which each line ends with `\n`, has at the start of a part of the response.
fn length_of(text: &str, response: &str) -> Option<usize> {
    let mut length = 0;
    for (number, line) in text.split('\n').enumerate() {
        let rest = &response[length..];
        let end = if number == 0 { 0 } else { ["\n", "\r\n"].into_iter().find(|end| rest.starts_with(end))?.len() };
        length += rest[end..].starts_with(line).then_some(end + line.len())?;
    }
    Some(length)
}

impl EvidencePlace {
    /// The line of the response, from 1.
    pub(crate) fn line(&self) -> Option<usize> {
        match self {
            EvidencePlace::Response(place) => Some(place.line),
            EvidencePlace::Telemetry { .. } | EvidencePlace::Page { .. } => None,
        }
    }
}

/// The decision of a rule. The dispatcher adds the id, the group and the span.
pub(super) struct Decision {
    pub(super) outcome: CheckOutcome,
    pub(super) message: String,
    pub(super) evidence: Vec<Evidence>,
}

impl Decision {
    pub(super) fn passed(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Passed, message: message.into(), evidence: Vec::new() }
    }

    /// The same with the words in which the prompt's own text is named, and where that is.
    pub(super) fn by_prompt(mut self, words: &str) -> Decision {
        let lines =
            self.evidence.iter().filter(|evidence| evidence.in_prompt).filter_map(|evidence| evidence.place.line());
        let place = lines.min().map(|line| format!(", line {line}")).unwrap_or_default();
        self.message = format!("{}: {words}{place}", self.message);
        self
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
