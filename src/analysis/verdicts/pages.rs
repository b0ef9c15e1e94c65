//! Verdicts in detail: the arithmetic of a case, the evidence of a check, and the results of a case and of a suite.

use std::time::SystemTime;

use crate::analysis::Document;
use crate::checks::CheckOutcome;
use crate::suite::Case;
use crate::text::{counted, seconds};
use crate::verdict::Status;
use crate::wording::{
    Line, Markup, add_check, add_evidence, add_score, age, code_block, count_checks, newer_reason, score_tells, sign,
};

use super::findings::staleness;
use super::{Answers, JudgedCase, JudgedCheck};

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
    add_score(&mut page, &verdict.result);
    page.paragraph(provenance(verdict, is_stored, now));
    if let Some(older) = newer_reason(&verdict.result) {
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
    add_evidence(&mut page, 0, check.result);
    page.paragraph(Line::new("Check ").code(&check.result.id));
    page
}

fn head(verdict: &JudgedCase) -> Line {
    let (failed, unknown) = (verdict.count(CheckOutcome::Failed), verdict.count(CheckOutcome::Unknown));
    let all = counted(count_checks(&verdict.result), "check");
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
        page.item(0, Line::default().code(check.result.field).say(": ").message(&check.result.message));
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
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { seconds(milliseconds) }
}

/// Returns the result of the case with that id, for its current text; `None` if it has no answer.
pub(crate) fn case_result(document: &Document, answers: &Answers, id: &str) -> Option<String> {
    let is_meant = |case: &Case| case.id.as_ref().is_some_and(|known| known.value == id);
    let index = document.suite().cases.iter().position(|placed| is_meant(&placed.case))?;
    let verdict = document.verdict(index, answers)?;
    let mut page = Markup::default();
    page.paragraph(Line::new("# ").text(id).say(format!(" · {}", verdict.status())));
    result_head(&mut page, &verdict);
    if verdict.answer.transcript.is_ok() {
        page.paragraph(Line::new("## Checks"));
        verdict.checks_by_place().iter().for_each(|check| add_check(&mut page, check.result, None));
    }
    if verdict.result.status != Status::Error && score_tells(&verdict.result) {
        page.paragraph(Line::new("## Score"));
        add_score(&mut page, &verdict.result);
    }
    let mut text = page.to_markdown();
    if let Ok(transcript) = &verdict.answer.transcript {
        let setup = transcript.setup_prompts.iter().flatten();
        for prompt in setup.chain(&transcript.prompt) {
            text.push_str("\n\n## Prompt\n\n");
            text.push_str(&code_block(prompt));
        }
        text.push_str("\n\n## Answer\n\n");
        text.push_str(&code_block(&transcript.response));
    }
    text.push('\n');
    Some(text)
}

/// Returns the results of all cases of a suite that have an answer.
pub(crate) fn suite_result(document: &Document, answers: &Answers, name: &str) -> String {
    let summary = document.summary(answers);
    let mut page = Markup::default();
    page.paragraph(Line::new("# ").text(name));
    page.paragraph(Line::new(format!("{}: {}", counted(summary.total(), "case"), summary.words().join(", "))));
    for (placed, verdict) in document.suite().cases.iter().zip(document.verdicts(answers)) {
        let id = placed.case.id.as_ref().map_or("", |id| &id.value);
        let Some(verdict) = verdict else {
            page.item(0, Line::new("not run: ").code(id));
            continue;
        };
        let stale = if verdict.is_stale() { " (stale)" } else { "" };
        page.item(0, Line::default().strong(verdict.status().to_string()).say(" ").code(id).say(stale));
        if let Some(reason) = verdict.reason() {
            page.item(1, Line::default().message(&reason));
        }
        for check in verdict.checks_by_place().iter().filter(|check| check.result.outcome != CheckOutcome::Passed) {
            page.item(1, Line::new(sign(check.result.outcome)).say(" ").message(&check.result.message));
        }
    }
    page.to_markdown() + "\n"
}

fn result_head(page: &mut Markup, verdict: &JudgedCase) {
    if let (Some(reason), Some(whole)) = (verdict.reason(), verdict.error()) {
        page.paragraph(Line::default().message(&reason));
        if whole.lines().nth(1).is_some() {
            page.code_block(whole);
        }
    }
    if let Some(before) = verdict.label_before() {
        page.paragraph(Line::new("The rest of this page is about the previous answer, ").message(&before).say("."));
    }
    if let Ok(transcript) = &verdict.answer.transcript {
        if let Some(target) = &transcript.target {
            page.item(0, Line::new("Target: ").code(target));
        }
        if let Some(at) = &transcript.recorded_at {
            page.item(0, Line::new("Answered: ").text(at));
        }
        if let Some(duration) = transcript.duration_ms {
            page.item(0, Line::new(format!("Took {duration} ms")));
        }
    }
    match &verdict.answer.file {
        Some(file) => page.item(0, Line::new("Transcript: ").code(&file.path.display().to_string())),
        None if verdict.answer.transcript.is_ok() => {
            page.item(0, Line::new("The answer is in a kept run, and not accepted as the transcript"));
        }
        None => {}
    }
    if verdict.is_stale() {
        page.item(0, Line::new("Stale: the prompts have changed since the answer"));
    }
    if let Some(older) = newer_reason(&verdict.result) {
        page.item(0, Line::default().message(&older));
    }
}
