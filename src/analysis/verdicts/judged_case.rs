use std::sync::Arc;

use super::{Answer, carry};
use crate::checks::{self, CheckOutcome, CheckResult, Evidence, Judged};
use crate::config::Config;
use crate::suite::{Case, expectations};
use crate::text::Span;
use crate::verdict::{Status, Term, Verdict, judge};
use crate::wording::{Headline, LAST_RUN_FAILED, ScoreText, count_checks, evidence_phrase, main_reason};

/// The verdict on one case, with its answer. Spans count from the case's first byte.
#[derive(Clone, Debug)]
pub struct JudgedCase {
    /// The answer.
    pub(crate) answer: Arc<Answer>,
    /// The verdict; `None` if the answer cannot be read, so the status is `ERROR`.
    pub(crate) verdict: Option<Verdict>,
    /// Whether it is about an earlier text of the case, because the current text cannot be parsed.
    pub(crate) outdated: bool,
    /// The notes on the verdict's checks, in the same order.
    notes: Vec<Note>,
    /// The judged text of the case.
    text: Arc<str>,
}

/// A check with its result and places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgedCheck<'a> {
    /// The result. Its span is in the judged text.
    pub(crate) result: &'a CheckResult,
    /// The suite's field of the check, for instance `must_say_any`.
    pub(crate) field: &'static str,
    /// The nearest text, if the check failed because something is missing.
    pub(crate) nearest: &'a [Evidence],
    /// The element of the suite; `None` if an outdated verdict's element is gone.
    pub(crate) span: Option<Span>,
    /// The place of the evidence in the answer's file, else of the nearest text: bytes of its text.
    pub(crate) in_file: Option<Span>,
}

impl JudgedCheck<'_> {
    /// The result as a message, with the nearest text if something is missing.
    pub(crate) fn message(&self) -> String {
        match self.nearest.first() {
            Some(nearest) => format!("{}; nearest is {}", self.result.message, evidence_phrase(nearest)),
            None => self.result.message.clone(),
        }
    }
}

#[derive(Clone, Debug)]
struct Note {
    field: &'static str,
    nearest: Vec<Evidence>,
    span: Option<Span>,
    in_file: Option<Span>,
}

impl JudgedCase {
    /// Judges an answer of the case with the text `text`.
    pub(in crate::analysis) fn of(case: &Case, text: &str, answer: Arc<Answer>, config: &Config) -> JudgedCase {
        let verdict = answer.transcript.as_ref().ok().map(|transcript| judge(case, transcript, config));
        let notes = notes(case, &answer, config, verdict.as_ref());
        JudgedCase { answer, verdict, outdated: false, notes, text: text.into() }
    }

    /// Returns the same verdict for a text of the case that cannot be parsed; `case` is its readable part.
    pub(in crate::analysis) fn carried_to(&self, case: &Case, text: &str) -> JudgedCase {
        let mut carried = JudgedCase { outdated: true, ..self.clone() };
        let checks = self.verdict.iter().flat_map(|verdict| &verdict.checks);
        let spans = carry::spans(&self.text, checks, text, case);
        for (note, span) in carried.notes.iter_mut().zip(spans) {
            note.span = span;
        }
        carried
    }

    /// Returns the status: `ERROR` if a later run got no answer.
    pub(crate) fn status(&self) -> Status {
        match &self.answer.failure {
            Some(_) => Status::Error,
            None => self.answer_status(),
        }
    }

    /// Returns the status of the answer alone.
    fn answer_status(&self) -> Status {
        self.verdict.as_ref().map_or(Status::Error, |verdict| verdict.status)
    }

    /// Returns why the case could not be judged; `Some` exactly if the status is `ERROR`. It may have several lines.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.answer.failure {
            Some(failure) => Some(&failure.reason),
            None => self.answer_error(),
        }
    }

    /// Returns why the case could not be judged, on one line: `last run failed: python3 ended …`, or only the reason if no run
    /// got an answer before.
    pub(crate) fn reason(&self) -> Option<String> {
        let failed_run = if self.is_followed_by_failure() { LAST_RUN_FAILED } else { "" };
        self.error().map(|error| format!("{failed_run}{}", main_reason(error)))
    }

    /// Returns the headline with its marks: `FAIL 2 of 7 checks · stale`.
    pub(crate) fn label(&self) -> String {
        format!("{}{}", self.headline().label(), self.marks())
    }

    /// Returns what keeps the verdict from being about the case and the target as they are: ` · stale`, ` · older answer`, or both.
    pub(crate) fn marks(&self) -> String {
        let is_older = self.verdict.as_ref().is_some_and(|verdict| verdict.newer.is_some());
        let marks = [(self.is_stale(), " · stale"), (is_older, " · older answer")];
        marks.into_iter().filter(|(applies, _)| *applies).map(|(_, mark)| mark).collect()
    }

    /// Whether the last run got no answer, after an earlier one.
    fn is_followed_by_failure(&self) -> bool {
        self.answer.failure.is_some() && self.answer.transcript.is_ok()
    }

    fn answer_error(&self) -> Option<&str> {
        match &self.verdict {
            Some(verdict) => verdict.error.as_deref(),
            None => self.answer.transcript.as_ref().err().map(String::as_str),
        }
    }

    /// Returns the soft score; `None` if the status is `ERROR`, or the case asks for none.
    pub(crate) fn soft_score(&self) -> Option<f64> {
        let scored = self.verdict.as_ref().filter(|_| self.status() != Status::Error);
        scored.and_then(|verdict| verdict.soft_score.shown())
    }

    /// Returns the facts for the case's headline.
    pub(crate) fn headline(&self) -> Headline<'_> {
        Headline {
            status: self.status(),
            error: self.error(),
            last_run_failed: self.is_followed_by_failure(),
            score: self.soft_score(),
            ..self.answer_headline()
        }
    }

    /// Returns the verdict on the answer before the run that got none: `PASS 0.92`; `None` if there was no such run.
    pub(crate) fn label_before(&self) -> Option<String> {
        self.is_followed_by_failure().then(|| self.answer_headline().label())
    }

    fn answer_headline(&self) -> Headline<'_> {
        let judged = self.verdict.as_ref();
        Headline {
            status: self.answer_status(),
            error: self.answer_error(),
            last_run_failed: false,
            checks: judged.map_or(0, |verdict| count_checks(verdict.checks.iter().map(|check| &*check.id))),
            failed: self.count(CheckOutcome::Failed),
            unknown: self.count(CheckOutcome::Unknown),
            hard_fail: judged.map_or(&[], |verdict| &verdict.hard_fail_triggered),
            score: judged
                .filter(|verdict| verdict.status != Status::Error)
                .and_then(|verdict| verdict.soft_score.shown()),
            threshold: judged.and_then(|verdict| verdict.soft_score.threshold),
            by_prompt: self
                .checks()
                .filter(|check| check.result.by_prompt && check.result.outcome == CheckOutcome::Passed)
                .count(),
            attempts: 0,
            repeats: None,
            quarantine: None,
            stale: self.is_stale(),
            newer: judged.and_then(|verdict| verdict.newer.as_ref()),
        }
    }

    /// Returns the terms of the soft score, if they say more than that all checks count the same.
    pub(crate) fn terms(&self) -> &[Term] {
        let score = self.score_text().filter(|score| score.is_decisive() || !score.has_default_weights());
        score.map_or(&[], |score| score.terms)
    }

    /// Returns the score as text; `None` if the status is `ERROR`.
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

    /// Returns whether it differs from the current text: the answer was given to other prompts, or the case's text
    /// cannot be parsed. Every place that shows the verdict shows this too.
    pub(crate) fn is_stale(&self) -> bool {
        self.outdated || self.verdict.as_ref().is_some_and(|verdict| verdict.stale)
    }

    /// Returns the checks, in the order of the case's expectations.
    pub(crate) fn checks(&self) -> impl Iterator<Item = JudgedCheck<'_>> {
        let results = self.verdict.iter().flat_map(|verdict| &verdict.checks);
        results.zip(&self.notes).map(|(result, note)| JudgedCheck {
            result,
            field: note.field,
            nearest: &note.nearest,
            span: note.span,
            in_file: note.in_file,
        })
    }

    /// Returns the checks, in the order in which the suite asks for them.
    pub(crate) fn checks_by_place(&self) -> Vec<JudgedCheck<'_>> {
        let mut checks: Vec<_> = self.checks().collect();
        checks.sort_by_key(|check| check.span.map(|span| span.start));
        checks
    }

    /// Returns the number of checks with this outcome.
    pub(crate) fn count(&self, outcome: CheckOutcome) -> usize {
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
