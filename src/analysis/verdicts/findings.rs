//! Verdicts in the few words that fit after a line, as findings, and counted. Text of suites and answers is made visible and
//! shortened.

use std::sync::Arc;

use serde::Serialize;

use crate::checks::CheckOutcome;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::suite::{Case, ExpectedField, Holds, Of, Texts};
use crate::text::{Span, visible_text};
use crate::verdict::{CaseResult, CheckResult, Status};
use crate::wording::{cut, evidence_label, plain};

use super::{Answer, JudgedCase, JudgedCheck};

/// The longest label, in code points. A label is beside code.
const LONGEST: usize = 60;

/// The mark of a check that passed.
pub(crate) const PASSED: &str = "✓";

/// What is beside it if the prompt alone decided.
pub(crate) const BY_PROMPT: &str = "your own prompt says so";

/// The label of a check: `✓`, `✗ not said; nearest line 4: "Git hub"`. With a name, which is in quotes: `✗ "github" not said`.
pub(crate) fn check_label(check: &JudgedCheck<'_>, name: Option<&str>) -> String {
    let result = check.result;
    let evidence = result.evidence.first();
    let name = name.map(|name| format!("{name} ")).unwrap_or_default();
    let label = match result.outcome {
        CheckOutcome::Passed => match evidence {
            Some(_) if result.by_prompt => format!("{PASSED} {name}{BY_PROMPT}{}", own_line(result)),
            _ => format!("{PASSED} {name}").trim_end().to_owned(),
        },
        CheckOutcome::Unknown => format!("? {name}not defined"),
        CheckOutcome::NotJudged => format!("! {name}{}", plain(&result.message)),
        CheckOutcome::Failed => match (check.result.nearest.first(), evidence) {
            (Some(nearest), _) => {
                let start = format!("✗ {name}{}; nearest ", in_short(check));
                let rest = LONGEST.saturating_sub(start.chars().count());
                format!("{start}{}", evidence_label(nearest, rest))
            }
            (None, Some(evidence)) if is_forbidden(check) => {
                let found = evidence_label(evidence, LONGEST - 2);
                // The name is the text that was found.
                let found = if name.is_empty() { &found } else { found.split(':').next().unwrap_or(&found) };
                format!("✗ {name}{found}")
            }
            (None, _) => format!("✗ {name}{}", in_short(check)),
        },
    };
    cut(&label, LONGEST)
}

/// `, line 3`: where the prompt says what decides a check.
fn own_line(result: &CheckResult) -> String {
    let in_prompt = result.evidence.iter().filter(|evidence| evidence.in_prompt);
    let line = in_prompt.filter_map(|evidence| evidence.place.line()).min();
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

/// Whether the check fails because something is there.
fn is_forbidden(check: &JudgedCheck<'_>) -> bool {
    ExpectedField::named(check.result.field).is_some_and(|field| matches!(field.holds, Holds::List(_, Of::None)))
}

/// The message without the suite's text: the label follows that text.
fn in_short(check: &JudgedCheck<'_>) -> String {
    let message = check.result.message.as_str();
    let field = ExpectedField::named(check.result.field);
    let short = field.and_then(|field| field.lacking).or_else(|| match field?.holds {
        Holds::List(Texts::Sources, _) if message.ends_with(" said") => Some("not said"),
        Holds::Numbers if message.ends_with(" is not shown") => Some("not shown"),
        // The label of a flag does not follow a pattern.
        Holds::Flag => None,
        _ if message.starts_with("no line matches") => Some("no match"),
        _ => None,
    });
    // The label follows the pattern.
    let fault = message.find("does not compile, at").filter(|_| message.starts_with("the pattern "));
    short.map_or_else(|| plain(&message[fault.unwrap_or(0)..]), str::to_owned)
}

/// How many cases of a suite have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerdictCounts {
    /// `PASS`
    pub(crate) pass: usize,
    /// `PARTIAL`
    pub(crate) partial: usize,
    /// `FAIL`
    pub(crate) fail: usize,
    /// `ERROR`
    pub(crate) error: usize,
    /// There is no answer.
    pub(crate) not_run: usize,
    /// Verdicts of these that are about an earlier text of their cases.
    pub(crate) stale: usize,
}

impl VerdictCounts {
    /// Counts a case.
    pub(crate) fn add(&mut self, verdict: Option<&JudgedCase>) {
        *match verdict.map(JudgedCase::status) {
            Some(Status::Pass) => &mut self.pass,
            Some(Status::Partial) => &mut self.partial,
            Some(Status::Fail) => &mut self.fail,
            Some(Status::Error) => &mut self.error,
            None => &mut self.not_run,
        } += 1;
        self.stale += usize::from(verdict.is_some_and(JudgedCase::is_stale));
    }

    /// The counts that are not 0, in the words of a run: `3 passed`, `1 failed`, `1 partial`, `2 errors`, `1 not run`.
    pub(crate) fn words(self) -> Vec<String> {
        let counts = [
            (self.pass, "passed"),
            (self.fail, "failed"),
            (self.partial, "partial"),
            (self.error, if self.error == 1 { "error" } else { "errors" }),
            (self.not_run, "not run"),
        ];
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect()
    }

    /// All cases.
    pub(crate) fn total(self) -> usize {
        self.pass + self.partial + self.fail + self.error + self.not_run
    }
}

/// A verdict on one element of the suite. The span counts from the start of the file.
#[derive(Clone, Debug)]
pub struct VerdictFinding {
    /// The text that asks for the check.
    pub(crate) span: Span,
    /// A warning; a hint if the check is unknown.
    pub(crate) severity: Severity,
    /// The field that asks for the check, for instance `must_say_any`; `transcript` for the case as a whole.
    pub(crate) code: &'static str,
    /// One plain line without a full stop.
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

/// The findings of a verdict on the case that starts at the byte `start`.
pub(crate) fn findings(verdict: &JudgedCase, case: &Case, start: usize) -> Vec<VerdictFinding> {
    let stale = staleness(verdict).map_or_else(String::new, |why| format!(" (stale: {why})"));
    let finding = |span: Span, severity, code, message: String| VerdictFinding {
        span: span.shifted_by(start),
        severity,
        code,
        message: message + &stale,
        place: None,
    };
    let mut findings = Vec::new();
    if verdict.answer.transcript.is_err() || verdict.answer.failure.is_some() {
        let id = case.id.as_ref().map_or(Span::new(0, case.len.min(1)), |id| id.span);
        // The reason contains a file name, which may contain anything.
        let reason = visible_text(verdict.reason().unwrap_or_default());
        let code = if verdict.answer.failure.is_some() { "run" } else { "transcript" };
        findings.push(finding(id, Severity::Warning, code, reason));
    }
    for check in verdict.checks() {
        let (Some(span), Some(severity)) = (check.span, severity(check.result.outcome)) else { continue };
        let place = place(verdict, &check);
        findings.push(VerdictFinding { place, ..finding(span, severity, check.result.field, check.message()) });
    }
    let is_explained = findings.iter().any(|finding| finding.severity != Severity::Hint);
    if verdict.result.status == Status::Fail && !is_explained {
        findings.extend(
            by_scoring(&verdict.result, case).map(|(span, code, why)| finding(span, Severity::Warning, code, why)),
        );
    }
    findings
}

/// A finding about what is stored beside the suite, or about a sample.
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
fn by_scoring<'a>(
    judged: &'a CaseResult,
    case: &'a Case,
) -> impl Iterator<Item = (Span, &'static str, String)> + use<'a> {
    let scoring = &judged.metrics.scoring;
    let hard_fail = case.expected.hard_fail().into_iter().flat_map(|list| list.entries());
    let triggered = hard_fail
        .filter(|entry| scoring.hard_fail_triggered.iter().any(|group| group.name() == entry.value))
        .map(|entry| (entry.span, "hard_fail", format!("a check of {} did not pass", quoted(&entry.value))));
    let threshold = case.expected.threshold().filter(|_| scoring.soft_score.passed == Some(false));
    let below = threshold.map(|threshold| {
        let message =
            format!("the soft score {} is below {}", scoring.soft_score.value.unwrap_or(1.0), threshold.value);
        (threshold.span, "threshold", message)
    });
    triggered.chain(below)
}
