//! Verdicts in detail: the arithmetic of a case, and the evidence of a check.

use std::time::SystemTime;

use super::findings::staleness;
use super::{JudgedCase, JudgedCheck};
use crate::checks::CheckOutcome;
use crate::text::counted;
use crate::wording::{Headline, Line, Markup, age, evidence_line};

/// How many checks that did not pass are listed.
const LISTED: usize = 8;

/// The verdict on a case: the checks that did not pass, the arithmetic of the score, and the source of the answer. `is_stored` is
/// whether an answer in memory is also the one in the file.
pub(crate) fn case_page(verdict: &JudgedCase, is_stored: bool, now: SystemTime) -> Markup {
    let mut page = Markup::default();
    page.paragraph(head(verdict));
    if let Some(before) = verdict.label_before() {
        page.paragraph(Line::new("The checks below are about the previous answer, ").message(&before).say("."));
    }
    open_checks(verdict, &mut page);
    if let Some(score) = verdict.score_text() {
        score.add_to(&mut page);
    }
    page.paragraph(provenance(verdict, is_stored, now));
    if let Some(older) = verdict.headline().newer_reason() {
        page.paragraph(Line::default().message(&older).say("."));
    }
    page
}

/// The result of a check with its evidence.
pub(crate) fn check_page(verdict: &JudgedCase, check: &JudgedCheck<'_>) -> Markup {
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
    check.result.evidence.iter().for_each(|evidence| page.item(0, evidence_line(evidence)));
    check.nearest.iter().for_each(|nearest| page.item(0, Line::new("nearest: ").then(evidence_line(nearest))));
    page.paragraph(Line::new("Check ").code(&check.result.id));
    page
}

fn head(verdict: &JudgedCase) -> Line {
    let Headline { checks, failed, unknown, .. } = verdict.headline();
    let all = counted(checks, "check");
    let mut line = Line::default().strong(verdict.status().name());
    line = match verdict.reason() {
        Some(reason) => line.say(": ").message(&reason).say("."),
        None if failed > 0 => line.say(format!(": {failed} of {all} failed.")),
        None if unknown > 0 => line.say(format!(": {unknown} of {all} unknown.")),
        None => line.say(format!(": {all} passed.")),
    };
    match staleness(verdict) {
        Some(why) => line.say(format!(" Stale: {why}.")),
        None => line,
    }
}

fn open_checks(verdict: &JudgedCase, page: &mut Markup) {
    let is_open = |check: &JudgedCheck<'_>| check.result.outcome != CheckOutcome::Passed;
    for check in verdict.checks_by_place().into_iter().filter(is_open).take(LISTED) {
        page.item(0, Line::default().code(check.field).say(": ").message(&check.result.message));
    }
    let more = verdict.checks().filter(is_open).count().saturating_sub(LISTED);
    if more > 0 {
        page.item(0, Line::new(format!("{more} more")));
    }
}

fn provenance(verdict: &JudgedCase, is_stored: bool, now: SystemTime) -> Line {
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
            line.say(", stored in ").code(&name).say(".")
        }
        None if is_stored => line.say(", the same answer as the stored one."),
        None => line.say(", not accepted as the transcript."),
    }
}

fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1000.0) }
}
