use crate::checks::CheckOutcome;
use crate::text::number;
use crate::verdict::{CaseResult, CheckDetail};

/// The soft score as a sum, if the case has a threshold: `(0.35 × 1 formatting + …) / 1 = 0.62`.
pub(crate) fn arithmetic(case: &CaseResult) -> Option<String> {
    let score = &case.metrics.scoring.soft_score;
    let (value, _) = (score.shown()?, score.threshold?);
    let terms: Vec<_> = score
        .terms
        .iter()
        .map(|term| format!("{} × {} {}", number(term.weight), number(term.score), term.group))
        .collect();
    let weights: f64 = score.terms.iter().map(|term| term.weight).sum();
    Some(format!("({}) / {} = {}", terms.join(" + "), number(weights), number(value)))
}

/// The name of a check for people: the key of the suite, without its group and its entry. The message has the entry.
pub(crate) fn check_name(id: &str) -> &str {
    let mut parts = id.splitn(3, ':');
    match (parts.next().unwrap_or(id), parts.next()) {
        ("outcome", _) => id,
        ("format" | "synthesis" | "morning_brief", Some(key)) => key,
        (key, _) => key,
    }
}

/// The checks that did not pass.
pub(crate) fn open_checks(case: &CaseResult) -> impl Iterator<Item = &CheckDetail> {
    case.check_details.iter().filter(|check| check.outcome != CheckOutcome::Passed)
}
