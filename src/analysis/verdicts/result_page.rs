//! Results for people, as Markdown.

use super::{Answers, JudgedCase, JudgedCheck};
use crate::analysis::Document;
use crate::checks::{CheckOutcome, CheckResult};
use crate::suite::Case;
use crate::text::counted;
use crate::wording::{CheckText, Line, Markup, check_item, code_block, sign};

/// Returns the result of the case with that id, for its current text; `None` if it has no answer.
pub(crate) fn case_result(document: &Document, answers: &Answers, id: &str) -> Option<String> {
    let is_meant = |case: &Case| case.id.as_ref().is_some_and(|known| known.value == id);
    let index = document.suite().cases.iter().position(|placed| is_meant(&placed.case))?;
    let verdict = document.verdict(index, answers)?;
    let mut page = Markup::default();
    page.paragraph(Line::new("# ").text(id).say(format!(" · {}", verdict.status())));
    head(&mut page, &verdict);
    if verdict.verdict.is_some() {
        page.paragraph(Line::new("## Checks"));
        verdict.checks_by_place().iter().for_each(|check| check_item(&mut page, &text_of(check)));
    }
    let score = verdict.score_text();
    if let Some(score) = score.filter(|score| score.is_decisive() || !score.has_default_weights()) {
        page.paragraph(Line::new("## Score"));
        score.add_to(&mut page);
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

fn head(page: &mut Markup, verdict: &JudgedCase) {
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
    if let Some(older) = verdict.headline().newer_reason() {
        page.item(0, Line::default().message(&older));
    }
}

fn text_of<'a>(check: &JudgedCheck<'a>) -> CheckText<'a> {
    let CheckResult { id, outcome, message, evidence, .. } = check.result;
    CheckText { id, outcome: *outcome, message, evidence, nearest: check.nearest }
}
