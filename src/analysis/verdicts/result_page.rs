//! Results for people, as Markdown.

use super::{Answers, CaseVerdict, JudgedCheck};
use crate::analysis::Document;
use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::suite::Case;
use crate::text::{LineColumn, visible};
use crate::verdict::Verdict;
use crate::wording::{Line, Markup};

/// How much of an answer is shown, in code points.
const SHOWN: usize = 200_000;

/// The result of the case with that id, on its text as it is now; `None` where it has no answer.
pub fn case_result(document: &Document, answers: &Answers, id: &str) -> Option<String> {
    let is_meant = |case: &Case| case.id.as_ref().is_some_and(|known| known.value == id);
    let index = document.suite().cases.iter().position(|placed| is_meant(&placed.case))?;
    let verdict = document.verdict(index, answers)?;
    let mut page = Markup::default();
    page.paragraph(Line::new("# ").text(id).say(format!(" · {}", verdict.status())));
    head(&mut page, &verdict);
    if let Some(judged) = &verdict.verdict {
        page.paragraph(Line::new("## Checks"));
        verdict.checks().for_each(|check| item(&mut page, &check));
        scoring(&mut page, judged);
    }
    let mut text = page.to_markdown();
    if let Ok(transcript) = &verdict.answer.transcript {
        text.push_str("\n\n## Answer\n\n");
        text.push_str(&block(&transcript.response));
    }
    text.push('\n');
    Some(text)
}

/// The results of all cases of a suite that have an answer.
pub fn suite_result(document: &Document, answers: &Answers, name: &str) -> String {
    let summary = document.summary(answers);
    let mut page = Markup::default();
    page.paragraph(Line::new("# ").text(name));
    page.paragraph(Line::new(format!(
        "{} cases: {} pass, {} partial, {} fail, {} error, {} not run",
        summary.total(),
        summary.pass,
        summary.partial,
        summary.fail,
        summary.error,
        summary.not_run
    )));
    for (placed, verdict) in document.suite().cases.iter().zip(document.verdicts(answers)) {
        let id = placed.case.id.as_ref().map_or("", |id| &id.value);
        let Some(verdict) = verdict else {
            page.item(0, Line::new("not run: ").code(id));
            continue;
        };
        let stale = if verdict.is_stale() { " (stale)" } else { "" };
        page.item(0, Line::default().strong(verdict.status().to_string()).say(" ").code(id).say(stale));
        if let Some(reason) = verdict.error() {
            page.item(1, Line::default().message(reason));
        }
        let open = verdict.checks().filter(|check| check.result.outcome != CheckOutcome::Passed);
        open.for_each(|check| page.item(1, Line::new(sign(check.result.outcome)).message(&check.result.message)));
    }
    page.to_markdown() + "\n"
}

fn head(page: &mut Markup, verdict: &CaseVerdict) {
    if let Some(reason) = verdict.error() {
        page.paragraph(Line::default().message(reason));
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
    let kept = match &verdict.answer.file {
        Some(file) => Line::new("Transcript: ").code(&file.path.display().to_string()),
        None => Line::new("The transcript is in memory, and not kept yet"),
    };
    page.item(0, kept);
    if verdict.is_stale() {
        let stale = "Stale: the case has other prompts now than those that were answered, or cannot be read";
        page.item(0, Line::new(stale));
    }
}

fn sign(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Passed => "✓ ",
        CheckOutcome::Failed => "✗ ",
        CheckOutcome::Unknown => "? ",
        CheckOutcome::NotJudged => "! ",
    }
}

fn item(page: &mut Markup, check: &JudgedCheck<'_>) {
    page.item(0, Line::new(sign(check.result.outcome)).code(&check.result.id).say(": ").message(&check.result.message));
    for evidence in &check.result.evidence {
        page.item(1, found(evidence));
    }
    for evidence in check.nearest {
        page.item(1, Line::new("nearest: ").then(found(evidence)));
    }
}

fn found(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("line {line}, column {column}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    Line::new(place).code(&evidence.text)
}

fn scoring(page: &mut Markup, judged: &Verdict) {
    let score = &judged.soft_score;
    if score.default_weights && score.threshold.is_none() && judged.hard_fail_triggered.is_empty() {
        return;
    }
    page.paragraph(Line::new("## Score"));
    for term in &score.terms {
        let sum = format!(": {} × {:.3} = {:.3}", term.weight, term.score, term.product);
        page.item(0, Line::default().code(&term.group).say(sum));
    }
    let threshold = score.threshold.map(|threshold| format!(", threshold {threshold}")).unwrap_or_default();
    page.item(0, Line::new(format!("Soft score {}{threshold}", score.value)));
    for group in &judged.hard_fail_triggered {
        page.item(0, Line::new("Hard fail: ").code(group.name()));
    }
}

/// A text as a block of code that its own text cannot end.
fn block(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if matches!(c, '\n' | '\t') { c } else { visible(c) }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    let runs = shown.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{shown}\n{fence}")
}
