//! Short notes behind a suite's text, a file a class of them. What a note says at length is asked for by its
//! [`HintSubject`], because few of them are ever looked at so.

mod scoring;
mod verdicts;

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::hover;
use super::verdicts::pages;
use super::{Answers, Document};
use crate::suite::Group;
use crate::text::Span;
use crate::wording::Markup;

/// A note behind a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The byte of the document that it stands before.
    pub offset: usize,
    /// What it says: one line of plain text, safe to show.
    pub label: String,
    /// What it is about.
    pub subject: HintSubject,
}

/// What a note is about. Cases and checks are counted from 0, in the order of the document and of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HintSubject {
    /// The verdict on a case.
    Case(usize),
    /// A group, and how it counts in a case.
    Group {
        /// Which case.
        case: usize,
        /// Which group.
        group: Group,
    },
    /// The verdict on one check of a case.
    Check {
        /// Which case.
        case: usize,
        /// Which check.
        check: usize,
    },
}

/// Which notes are wanted.
#[derive(Clone, Copy, Debug)]
pub struct HintsWanted {
    /// Those of verdicts.
    pub verdicts: bool,
    /// Those of the share behind weights.
    pub weights: bool,
    /// Those of how many checks a group has.
    pub counts: bool,
}

/// The notes behind the text of `within`, in the order of the text. `now` is what ages are counted from.
pub fn inlay_hints(
    document: &Document,
    answers: &Answers,
    within: Span,
    now: SystemTime,
    wanted: HintsWanted,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    let cases = document.suite().cases.iter().enumerate();
    let near = |span: Span| span.start <= within.end && within.start <= span.end;
    for (index, placed) in cases.filter(|(_, placed)| near(placed.span())) {
        if wanted.verdicts
            && let Some(verdict) = document.verdict(index, answers)
        {
            hints.extend(verdicts::hints(index, placed, &verdict, now));
        }
        if wanted.weights || wanted.counts {
            hints.extend(scoring::hints(index, placed, wanted));
        }
    }
    hints.retain(|hint| within.touches(hint.offset));
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// What a note says at length; `None` where what it was about is no longer there.
pub fn hint_page(document: &Document, answers: &Answers, subject: HintSubject, now: SystemTime) -> Option<Markup> {
    match subject {
        HintSubject::Case(case) => {
            let verdict = document.verdict(case, answers)?;
            Some(pages::case_page(&verdict, now))
        }
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
