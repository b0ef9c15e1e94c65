//! What several formats say in the same words.

use crate::checks::{CheckOutcome, EvidencePlace};
use crate::text::{LineColumn, number};
use crate::verdict::{CaseResult, CheckDetail, Status};

/// What came of a case, in a few words: `2 of 7 checks failed`, `soft score 0.62 is below 0.8`.
pub fn headline(case: &CaseResult) -> String {
    let failed = case.check_details.iter().filter(|check| check.outcome == CheckOutcome::Failed).count();
    let total = case.check_details.len();
    let score = &case.metrics.scoring.soft_score;
    let mut parts = Vec::new();
    match case.status {
        Status::Error => parts.push(case.reason.clone().unwrap_or_else(|| "not judged".to_owned())),
        _ if failed > 0 => parts.push(format!("{failed} of {total} checks failed")),
        Status::Pass => parts.push(format!("{total} checks passed")),
        _ => {}
    }
    let unknown = case.checks.unknown_ui.len();
    if unknown > 0 {
        parts.push(format!("{unknown} UI {} not defined", if unknown == 1 { "hint is" } else { "hints are" }));
    }
    if !case.metrics.scoring.hard_fail_triggered.is_empty() {
        let groups: Vec<_> = case.metrics.scoring.hard_fail_triggered.iter().map(|group| group.name()).collect();
        parts.push(format!("hard fail: {}", groups.join(", ")));
    } else if let (Some(value), Some(threshold)) = (score.value, score.threshold) {
        let relation = if score.passed == Some(true) { "reaches" } else { "is below" };
        parts.push(format!("soft score {} {relation} {}", number(value), number(threshold)));
    }
    if case.stale {
        parts.push("stale: the transcript was recorded with other prompts".to_owned());
    }
    parts.join(" · ")
}

/// The soft score as a sum, where a threshold asks for it: `(0.35 × 1 formatting + …) / 1 = 0.62`.
pub fn arithmetic(case: &CaseResult) -> Option<String> {
    let score = &case.metrics.scoring.soft_score;
    let (value, _) = (score.value?, score.threshold?);
    let terms: Vec<_> = score
        .terms
        .iter()
        .map(|term| format!("{} × {} {}", number(term.weight), number(term.score), term.group))
        .collect();
    let weights: f64 = score.terms.iter().map(|term| term.weight).sum();
    Some(format!("({}) / {} = {}", terms.join(" + "), number(weights), number(value)))
}

/// The checks that a reader has to look at: all that did not pass.
pub fn open_checks(case: &CaseResult) -> impl Iterator<Item = &CheckDetail> {
    case.check_details.iter().filter(|check| check.outcome != CheckOutcome::Passed)
}

/// Where in the transcript something stands.
pub fn place_in_transcript(place: &EvidencePlace) -> String {
    match place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("response, line {line}, column {column}"),
        EvidencePlace::Telemetry { event } => format!("telemetry, event {event}"),
    }
}
