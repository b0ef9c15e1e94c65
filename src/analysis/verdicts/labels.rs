//! Verdicts in the few words that fit behind a line. Text of others in them is made visible, and cut.

use std::time::SystemTime;

use super::{CaseVerdict, JudgedCheck};
use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::text::{LineColumn, number, visible};
use crate::verdict::{Status, Verdict};
use crate::wording::age;

/// How long a label is at most, in code points.
const LONGEST: usize = 60;
/// How long a reason is at most within one.
const REASON: usize = 40;

/// What came of a case: `PASS 0.92 · 3m ago`, `FAIL 2 of 7 checks · stale`.
pub(in crate::analysis) fn case_label(verdict: &CaseVerdict, now: SystemTime) -> String {
    let mut parts = vec![headline(verdict)];
    parts.extend(verdict.answer.moment.map(|moment| age(moment, now)));
    if verdict.is_stale() {
        parts.push("stale".to_owned());
    }
    parts.join(" · ")
}

/// What came of a case, without when: `PASS 0.92`, `FAIL 2 of 7 checks`, `ERROR no such file`.
pub fn headline(verdict: &CaseVerdict) -> String {
    let status = verdict.status();
    let why = match (status, &verdict.verdict) {
        (Status::Error, _) => cut(&plain(verdict.error().unwrap_or("not judged")), REASON),
        (Status::Fail, Some(judged)) => why_failed(verdict, judged),
        (Status::Pass | Status::Partial, Some(judged)) => score(judged.soft_score.value),
        (_, None) => String::new(),
    };
    format!("{status} {why}")
}

/// What came of a check: `✓ line 12: "GitHub: 12"`, `✗ not said; nearest line 4: "Git hub"`.
pub(in crate::analysis) fn check_label(check: &JudgedCheck<'_>) -> String {
    let result = check.result;
    let evidence = result.evidence.first();
    let label = match result.outcome {
        CheckOutcome::Passed => match evidence {
            Some(evidence) => format!("✓ {}", place(evidence, LONGEST - 2)),
            None => format!("✓ {}", in_short(check)),
        },
        CheckOutcome::Unknown => "? not defined".to_owned(),
        CheckOutcome::NotJudged => format!("! {}", plain(&result.message)),
        CheckOutcome::Failed => match (check.nearest.first(), evidence) {
            (Some(nearest), _) => {
                let lacking = format!("✗ {}; nearest ", in_short(check));
                let room = LONGEST.saturating_sub(lacking.chars().count());
                format!("{lacking}{}", place(nearest, room))
            }
            (None, Some(evidence)) if is_forbidden(check) => format!("✗ {}", place(evidence, LONGEST - 2)),
            (None, _) => format!("✗ {}", in_short(check)),
        },
    };
    cut(&label, LONGEST)
}

/// A number with at most two decimals, rounded down, so that it never looks better than it is.
pub(super) fn score(value: f64) -> String {
    // Half a millionth makes up for what a double cannot hold; scores have six decimals.
    let hundredths = (value * 100.0 + 0.000_05).floor() / 100.0;
    let text = format!("{hundredths:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn why_failed(verdict: &CaseVerdict, judged: &Verdict) -> String {
    let total = judged.checks.len();
    match (verdict.count(CheckOutcome::Failed), judged.soft_score.threshold) {
        (0, _) if !judged.hard_fail_triggered.is_empty() => {
            let groups: Vec<_> = judged.hard_fail_triggered.iter().map(|group| group.name()).collect();
            cut(&format!("hard fail: {}", groups.join(", ")), REASON)
        }
        (0, Some(threshold)) => {
            let value = judged.soft_score.value;
            cut(&format!("soft score {} of {}", number(value), number(threshold)), REASON)
        }
        (failed, _) => format!("{failed} of {total} check{}", if total == 1 { "" } else { "s" }),
    }
}

/// Whether the check fails because something is there.
fn is_forbidden(check: &JudgedCheck<'_>) -> bool {
    matches!(check.field, "must_not_say" | "must_not_match_regex" | "tool_calls_none")
}

/// The message, without the text of the suite that stands just before the label.
fn in_short(check: &JudgedCheck<'_>) -> String {
    let message = check.result.message.as_str();
    let short = match check.field {
        "must_not_say" | "must_say_any" | "must_label_assumptions" | "must_allow_override_actions" => Some("not said"),
        "required_sources" if message.ends_with(" said") => Some("not said"),
        "tool_calls_any" | "tool_calls_none" => Some("not called"),
        "must_ground_numbers" if message.ends_with(" is not shown") => Some("not shown"),
        _ if message.starts_with("no line matches") && check.field != "claim_evidence_alignment" => Some("no match"),
        _ => None,
    };
    // What the pattern is stands there, too.
    let fault = message.find("does not compile, at").filter(|_| message.starts_with("the pattern "));
    short.map_or_else(|| plain(&message[fault.unwrap_or(0)..]), str::to_owned)
}

/// Where something stands, and what: `line 12: "GitHub: 12"`, within so many code points.
fn place(evidence: &Evidence, room: usize) -> String {
    match evidence.place {
        EvidencePlace::Telemetry { event } => format!("event {event}"),
        EvidencePlace::Response(LineColumn { line, .. }) => {
            let before = format!("line {line}: \"");
            let room = room.saturating_sub(before.chars().count() + 1);
            format!("{before}{}\"", cut(&plain(&evidence.text), room))
        }
    }
}

/// A text in which nothing is obeyed or unseen.
fn plain(text: &str) -> String {
    text.chars().filter(|c| *c != '`').map(visible).collect()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn scores_never_look_better_than_they_are() {
        for (value, shown) in
            [(1.0, "1"), (0.8, "0.8"), (0.92, "0.92"), (0.799_999, "0.79"), (0.29, "0.29"), (0.0, "0")]
        {
            assert_eq!(score(value), shown);
        }
    }
}
