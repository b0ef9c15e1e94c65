use std::sync::Arc;

use super::{Answer, JudgedCase, JudgedCheck, SinceBaseline};
use crate::checks::CheckOutcome;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::suite::Case;
use crate::text::{Span, visible_text};
use crate::verdict::{Status, Verdict};

/// A verdict on one element of the suite. The span counts from the start of the file.
#[derive(Clone, Debug)]
pub struct VerdictFinding {
    /// The text that asks for the check.
    pub(crate) span: Span,
    /// A warning; a hint if the check is unknown.
    pub(crate) severity: Severity,
    /// The field that asks for the check, for instance `must_say_any`; `transcript` for the case as a whole.
    pub(crate) code: &'static str,
    /// One plain line without a full stop. It names the case, because clients list it far from the case.
    pub(crate) message: String,
    /// The place in the answer's file, if there is one.
    pub(crate) place: Option<FoundPlace>,
}

/// A place in an answer's file.
#[derive(Clone, Debug)]
pub(crate) struct FoundPlace {
    /// The answer, which has a file.
    pub(crate) answer: Arc<Answer>,
    /// The bytes of the file's text.
    pub(crate) span: Span,
    /// A description of what is there.
    pub(crate) message: String,
}

/// The findings of a verdict on the case that starts at the byte `start`. `since` is how it differs from its baseline.
pub(crate) fn findings(
    verdict: &JudgedCase,
    case: &Case,
    start: usize,
    since: Option<&SinceBaseline<'_>>,
) -> Vec<VerdictFinding> {
    let finding = |span: Span, severity, code, message: String| VerdictFinding {
        span: span.shifted_by(start),
        severity,
        code,
        message: of_case(with_staleness(message, verdict), case),
        place: None,
    };
    let mut findings = Vec::new();
    if verdict.verdict.is_none() || verdict.answer.failure.is_some() {
        let id = case.id.as_ref().map_or(Span::new(0, case.len.min(1)), |id| id.span);
        // The reason contains a file name, which may contain anything.
        let reason = visible_text(verdict.reason().unwrap_or_default());
        let code = if verdict.answer.failure.is_some() { "run" } else { "transcript" };
        findings.push(finding(id, Severity::Warning, code, reason));
    }
    let Some(judged) = &verdict.verdict else { return findings };
    for check in verdict.checks() {
        let (Some(span), Some(severity)) = (check.span, severity(check.result.outcome)) else { continue };
        let place = place(verdict, &check);
        let mut message = check.message();
        if since.is_some_and(|since| since.has_regressed(&check.result.id)) {
            message.push_str("; passed in the baseline");
        }
        findings.push(VerdictFinding { place, ..finding(span, severity, check.field, message) });
    }
    let is_explained = findings.iter().any(|finding| finding.severity != Severity::Hint);
    if judged.status == Status::Fail && !is_explained {
        findings.extend(by_scoring(judged, case).map(|(span, code, why)| finding(span, Severity::Warning, code, why)));
    }
    findings
}

/// A finding about a sample of the case that starts at the byte `start`.
pub(crate) fn of_sample(finding: Finding, case: &Case, start: usize) -> VerdictFinding {
    let found = of_file(finding.shifted_by(start));
    VerdictFinding { message: of_case(found.message, case), ..found }
}

/// A finding about what is stored beside the suite.
pub(crate) fn of_file(finding: Finding) -> VerdictFinding {
    let Finding { span, severity, lint: code, message, .. } = finding;
    VerdictFinding { span, severity, code, message, place: None }
}

fn severity(outcome: CheckOutcome) -> Option<Severity> {
    match outcome {
        CheckOutcome::Passed => None,
        CheckOutcome::Unknown => Some(Severity::Hint),
        CheckOutcome::Failed | CheckOutcome::NotJudged => Some(Severity::Warning),
    }
}

fn of_case(message: String, case: &Case) -> String {
    match &case.id {
        Some(id) => format!("{}: {message}", quoted(&id.value)),
        None => message,
    }
}

fn with_staleness(message: String, verdict: &JudgedCase) -> String {
    match staleness(verdict) {
        Some(why) => format!("{message} (stale: {why})"),
        None => message,
    }
}

/// Why a verdict is stale, as a fragment.
pub(super) fn staleness(verdict: &JudgedCase) -> Option<&'static str> {
    if verdict.outdated {
        return Some("about the text before it was broken");
    }
    verdict.is_stale().then_some("the prompts have changed since the answer")
}

fn place(verdict: &JudgedCase, check: &JudgedCheck<'_>) -> Option<FoundPlace> {
    let message = if check.result.evidence.is_empty() { "the nearest text" } else { "the evidence" };
    let answer = Arc::clone(&verdict.answer);
    check.in_file.map(|span| FoundPlace { answer, span, message: message.to_owned() })
}

/// Why a case fails although none of its checks does.
fn by_scoring<'a>(judged: &'a Verdict, case: &'a Case) -> impl Iterator<Item = (Span, &'static str, String)> + use<'a> {
    let hard_fail = case.expected.hard_fail().into_iter().flat_map(|list| list.entries());
    let triggered = hard_fail
        .filter(|entry| judged.hard_fail_triggered.iter().any(|group| group.name() == entry.value))
        .map(|entry| (entry.span, "hard_fail", format!("a check of {} did not pass", quoted(&entry.value))));
    let threshold = case.expected.threshold().filter(|_| !judged.soft_score.passed);
    let below = threshold.map(|threshold| {
        let message = format!("the soft score {} is below {}", judged.soft_score.value, threshold.value);
        (threshold.span, "threshold", message)
    });
    triggered.chain(below)
}
