//! Verdicts at length: the arithmetic of a case, and what a check found.

use std::time::SystemTime;

use super::findings::staleness;
use super::{CaseVerdict, JudgedCheck};
use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::text::{LineColumn, counted, number};
use crate::verdict::{GroupScore, SoftScore, Status, Term, Verdict};
use crate::wording::age;
use crate::wording::{Line, Markup};

/// How many checks that did not pass are listed.
const LISTED: usize = 8;

/// The verdict on a case: what did not pass, how the score comes about, and whose answer it is about.
pub fn case_page(verdict: &CaseVerdict, now: SystemTime) -> Markup {
    let mut page = Markup::default();
    page.paragraph(head(verdict));
    open_checks(verdict, &mut page);
    if let Some(judged) = verdict.verdict.as_ref().filter(|judged| judged.status != Status::Error) {
        arithmetic(judged, &mut page);
    }
    page.paragraph(provenance(verdict, now));
    page
}

/// What a check found.
pub fn check_page(verdict: &CaseVerdict, check: &JudgedCheck<'_>) -> Markup {
    let mut page = Markup::default();
    let word = match check.result.outcome {
        CheckOutcome::Passed => "Passed",
        CheckOutcome::Failed => "Failed",
        CheckOutcome::Unknown => "Unknown",
        CheckOutcome::NotJudged => "Not judged",
    };
    let mut head = Line::default().strong(word).say(": ").message(&check.result.message).say(".");
    if let Some(why) = staleness(verdict) {
        head = head.say(format!(" Stale: {why}."));
    }
    page.paragraph(head);
    check.result.evidence.iter().for_each(|evidence| page.item(0, found(evidence)));
    check.nearest.iter().for_each(|nearest| page.item(0, Line::new("nearest: ").then(found(nearest))));
    page.paragraph(Line::new("Check ").code(&check.result.id).say("."));
    page
}

fn head(verdict: &CaseVerdict) -> Line {
    let total = verdict.checks().count();
    let failed = verdict.count(CheckOutcome::Failed);
    let unknown = verdict.count(CheckOutcome::Unknown);
    let mut line = Line::default().strong(verdict.status().name());
    line = match verdict.error() {
        Some(reason) => line.say(": ").message(reason).say("."),
        None if failed > 0 => line.say(format!(": {failed} of {} failed.", counted(total, "check"))),
        None if unknown > 0 => line.say(format!(": {unknown} of {} cannot be told.", counted(total, "check"))),
        None => line.say(format!(": {} passed.", counted(total, "check"))),
    };
    match staleness(verdict) {
        Some(why) => line.say(format!(" Stale: {why}.")),
        None => line,
    }
}

fn open_checks(verdict: &CaseVerdict, page: &mut Markup) {
    let is_open = |check: &JudgedCheck<'_>| check.result.outcome != CheckOutcome::Passed;
    for check in verdict.checks().filter(is_open).take(LISTED) {
        page.item(0, Line::default().code(check.field).say(": ").message(&check.result.message));
    }
    let more = verdict.checks().filter(is_open).count().saturating_sub(LISTED);
    if more > 0 {
        page.item(0, Line::new(format!("{more} more")));
    }
}

fn arithmetic(judged: &Verdict, page: &mut Markup) {
    let score = &judged.soft_score;
    let weights = if score.default_weights { " with the default weights" } else { "" };
    page.paragraph(Line::new(format!("Soft score{weights}, weight × group score:")));
    for term in &score.terms {
        page.item(0, of_term(term, &judged.groups));
    }
    page.paragraph(sum(score));
    if !judged.hard_fail_triggered.is_empty() {
        let groups = judged.hard_fail_triggered.iter().map(|group| group.name());
        page.paragraph(Line::new("Hard fail: ").list(groups, "and", LISTED).say(" did not pass as a whole."));
    }
}

fn of_term(term: &Term, groups: &[GroupScore; 6]) -> Line {
    let line = Line::default().code(&term.group).say(format!(": {} × ", number(term.weight)));
    let product = number(term.product);
    match groups.iter().find(|score| score.group.name() == term.group) {
        Some(score) if score.total > 0 => line.say(format!("{}/{} = {product}", score.passed, score.total)),
        Some(_) => line.say(format!("1 = {product} (no checks)")),
        None => line.say(format!("1 = {product} (no such group)")),
    }
}

fn sum(score: &SoftScore) -> Line {
    let value = number(score.value);
    let line = Line::new(format!("{} / {} = ", number(score.product_sum), number(score.weight_sum))).strong(value);
    match score.threshold {
        None => line.say("; there is no threshold."),
        Some(threshold) if score.passed => line.say(format!(" reaches the threshold {}.", number(threshold))),
        Some(threshold) => line.say(format!(" is below the threshold {}.", number(threshold))),
    }
}

fn provenance(verdict: &CaseVerdict, now: SystemTime) -> Line {
    let answer = &verdict.answer;
    let Ok(transcript) = &answer.transcript else { return Line::default() };
    let mut line = Line::new("Answered");
    if let Some(target) = &transcript.target {
        line = line.say(" by ").code(target);
    }
    if let Some(milliseconds) = transcript.duration_ms {
        line = line.say(format!(" in {}", duration(milliseconds)));
    }
    if let Some(moment) = answer.moment {
        let comma = if transcript.target.is_some() || transcript.duration_ms.is_some() { "," } else { "" };
        line = line.say(format!("{comma} {}", age(moment, now)));
    }
    if let Some(recorded) = &transcript.recorded_at {
        line = line.say(" (").text(recorded).say(")");
    }
    match &answer.file {
        Some(file) => {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            line.say(", kept in ").code(&name).say(".")
        }
        None => line.say(", not kept in a file."),
    }
}

fn found(evidence: &Evidence) -> Line {
    let line = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => Line::new(format!("line {line}, column {column}: ")),
        EvidencePlace::Telemetry { event } => Line::new(format!("event {event}: ")),
    };
    line.code(&evidence.text)
}

fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1000.0) }
}
