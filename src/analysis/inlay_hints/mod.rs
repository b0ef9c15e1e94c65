//! Inlay hints: short notes after the text of a suite, one file per kind. The page of a hint is requested separately, by
//! its [`HintSubject`], because people open few of them.

mod challenges;
mod place;
mod scoring;
mod verdicts;

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::challenges::{challenged_case, challenged_check};
use super::hover;
use super::verdicts::pages;
use super::{Answers, Document};
use crate::cancellation::checkpoint;
use crate::suite::Group;
use crate::text::Span;
use crate::wording::Markup;

/// A note after a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset of the note, in bytes of the document.
    pub(crate) offset: usize,
    /// One line of plain text, safe to show.
    pub(crate) label: String,
    /// The subject of the note.
    pub(crate) subject: HintSubject,
}

/// The subject of a note. Cases and checks are counted from 0, in the order of the document and of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HintSubject {
    /// The verdict on a case.
    Case(usize),
    /// The share of a group in the soft score of a case.
    Group {
        /// The index of the case.
        case: usize,
        /// The group.
        group: Group,
    },
    /// The challenges of a case.
    ChallengedCase(usize),
    /// The challenges of one check of a case.
    ChallengedCheck {
        /// The index of the case.
        case: usize,
        /// The index of the check.
        check: usize,
    },
    /// The verdict on one check of a case.
    Check {
        /// The index of the case.
        case: usize,
        /// The index of the check.
        check: usize,
    },
}

/// The verdicts that have notes. The verdict on a case has one unless there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictHints {
    /// None.
    None,
    /// Those of checks that did not pass.
    Failures,
    /// Those of all checks.
    All,
}

/// The kinds of notes to return.
#[derive(Clone, Copy, Debug)]
pub struct HintsWanted {
    /// Verdicts.
    pub verdicts: VerdictHints,
    /// Shares in the soft score.
    pub weights: bool,
    /// Numbers of checks.
    pub counts: bool,
    /// Checks that are worth nothing, and cases that pass challenges.
    pub challenges: bool,
}

/// The notes within the bytes of `within`, in the order of the text. Ages are counted from `now`.
pub fn inlay_hints(
    document: &Document,
    answers: &Answers,
    within: Span,
    now: SystemTime,
    wanted: HintsWanted,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    let challenges = wanted.challenges.then(|| document.challenges(answers));
    let suite = document.suite();
    let text = document.text().as_str();
    for index in suite.cases_in(within) {
        checkpoint();
        let placed = &suite.cases[index];
        if wanted.verdicts != VerdictHints::None
            && let Some(verdict) = document.verdict(index, answers)
        {
            let since = document.since_baseline(index, &verdict, answers);
            let all = wanted.verdicts == VerdictHints::All;
            hints.extend(verdicts::hints(text, index, placed, &verdict, since.as_ref(), now, all));
        }
        if let Some(judged) = challenges.as_ref().and_then(|challenges| challenges.of(index)) {
            hints.extend(challenges::hints(text, index, placed, &judged, &answers.config().challenge));
        }
        if wanted.weights || wanted.counts {
            hints.extend(scoring::hints(text, index, placed, wanted));
        }
    }
    hints.retain(|hint| within.touches(hint.offset));
    hints.sort_by_key(|hint| hint.offset);
    separate(&mut hints);
    // A note between a value and its comma reads as part of the value.
    let text = text.as_bytes();
    hints.iter_mut().for_each(|hint| hint.offset += usize::from(text.get(hint.offset) == Some(&b',')));
    hints
}

/// Puts a dot between notes at the same place: editors show them side by side.
fn separate(hints: &mut [InlayHint]) {
    for index in 1..hints.len() {
        let follows = hints[index - 1].offset == hints[index].offset;
        let label = &mut hints[index].label;
        if follows && !label.starts_with('·') {
            label.insert_str(0, "· ");
        }
    }
}

/// The page of a note; `None` if its subject no longer exists.
pub(crate) fn hint_page(
    document: &Document,
    answers: &Answers,
    subject: HintSubject,
    now: SystemTime,
) -> Option<Markup> {
    match subject {
        HintSubject::Case(case) => {
            let verdict = document.verdict(case, answers)?;
            let id = document.suite().cases.get(case).and_then(|placed| placed.case.id.as_ref());
            let is_stored = id.is_some_and(|id| answers.is_stored(&id.value));
            let mut page = pages::case_page(&verdict, is_stored, now);
            let since = document.since_baseline(case, &verdict, answers);
            since.iter().for_each(|since| page.append(since.page()));
            Some(page)
        }
        HintSubject::ChallengedCase(case) => challenged_case(document, answers, case),
        HintSubject::ChallengedCheck { case, check } => challenged_check(document, answers, case, check),
        HintSubject::Group { case, group } => hover::group_page(document, answers, case, group, now),
        HintSubject::Check { case, check } => {
            let verdict = document.verdict(case, answers)?;
            let judged = verdict.checks().nth(check)?;
            Some(pages::check_page(&verdict, &judged))
        }
    }
}

#[cfg(test)]
mod tests;
