//! What the case's last answer came to.

use std::collections::HashSet;

use super::super::verdicts::{CaseVerdict, JudgedCheck, case_page};
use super::Around;
use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::text::LineColumn;
use crate::wording::{Line, Markup};

impl Around<'_> {
    /// What the last answer came to for the whole case, and how the score comes about.
    pub(super) fn verdict(&self, page: &mut Markup) {
        if let Some(verdict) = self.verdict.as_deref() {
            page.append(case_page(verdict, self.now));
        }
    }

    /// What the last answer came to for the checks that the text under the cursor makes.
    pub(super) fn verdict_here(&self, page: &mut Markup) {
        let Some(verdict) = self.verdict.as_deref() else { return };
        let here = self.checks_here();
        let asked: HashSet<_> = here.iter().map(|index| (self.checks[*index].span, &self.checks[*index].id)).collect();
        let is_asked =
            |check: &JudgedCheck<'_>| check.span.is_some_and(|span| asked.contains(&(span, &check.result.id)));
        let told: Vec<_> = verdict.checks().filter(is_asked).collect();
        let line = Line::default().strong("Last answer").say(staleness(verdict)).say(": ");
        match told.as_slice() {
            [] => {}
            [only] => page.paragraph(line.then(found(only)).say(".")),
            several => {
                let passed = several.iter().filter(|check| check.result.outcome == CheckOutcome::Passed).count();
                page.paragraph(line.say(format!("{passed} of {} passed.", several.len())));
            }
        }
    }
}

/// What a check found, and where.
fn found(check: &JudgedCheck<'_>) -> Line {
    let outcome = match check.result.outcome {
        CheckOutcome::Passed => "passed, ",
        CheckOutcome::Failed => "failed, ",
        CheckOutcome::Unknown => "undecided, ",
        CheckOutcome::NotJudged => "could not be judged, ",
    };
    let line = Line::new(outcome).message(&check.result.message);
    let line = check.result.evidence.iter().take(1).fold(line, |line, evidence| line.say(": ").code(&evidence.text));
    check.nearest.iter().take(1).fold(line, |line, nearest| line.say("; nearest is ").then(place(nearest)))
}

/// ``line 12: `GitHub: 12` ``
fn place(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, .. }) => format!("line {line}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    Line::new(place).code(&evidence.text)
}

fn staleness(verdict: &CaseVerdict) -> &'static str {
    if verdict.is_stale() { " (stale)" } else { "" }
}
