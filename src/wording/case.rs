//! The result of a case in Markdown: its checks with their evidence, and the arithmetic of its score. Result files and the
//! editor's pages use these parts.

use std::time::SystemTime;

use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::diagnostic::quoted;
use crate::text::{LineColumn, number};
use crate::verdict::{CaseResult, CheckResult, Term, has_default_weights, scores};
use crate::wording::headline::cut;
use crate::wording::{Line, Markup, disarmed, further_reason, plain};

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

/// The id of a check without the part that names a group of keys.
pub(crate) fn without_group(id: &str) -> &str {
    ["format:", "synthesis:", "morning_brief:"].iter().find_map(|group| id.strip_prefix(group)).unwrap_or(id)
}

/// The name of a check for people: the key of the suite, without its group, and with its entry if the message does not quote it.
pub(crate) fn check_name(check: &CheckResult) -> &str {
    let name = without_group(&check.id);
    match name.split_once(':') {
        Some((key, entry)) if key != "outcome" && check.message.contains(&quoted(entry)) => key,
        _ => name,
    }
}

/// The checks that did not pass.
pub(crate) fn open_checks(case: &CaseResult) -> impl Iterator<Item = &CheckResult> {
    case.check_details.iter().filter(|check| check.outcome != CheckOutcome::Passed)
}

/// The number of hard-fail groups that are listed.
const LISTED: usize = 8;

/// Whether the score decides anything: there is a threshold, or a hard-fail group was triggered.
pub(crate) fn score_decides(case: &CaseResult) -> bool {
    let scoring = &case.metrics.scoring;
    scoring.soft_score.threshold.is_some() || !scoring.hard_fail_triggered.is_empty()
}

/// Whether the score says more than that all checks count the same.
pub(crate) fn score_tells(case: &CaseResult) -> bool {
    score_decides(case) || !has_default_weights(&case.metrics.scoring.soft_score.terms)
}

/// Adds the arithmetic of the score to a page, if the case was judged.
pub(crate) fn add_score(page: &mut Markup, case: &CaseResult) {
    let scoring = &case.metrics.scoring;
    let (terms, Some(value)) = (&scoring.soft_score.terms, scoring.soft_score.value) else { return };
    let weights = if has_default_weights(terms) { " with the default weights" } else { "" };
    page.paragraph(Line::new(format!("Soft score{weights}, weight × group score:")));
    let groups = scores(&case.check_details);
    for Term { group, weight, product, .. } in terms {
        let product = number(*product);
        let score = match groups.iter().find(|score| score.group.name() == group) {
            Some(score) if score.total > 0 => format!("{}/{} = {product}", score.passed, score.total),
            Some(_) => format!("1 = {product} (no checks)"),
            None => format!("1 = {product} (no such group)"),
        };
        page.item(0, Line::default().code(group).say(format!(": {} × {score}", number(*weight))));
    }
    let sum = |of: fn(&Term) -> f64| number(terms.iter().map(of).fold(0.0, |sum, one| sum + one));
    let (products, weights) = (sum(|term| term.product), sum(|term| term.weight));
    let relation = match scoring.soft_score.threshold {
        None => "; there is no threshold.".to_owned(),
        Some(threshold) if value >= threshold => format!(" reaches the threshold {}.", number(threshold)),
        Some(threshold) => format!(" is below the threshold {}.", number(threshold)),
    };
    page.paragraph(Line::new(format!("{products} / {weights} = ")).strong(number(value)).say(relation));
    if !scoring.hard_fail_triggered.is_empty() {
        let groups = scoring.hard_fail_triggered.iter().map(|group| group.name());
        page.paragraph(Line::new("Hard fail: not all checks passed in ").list(groups, "and", LISTED).say("."));
    }
}

/// Adds a check with its evidence, and with its place in `suite`, the path of the suite, if that is given.
pub(crate) fn add_check(page: &mut Markup, check: &CheckResult, suite: Option<&str>) {
    page.item(
        0,
        Line::default().outcome(check.outcome).say(" ").name(check_name(check)).say(": ").message(&check.message),
    );
    if let (Some(suite), Some(LineColumn { line, column })) = (suite, check.suite) {
        page.item(1, Line::default().text(&format!("{suite}:{line}:{column}")));
    }
    add_evidence(page, 1, check);
}

/// Adds the places in the transcript that decided a check, or come nearest, as items of that depth.
pub(crate) fn add_evidence(page: &mut Markup, depth: usize, check: &CheckResult) {
    let is_shown = |near: &&Evidence| check.evidence.iter().any(|evidence| evidence.place == near.place);
    check.evidence.iter().for_each(|evidence| page.item(depth, evidence_line(evidence)));
    for near in check.nearest.iter().filter(|near| !is_shown(near)) {
        page.item(depth, Line::new("nearest: ").then(evidence_line(near)));
    }
}

/// Adds what of a reason its headline does not show.
pub(crate) fn add_further(page: &mut Markup, reason: Option<&str>) {
    let further = further_reason(reason.unwrap_or_default());
    if !further.is_empty() {
        page.code_block(&further.lines().map(disarmed).collect::<Vec<_>>().join("\n"));
    }
}

/// The sign of an outcome: `✓`, `✗`, `?` or `!`.
pub(crate) fn sign(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Passed => "✓",
        CheckOutcome::Failed => "✗",
        CheckOutcome::Unknown => "?",
        CheckOutcome::NotJudged => "!",
    }
}

/// Evidence as a list item: ``line 4, column 1: `Git hub` ``.
fn evidence_line(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("line {line}, column {column}: "),
        EvidencePlace::Page { page: LineColumn { line, column } } => format!("page, line {line}, column {column}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    let line = Line::new(place).code(&evidence.text);
    if evidence.in_prompt { line.say(" (your own prompt)") } else { line }
}

/// Evidence within a message: `` `Git hub` on line 4 ``.
pub(crate) fn evidence_phrase(evidence: &Evidence) -> String {
    match evidence.place {
        EvidencePlace::Response(LineColumn { line, .. }) => format!("{} on line {line}", quoted(&evidence.text)),
        EvidencePlace::Page { page: LineColumn { line, .. } } => {
            format!("{} on line {line} of the page", quoted(&evidence.text))
        }
        EvidencePlace::Telemetry { event } => format!("{} in event {event}", quoted(&evidence.text)),
    }
}

/// Evidence within a label: `line 12: "GitHub: 12"`, of at most `max` code points.
pub(crate) fn evidence_label(evidence: &Evidence, max: usize) -> String {
    match evidence.place {
        EvidencePlace::Telemetry { event } => format!("event {event}"),
        EvidencePlace::Response(LineColumn { line, .. }) | EvidencePlace::Page { page: LineColumn { line, .. } } => {
            let is_page = matches!(evidence.place, EvidencePlace::Page { .. });
            let start = format!("{}line {line}: \"", if is_page { "page, " } else { "" });
            let rest = max.saturating_sub(start.chars().count() + 1);
            format!("{start}{}\"", cut(&plain(&evidence.text), rest))
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// What is shown in the place of an age that is none.
pub(super) const IN_FUTURE: &str = "recorded in the future";

/// The seconds since `moment`. `None` if it is in the future, by more than the clocks of two machines differ.
fn seconds_since(moment: SystemTime, now: SystemTime) -> Option<u64> {
    match now.duration_since(moment) {
        Ok(age) => Some(age.as_secs()),
        Err(ahead) => (ahead.duration().as_secs() < MINUTE).then_some(0),
    }
}

/// The time since `moment`, in few letters: `just now`, `3m ago`, `5h ago`, `12d ago`, `recorded in the future`.
pub(crate) fn age(moment: SystemTime, now: SystemTime) -> String {
    let Some(seconds) = seconds_since(moment, now) else { return IN_FUTURE.to_owned() };
    match seconds {
        ..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{}m ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h ago", seconds / HOUR),
        seconds => format!("{}d ago", seconds / DAY),
    }
}

/// How old something of `moment` is: `less than a minute old`, `1 minute old`, `5 hours old`, `12 days old`. `None` if that
/// is in the future.
pub(super) fn old(moment: SystemTime, now: SystemTime) -> Option<String> {
    let (count, unit) = match seconds_since(moment, now)? {
        ..MINUTE => return Some("less than a minute old".to_owned()),
        seconds @ MINUTE..HOUR => (seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => (seconds / HOUR, "hour"),
        seconds => (seconds / DAY, "day"),
    };
    Some(format!("{count} {unit}{} old", if count == 1 { "" } else { "s" }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn ages_are_short() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 * DAY);
        for (seconds, text) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1m ago"),
            (HOUR - 1, "59m ago"),
            (HOUR, "1h ago"),
            (DAY - 1, "23h ago"),
            (400 * DAY, "400d ago"),
        ] {
            assert_eq!(age(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(age(now + Duration::from_secs(59), now), "just now", "clocks differ");
        assert_eq!(age(now + Duration::from_secs(60), now), "recorded in the future");
        assert_eq!(old(now + Duration::from_secs(DAY), now), None);
        for (seconds, text) in [
            (59, "less than a minute old"),
            (60, "1 minute old"),
            (2 * HOUR, "2 hours old"),
            (DAY, "1 day old"),
            (400 * DAY, "400 days old"),
        ] {
            assert_eq!(old(now - Duration::from_secs(seconds), now).as_deref(), Some(text));
        }
    }
}
