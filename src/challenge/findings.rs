use crate::config::{ChallengeConfig, Level};
use crate::diagnostic::{Finding, Fix, Severity, quoted};
use crate::suite::Case;
use crate::text::{Span, counted};

use super::control::CheckControl;
use super::judge::{Attempt, CaseChallenges, CheckChallenges};
use super::remedies::{Change, Remedy};

/// The name of the finding about a case that passes an answer that ought to fail.
pub(crate) const PASSED_CHALLENGE: &str = "passed-challenge";
/// The name of the finding about a check that the prompts alone meet.
pub(crate) const MET_BY_PROMPT: &str = "met-by-prompt";
/// The name of the finding about a check that notices no challenge.
pub(crate) const IDLE_CHECK: &str = "idle-check";

/// The name of the finding about a check that fails on a rewrite of an answer that it passes.
pub(crate) const BRITTLE_CHECK: &str = "brittle-check";
/// The name of the finding about a check that does not separate the answers of a case from those of the control.
pub(crate) const SAME_AS_CONTROL: &str = "same-as-control";

/// The findings about a case, their spans counted from its start: one for all challenges of a level that it passes, one
/// for each check that the prompts alone meet, that notices no challenge, that fails on a rewrite, or that passes the control as often.
///
/// A check that cannot fail on any answer, like `outcome: response_only`, gives no finding.
pub(crate) fn findings(case: &Case, judged: &CaseChallenges, config: &ChallengeConfig) -> Vec<Finding> {
    let mut findings = breaches(case, judged, config);
    for check in judged.checks.iter().filter(|check| check.can_fail) {
        if !check.brittle.is_empty() {
            let names: Vec<&str> = check.brittle.iter().map(|rewrite| rewrite.name()).collect();
            let message = format!(
                "{} passes the answer, and fails {} of {} that mean the same: {}",
                quoted(&check.id),
                names.len(),
                counted(check.rewrites.len(), "rewrite"),
                names.join(", ")
            );
            let mut finding = Finding::new(BRITTLE_CHECK, Severity::Hint, check.span, message);
            let settings = check.remedies.iter().filter(|remedy| remedy.change == Change::PlainReading);
            finding.help.extend(settings.map(|remedy| remedy.title.clone()));
            findings.push(finding);
        }
        let (name, message) = if check.met_by_prompt {
            (
                MET_BY_PROMPT,
                format!("the prompt alone meets {}, so the check passes without an answer", quoted(&check.id)),
            )
        } else if check.is_idle() {
            (IDLE_CHECK, format!("{} notices none of {} challenges", quoted(&check.id), judged.attempts.len()))
        } else {
            continue;
        };
        let mut finding = Finding::new(name, Severity::Hint, check.span, message);
        for Remedy { title, change } in &check.remedies {
            match change {
                Change::PlainReading => {}
                Change::ReplyOnly => finding.help.push(title.clone()),
                Change::Case(edits) => finding.fixes.push(Fix::choice(title, edits.clone())),
            }
        }
        findings.push(finding);
    }
    let same = judged.checks.iter().filter(|check| check.is_same_as_control());
    findings.extend(same.filter_map(|check| Some(same_as_control(check, check.control?))));
    findings
}

fn same_as_control(check: &CheckChallenges, counts: CheckControl) -> Finding {
    let message = format!("{} passes {}: it does not separate them", quoted(&check.id), counts.rates());
    Finding::new(SAME_AS_CONTROL, Severity::Hint, check.span, message)
}

fn breaches(case: &Case, judged: &CaseChallenges, config: &ChallengeConfig) -> Vec<Finding> {
    let id = case.id.as_ref();
    let span = id.map_or(Span::new(0, case.len.min(1)), |id| id.span);
    let id = id.map_or("", |id| &id.value);
    let severities =
        [(Level::Error, Severity::Error), (Level::Warning, Severity::Warning), (Level::Hint, Severity::Hint)];
    let findings = severities.into_iter().filter_map(|(level, severity)| {
        let counts = |attempt: &&Attempt| {
            let kind = attempt.challenge.kind();
            attempt.is_breach() && config.level(kind) == level && config.exception(id, kind).is_none()
        };
        let passed: Vec<&Attempt> = judged.attempts.iter().filter(counts).collect();
        let first = passed.first()?;
        let reason = first.reason.unwrap_or_default();
        let names: Vec<String> = passed.iter().map(|attempt| attempt.challenge.to_string()).collect();
        let message = match &names[..] {
            [name] => format!("{} passes the challenge {}: {reason}", quoted(id), quoted(name)),
            [first, ..] => format!(
                "{} passes {} challenges ({}); {}: {reason}",
                quoted(id),
                names.len(),
                quoted(&names.join(", ")),
                quoted(first),
            ),
            [] => return None,
        };
        Some(Finding::new(PASSED_CHALLENGE, severity, span, message))
    });
    findings.collect()
}
