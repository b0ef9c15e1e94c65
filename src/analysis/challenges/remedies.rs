use super::Document;
use crate::analysis::Answers;
use crate::challenge::{Change, Remedy};
use crate::diagnostic::Edit;
use crate::text::Span;

/// A proposal for a check at the selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemedyHere {
    /// The check's id.
    pub(crate) check: String,
    /// The command, as plain text.
    pub(crate) title: String,
    /// The edits of the document, or a setting of `eval-ls.toml`.
    pub(crate) change: RemedyChange,
}

/// What a proposal changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RemedyChange {
    /// The document.
    Edits(Vec<Edit>),
    /// `prompt_counts = false`.
    ReplyOnly,
    /// `reading = "plain"`.
    PlainReading,
}

/// What makes the checks that a selection touches notice the prompt alone. A change of the configuration occurs once.
pub(crate) fn remedies(document: &Document, answers: &Answers, at: Span) -> Vec<RemedyHere> {
    let Some((index, placed)) = document.suite().case_at(at.start) else { return Vec::new() };
    let Some(judged) = document.challenges(answers).of(index) else { return Vec::new() };
    let is_here = |span: Span| {
        let span = placed.absolute(span);
        span.start <= at.end && at.start <= span.end
    };
    let mut here: Vec<RemedyHere> = Vec::new();
    for check in judged.checks.iter().filter(|check| is_here(check.span)) {
        for Remedy { title, change } in &check.remedies {
            let change = match change {
                Change::ReplyOnly => RemedyChange::ReplyOnly,
                Change::PlainReading => RemedyChange::PlainReading,
                Change::Case(edits) => {
                    let absolute = |edit: &Edit| Edit::replace(placed.absolute(edit.span), edit.text.clone());
                    RemedyChange::Edits(edits.iter().map(absolute).collect())
                }
            };
            let is_setting = !matches!(change, RemedyChange::Edits(_));
            if !(is_setting && here.iter().any(|known| known.change == change)) {
                here.push(RemedyHere { check: check.id.clone(), title: title.clone(), change });
            }
        }
    }
    here
}
