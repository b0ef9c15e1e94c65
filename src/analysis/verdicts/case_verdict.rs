use std::sync::Arc;

use super::{Answer, carry};
use crate::checks::{self, CheckOutcome, CheckResult, Evidence, Judged};
use crate::config::Config;
use crate::suite::{Case, expectations};
use crate::text::Span;
use crate::verdict::{Status, Verdict, judge};
use crate::wording::{Headline, ScoreText};

/// The verdict on one case, with the answer that it is about. Spans count from the case's first byte.
#[derive(Clone, Debug)]
pub struct CaseVerdict {
    /// What was answered.
    pub answer: Arc<Answer>,
    /// The verdict; `None` where the answer cannot be read, and the case is `ERROR` for that.
    pub verdict: Option<Verdict>,
    /// Whether it is about an earlier text of the case, because the text that is there now cannot be read.
    pub outdated: bool,
    /// What goes with each check of the verdict, in the same order.
    notes: Vec<Note>,
    /// The case's text that was judged.
    text: Arc<str>,
}

/// A check, what it found, and where.
#[derive(Clone, Copy, Debug)]
pub struct JudgedCheck<'a> {
    /// What it found. Its own span is that in the text that was judged.
    pub result: &'a CheckResult,
    /// The suite's field that asks, for instance `must_say_any`.
    pub field: &'static str,
    /// What comes nearest, where the check failed because something is lacking.
    pub nearest: &'a [Evidence],
    /// The text that asks; `None` where an outdated verdict's is no longer there.
    pub span: Option<Span>,
    /// Where the answer's file has what was found, else what comes nearest: bytes of its text.
    pub in_file: Option<Span>,
}

#[derive(Clone, Debug)]
struct Note {
    field: &'static str,
    nearest: Vec<Evidence>,
    span: Option<Span>,
    in_file: Option<Span>,
}

impl CaseVerdict {
    /// Judges an answer of the case that `text` is.
    pub(in crate::analysis) fn of(case: &Case, text: &str, answer: Arc<Answer>, config: &Config) -> CaseVerdict {
        let verdict = answer.transcript.as_ref().ok().map(|transcript| judge(case, transcript, config));
        let notes = notes(case, &answer, config, verdict.as_ref());
        CaseVerdict { answer, verdict, outdated: false, notes, text: text.into() }
    }

    /// The same verdict for a text of the case that cannot be read, of which `case` is what is left.
    pub(in crate::analysis) fn carried_to(&self, case: &Case, text: &str) -> CaseVerdict {
        let mut carried = CaseVerdict { outdated: true, ..self.clone() };
        let checks = self.verdict.iter().flat_map(|verdict| &verdict.checks);
        let spans = carry::spans(&self.text, checks, text, case);
        for (note, span) in carried.notes.iter_mut().zip(spans) {
            note.span = span;
        }
        carried
    }

    /// The status.
    pub fn status(&self) -> Status {
        self.verdict.as_ref().map_or(Status::Error, |verdict| verdict.status)
    }

    /// Why the case could not be judged; exactly where the status is `ERROR`.
    pub fn error(&self) -> Option<&str> {
        match &self.verdict {
            Some(verdict) => verdict.error.as_deref(),
            None => self.answer.transcript.as_ref().err().map(String::as_str),
        }
    }

    /// The soft score; `None` where there is none, because the status is `ERROR`.
    pub fn soft_score(&self) -> Option<f64> {
        let scored = self.verdict.as_ref().filter(|verdict| verdict.status != Status::Error);
        scored.map(|verdict| verdict.soft_score.value)
    }

    /// The facts for the case's headline.
    pub fn headline(&self) -> Headline<'_> {
        let judged = self.verdict.as_ref();
        Headline {
            status: self.status(),
            error: self.error(),
            checks: judged.map_or(0, |verdict| verdict.checks.len()),
            failed: self.count(CheckOutcome::Failed),
            unknown: self.count(CheckOutcome::Unknown),
            hard_fail: judged.map_or(&[], |verdict| &verdict.hard_fail_triggered),
            score: self.soft_score(),
            threshold: judged.and_then(|verdict| verdict.soft_score.threshold),
            by_prompt: self
                .checks()
                .filter(|check| check.result.by_prompt && check.result.outcome == CheckOutcome::Passed)
                .count(),
            attempts: 0,
            stale: self.is_stale(),
        }
    }

    /// The score, to be shown; `None` if the status is `ERROR`.
    pub(in crate::analysis) fn score_text(&self) -> Option<ScoreText<'_>> {
        let judged = self.verdict.as_ref().filter(|verdict| verdict.status != Status::Error)?;
        Some(ScoreText {
            terms: &judged.soft_score.terms,
            value: judged.soft_score.value,
            threshold: judged.soft_score.threshold,
            groups: judged.groups,
            hard_fail: &judged.hard_fail_triggered,
        })
    }

    /// Whether it is not quite about what is there: the answer was given to other prompts, or the case's text cannot be
    /// read. Every place that shows the verdict says so.
    pub fn is_stale(&self) -> bool {
        self.outdated || self.verdict.as_ref().is_some_and(|verdict| verdict.stale)
    }

    /// The checks, in the order of the case's expectations.
    pub fn checks(&self) -> impl Iterator<Item = JudgedCheck<'_>> {
        let results = self.verdict.iter().flat_map(|verdict| &verdict.checks);
        results.zip(&self.notes).map(|(result, note)| JudgedCheck {
            result,
            field: note.field,
            nearest: &note.nearest,
            span: note.span,
            in_file: note.in_file,
        })
    }

    /// How many checks ended so.
    pub fn count(&self, outcome: CheckOutcome) -> usize {
        self.checks().filter(|check| check.result.outcome == outcome).count()
    }
}

fn notes(case: &Case, answer: &Answer, config: &Config, verdict: Option<&Verdict>) -> Vec<Note> {
    let (Some(verdict), Ok(transcript)) = (verdict, &answer.transcript) else { return Vec::new() };
    let judged = Judged::new(transcript, case, config);
    let checks = expectations(case).into_iter().zip(&verdict.checks);
    let notes = checks.map(|(asked, result)| {
        let lacking = result.outcome == CheckOutcome::Failed;
        let nearest = if lacking { checks::nearest(&asked, &judged, config) } else { Vec::new() };
        let is_open = result.outcome != CheckOutcome::Passed;
        let to_show = result.evidence.first().or(nearest.first()).filter(|_| is_open);
        let in_file = to_show.and_then(|evidence| answer.place(evidence));
        Note { field: asked.kind.field(), nearest, span: Some(asked.span), in_file }
    });
    notes.collect()
}
