use crate::checks::CheckOutcome;
use crate::diagnostic::quoted;
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

/// The name of a check for people: the key of the suite, without its group, and with its entry if the message does not quote it.
pub(crate) fn check_name(check: &CheckDetail) -> &str {
    let id = &*check.id;
    let name =
        ["format:", "synthesis:", "morning_brief:"].iter().find_map(|group| id.strip_prefix(group)).unwrap_or(id);
    match name.split_once(':') {
        Some((key, entry)) if key != "outcome" && check.message.contains(&quoted(entry)) => key,
        _ => name,
    }
}

/// The checks that did not pass.
pub(crate) fn open_checks(case: &CaseResult) -> impl Iterator<Item = &CheckDetail> {
    case.check_details.iter().filter(|check| check.outcome != CheckOutcome::Passed)
}
