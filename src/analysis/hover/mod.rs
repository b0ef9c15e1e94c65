//! Hover texts: what the schema says about the key or value, what it does in this case (its checks and weights), and the
//! pages of the lints that report it.
//!
//! [`hover`] finds the text under the cursor and calls one of the submodules. A hover is never empty.

mod check;
mod field;

use std::sync::Arc;
use std::time::SystemTime;

use super::cursor::{CursorCase, CursorTarget};
use super::weighing::Weighing;
use super::{Answers, Document, JudgedCase};
use crate::challenge::CaseChallenges;
use crate::checks::{Expectation, expectations};
use crate::config::Config;
use crate::lints::{Workspace, lint};
use crate::schema::{SchemaName, Shape};
use crate::suite::Group;
use crate::text::Span;
use crate::wording::{Line, Markup};

/// A hover page, and the text that it explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The explained text, in bytes of the document.
    pub(crate) span: Span,
    /// The page; never empty.
    pub(crate) page: Markup,
}

/// The hover for the byte `offset`; `None` between keys and values. The last answer is shown only if its verdict is known,
/// because a hover must not wait for a verdict. Ages are counted
/// from `now`. `shows_challenges` adds the challenges of the check or case.
pub fn hover(
    document: &Document,
    workspace: &Arc<Workspace>,
    answers: &Answers,
    offset: usize,
    now: SystemTime,
    shows_challenges: bool,
) -> Option<Hover> {
    let cursor = CursorTarget::at(document, offset)?;
    let mut context = HoverContext::of(document, answers, &cursor, now);
    if shows_challenges {
        context.challenges = cursor.case.and_then(|case| document.challenges(answers).of(case.index));
    }
    let mut page = context.page();
    let findings = document.findings_in(Span::empty(offset), workspace);
    let mut explained = Vec::new();
    for finding in findings {
        if let Some(lint) = lint(finding.lint).filter(|lint| !explained.contains(&lint.name)) {
            explained.push(lint.name);
            let mut lint_page = Markup::default();
            lint_page.paragraph(Line::default().strong(lint.name).say(": ").message(&finding.message).say("."));
            lint_page.markdown_text(lint.reasons());
            page.append(lint_page);
        }
    }
    (!page.is_empty()).then(|| Hover { span: cursor.node.span(), page })
}

/// The page of a group in the case with that index; `None` if there is no such case.
pub(super) fn group_page(
    document: &Document,
    answers: &Answers,
    case: usize,
    group: Group,
    now: SystemTime,
) -> Option<Markup> {
    let cursor = CursorTarget::of_case(document, case)?;
    let mut page = Markup::default();
    HoverContext::of(document, answers, &cursor, now).group(group.name(), &mut page);
    Some(page)
}

/// The text under the cursor, and what is needed to explain it.
struct HoverContext<'a> {
    document: &'a Document,
    /// The meaning of hints and sources in this workspace.
    config: &'a Config,
    answers: &'a Answers,
    /// The verdict on the last answer of the case, if it is known.
    verdict: Option<Arc<JudgedCase>>,
    /// The challenges of the case, if they are to be shown.
    challenges: Option<Arc<CaseChallenges>>,
    now: SystemTime,
    cursor: &'a CursorTarget<'a>,
    /// The checks of the case under the cursor.
    checks: Vec<Expectation<'a>>,
    /// How the checks count; `None` outside of cases.
    weighing: Option<Weighing>,
}

impl<'a> HoverContext<'a> {
    fn of(document: &'a Document, answers: &'a Answers, cursor: &'a CursorTarget<'a>, now: SystemTime) -> Self {
        let checks = cursor.case.map(|case| expectations(case.case)).unwrap_or_default();
        let weighing = cursor.case.map(|case| Weighing::of(case.case, &checks));
        let verdict = cursor.case.and_then(|case| document.known_verdict(case.index, answers));
        HoverContext {
            document,
            config: answers.config(),
            answers,
            verdict,
            challenges: None,
            now,
            cursor,
            checks,
            weighing,
        }
    }

    /// What the text means, and the verdict on it; a failed check comes first.
    fn page(&self) -> Markup {
        let mut meaning = self.meaning();
        if !self.fails_here() {
            self.verdict_here(&mut meaning);
            self.challenges_here(&mut meaning);
            return meaning;
        }
        let mut page = Markup::default();
        self.verdict_here(&mut page);
        self.challenges_here(&mut page);
        page.append(meaning);
        page
    }

    fn meaning(&self) -> Markup {
        let mut page = Markup::default();
        let text = self.cursor.node.as_str();
        let text = text.as_deref().unwrap_or_default();
        match self.cursor.names()[..] {
            ["cases", "*", "expected", "outcome"] if !self.cursor.is_key => self.outcome(text, &mut page),
            ["cases", "*", "expected", "scoring", "hard_fail", "*"] => self.group(text, &mut page),
            ["cases", "*", "expected", "scoring", "soft_score", "weights", group] => self.group(group, &mut page),
            ["cases", "*", "expected", "required_sources", "*"] => self.source(text, &mut page),
            ["cases", "*", "expected", "source_patterns", source] => self.source(source, &mut page),
            ["cases", "*", "expected", "source_patterns", source, "*"] => self.source_phrase(source, text, &mut page),
            ["cases", "*", "expected", field, "*"] => self.entry(field, text, &mut page),
            ["cases", "*", "id"] => {
                self.verdict(&mut page);
                self.challenges_of_case(&mut page);
                let mut field = Markup::default();
                self.field(&mut field);
                page.append(field);
            }
            ["cases", "*", "expected", "scoring"]
            | ["cases", "*", "expected", "scoring", "hard_fail" | "soft_score"]
            | ["cases", "*", "expected", "scoring", "soft_score", _] => {
                self.verdict(&mut page);
                let mut field = Markup::default();
                self.field(&mut field);
                page.append(field);
            }
            _ => self.field(&mut page),
        }
        page
    }

    /// The schema of the key or value. The newest schema has all keys.
    fn shape(&self) -> Option<Shape> {
        Shape::suite(SchemaName::V0_3).descend(&self.cursor.path)
    }

    /// The case under the cursor, and how its checks count.
    fn case(&self) -> Option<(CursorCase<'a>, &Weighing)> {
        Some((self.cursor.case?, self.weighing.as_ref()?))
    }
}

#[cfg(test)]
mod tests;
