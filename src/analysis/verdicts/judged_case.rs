//! Finds the elements of a judged text in a later text of the same case that cannot be parsed as a whole.

use std::collections::HashMap;
use std::sync::Arc;

use crate::checks::{CheckOutcome, expectations};
use crate::config::Config;
use crate::suite::Case;
use crate::text::{Span, changed};
use crate::verdict::{CaseResult, CheckResult, Status, Term, judge};
use crate::wording::{LAST_RUN_FAILED, error_label, evidence_phrase, label, main_reason, score_tells};

use super::Answer;

/// The verdict on one case, with its answer. Spans count from the case's first byte.
#[derive(Clone, Debug)]
pub struct JudgedCase {
    /// The answer.
    pub(crate) answer: Arc<Answer>,
    /// The verdict on the answer: `ERROR` if it cannot be read.
    pub(crate) result: CaseResult,
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
    /// The element of the suite; `None` if an outdated verdict's element is gone.
    pub(crate) span: Option<Span>,
    /// The place of the evidence in the answer's file, else of the nearest text: bytes of its text.
    pub(crate) in_file: Option<Span>,
}

impl JudgedCheck<'_> {
    /// The result as a message, with the nearest text if something is missing.
    pub(crate) fn message(&self) -> String {
        match self.result.nearest.first() {
            Some(nearest) => format!("{}; nearest is {}", self.result.message, evidence_phrase(nearest)),
            None => self.result.message.clone(),
        }
    }
}

#[derive(Clone, Debug)]
struct Note {
    span: Option<Span>,
    in_file: Option<Span>,
}

impl JudgedCase {
    /// Judges an answer of the case with the text `text`.
    pub(crate) fn of(case: &Case, text: &str, answer: Arc<Answer>, config: &Config) -> JudgedCase {
        let result = match &answer.transcript {
            Ok(transcript) => judge(case, transcript, config),
            Err(reason) => CaseResult::not_run(case, reason),
        };
        let note = |check: &CheckResult| {
            let to_show = check.evidence.first().or(check.nearest.first());
            let to_show = to_show.filter(|_| check.outcome != CheckOutcome::Passed);
            Note { span: Some(check.span), in_file: to_show.and_then(|evidence| answer.place(evidence)) }
        };
        let notes = result.check_details.iter().map(note).collect();
        JudgedCase { answer, result, outdated: false, notes, text: text.into() }
    }

    /// Returns the same verdict for a text of the case that cannot be parsed; `case` is its readable part.
    pub(crate) fn carried_to(&self, case: &Case, text: &str) -> JudgedCase {
        let mut carried = JudgedCase { outdated: true, ..self.clone() };
        let spans = carried_spans(&self.text, self.result.check_details.iter(), text, case);
        for (note, span) in carried.notes.iter_mut().zip(spans) {
            note.span = span;
        }
        carried
    }

    /// Returns the status: `ERROR` if a later run got no answer.
    pub(crate) fn status(&self) -> Status {
        match &self.answer.failure {
            Some(_) => Status::Error,
            None => self.result.status,
        }
    }

    /// Returns why the case could not be judged; `Some` exactly if the status is `ERROR`. It may have several lines.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.answer.failure {
            Some(failure) => Some(&failure.reason),
            None => self.result.reason.as_deref(),
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
        format!("{}{}", self.headline(), self.marks())
    }

    /// Returns what keeps the verdict from being about the case and the target as they are, such as ` · stale`.
    pub(crate) fn marks(&self) -> String {
        let is_older = self.result.newer.is_some();
        let stale = if self.outdated { " · before the syntax error" } else { " · stale" };
        let marks = [(self.outdated || self.is_stale(), stale), (is_older, " · older answer")];
        marks.into_iter().filter(|(applies, _)| *applies).map(|(_, mark)| mark).collect()
    }

    /// Whether the last run got no answer, after an earlier one.
    fn is_followed_by_failure(&self) -> bool {
        self.answer.failure.is_some() && self.answer.transcript.is_ok()
    }

    /// Returns the soft score; `None` if the status is `ERROR`, or the case asks for none.
    pub(crate) fn soft_score(&self) -> Option<f64> {
        self.result.metrics.scoring.soft_score.shown().filter(|_| self.status() != Status::Error)
    }

    /// Returns the headline without its marks: `FAIL 2 of 7 checks`.
    pub(crate) fn headline(&self) -> String {
        let failure = self.answer.failure.as_ref();
        failure
            .map_or_else(|| label(&self.result), |failure| error_label(&failure.reason, self.is_followed_by_failure()))
    }

    /// Returns the verdict on the answer before the run that got none: `PASS 0.92`; `None` if there was no such run.
    pub(crate) fn label_before(&self) -> Option<String> {
        self.is_followed_by_failure().then(|| label(&self.result))
    }

    /// Returns the terms of the soft score, if they say more than that all checks count the same.
    pub(crate) fn terms(&self) -> &[Term] {
        if score_tells(&self.result) { &self.result.metrics.scoring.soft_score.terms } else { &[] }
    }

    /// Returns whether the answer was given to other prompts. Every place that shows the verdict shows this too.
    pub(crate) fn is_stale(&self) -> bool {
        self.result.stale
    }

    /// Returns the checks, in the order of the case's expectations.
    pub(crate) fn checks(&self) -> impl Iterator<Item = JudgedCheck<'_>> {
        let checks = self.result.check_details.iter().zip(&self.notes);
        checks.map(|(result, note)| JudgedCheck { result, span: note.span, in_file: note.in_file })
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

/// Returns the span of each check's element in `new`; `None` if it is gone. `case` is the readable part of `new`.
pub(super) fn carried_spans<'c>(
    old: &str,
    checks: impl Iterator<Item = &'c CheckResult>,
    new: &str,
    case: &Case,
) -> Vec<Option<Span>> {
    let edits = Edits::between(old, new);
    let mut by_id: HashMap<String, Vec<Span>> = HashMap::new();
    for asked in expectations(case) {
        by_id.entry(asked.id).or_default().push(asked.span);
    }
    checks
        .map(|check| edits.moved(check.span).or_else(|| by_id.get(&check.id)?.first().copied()))
        .map(|span| span.filter(|span| span.end <= new.len()))
        .collect()
}

/// The edit between two texts, in the last and in the first of its possible places.
struct Edits<'t> {
    old: &'t str,
    new: &'t str,
    last: Edit,
    first: Edit,
}

impl<'t> Edits<'t> {
    fn between(old: &'t str, new: &'t str) -> Self {
        let last = Edit::between(old, new);
        let first = last.slid_back(old, new);
        Edits { old, new, last, first }
    }

    /// Returns the span after the edit, in the place that leaves its text unchanged, if there is one.
    fn moved(&self, span: Span) -> Option<Span> {
        let is_same = |after: &Span| self.old.get(span.range()) == self.new.get(after.range());
        let unchanged = [&self.last, &self.first].into_iter().find_map(|edit| edit.moved(span).filter(is_same));
        unchanged.or_else(|| self.last.moved(span))
    }
}

/// The difference between two texts: the bytes from `start` to `old_end` became the bytes from `start` to `new_end`.
struct Edit {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Edit {
    fn between(old: &str, new: &str) -> Edit {
        let (before, after) = changed(old.as_bytes(), new.as_bytes());
        Edit { start: before.start, old_end: before.end, new_end: after.end }
    }

    /// Returns the same edit in its first possible place. For example, if a quote is doubled, either of the two may be
    /// the new one.
    fn slid_back(&self, old: &str, new: &str) -> Edit {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let Edit { mut start, mut old_end, mut new_end } = *self;
        let (text, mut end) = if start == old_end { (new, new_end) } else { (old, old_end) };
        let is_one_sided = start == old_end || start == new_end;
        while is_one_sided && start > 0 && text[start - 1] == text[end - 1] {
            (start, old_end, new_end, end) = (start - 1, old_end - 1, new_end - 1, end - 1);
        }
        Edit { start, old_end, new_end }
    }

    /// Returns the span after the edit: before, after or around the edit; `None` if the edit cuts it.
    fn moved(&self, span: Span) -> Option<Span> {
        let behind = |offset: usize| offset - self.old_end + self.new_end;
        if span.end <= self.start {
            Some(span)
        } else if self.old_end <= span.start {
            Some(Span::new(behind(span.start), behind(span.end)))
        } else if span.start < self.start && self.old_end < span.end {
            Some(Span::new(span.start, behind(span.end)))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_keeps_its_text_if_a_character_beside_it_is_doubled_or_removed() {
        for (old, new, start) in [
            (r#"[""a"]"#, r#"["a"]"#, 1),
            (r#"["a""]"#, r#"["a"]"#, 1),
            (r#"["a"]"#, r#"[""a"]"#, 2),
            (r#"["a"]"#, r#"["a""]"#, 1),
        ] {
            let before = old.find(r#""a""#).unwrap();
            let after = Edits::between(old, new).moved(Span::new(before, before + 3));
            assert_eq!(after, Some(Span::new(start, start + 3)), "{old} → {new}");
        }
    }

    #[test]
    fn an_edit_slides_back_over_repeated_text() {
        let slid = |old: &str, new: &str| {
            let edit = Edit::between(old, new).slid_back(old, new);
            (edit.start, edit.old_end, edit.new_end)
        };
        assert_eq!(slid("xaay", "xay"), (1, 2, 1));
        assert_eq!(slid("xay", "xaay"), (1, 1, 2));
        assert_eq!(slid("xababy", "xaby"), (1, 3, 1));
        // A replacement has only one place.
        assert_eq!(slid("xaby", "xcdy"), (1, 3, 3));
    }
}
