//! What is said of the text under the cursor: what it is, from the schema; what it does in this case, from the case's
//! checks and weights; and what is wrong with it, from the lints' pages.
//!
//! [`hover`] finds out where the cursor is and asks one of the files beside this one. Of what they answer, nothing is
//! ever empty.

mod check;
mod field;
mod group;
mod pattern;
mod source;
mod verdict;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use super::spot::{Spot, SpotCase};
use super::weighing::Weighing;
use super::{Answers, CaseVerdict, Document};
use crate::config::Config;
use crate::lints::{Workspace, lint};
use crate::schema::{SchemaName, Shape};
use crate::suite::{Expectation, Group, expectations};
use crate::text::Span;
use crate::wording::{Line, Markup};

/// What is said of a text, and which text that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Bytes of the document.
    pub span: Span,
    /// What is said; never empty.
    pub page: Markup,
}

/// What is said of the text at `offset`, in bytes; `None` between keys and values. What the case was answered last
/// is told only where it is judged already: nobody waits for a verdict.
/// Its age is counted from `now`.
pub fn hover(
    document: &Document,
    workspace: &Arc<Workspace>,
    answers: &Answers,
    offset: usize,
    now: SystemTime,
) -> Option<Hover> {
    let spot = Spot::at(document, offset)?;
    let around = Around::of(document, workspace, answers, &spot, now);
    let mut page = around.page();
    let findings = document.findings_at(offset, workspace);
    let mut told = Vec::new();
    for finding in findings {
        if let Some(lint) = lint(finding.lint).filter(|lint| !told.contains(&lint.name)) {
            told.push(lint.name);
            let mut of_lint = Markup::default();
            of_lint.paragraph(Line::default().strong(lint.name).say(": ").message(&finding.message).say("."));
            of_lint.markdown_text(lint.reasons());
            page.append(of_lint);
        }
    }
    (!page.is_empty()).then(|| Hover { span: spot.node.span(), page })
}

/// What is said of a group in the case with that index; `None` where there is no such case.
pub(super) fn group_page(
    document: &Document,
    answers: &Answers,
    case: usize,
    group: Group,
    now: SystemTime,
) -> Option<Markup> {
    let spot = Spot::of_case(document, case)?;
    let mut page = Markup::default();
    Around::of(document, &Workspace::default(), answers, &spot, now).group(group.name(), &mut page);
    Some(page)
}

/// The cursor's place, and what holds there.
struct Around<'a> {
    document: &'a Document,
    /// What hints and sources mean in this workspace.
    config: &'a Config,
    /// How often the workspace's transcripts and telemetry logs have shown each tool.
    tools: &'a BTreeMap<String, usize>,
    /// The verdict on the case's last answer, where it is known.
    verdict: Option<Arc<CaseVerdict>>,
    now: SystemTime,
    spot: &'a Spot<'a>,
    /// The checks of the case that the cursor is in.
    checks: Vec<Expectation<'a>>,
    /// How they are weighed; `None` outside of cases.
    weighing: Option<Weighing>,
}

impl<'a> Around<'a> {
    fn of(
        document: &'a Document,
        workspace: &'a Workspace,
        answers: &'a Answers,
        spot: &'a Spot<'a>,
        now: SystemTime,
    ) -> Self {
        let checks = spot.case.map(|case| expectations(case.case)).unwrap_or_default();
        let weighing = spot.case.map(|case| Weighing::of(case.case, &checks));
        let verdict = spot.case.and_then(|case| document.known_verdict(case.index, answers));
        Around { document, config: answers.config(), tools: &workspace.tools, verdict, now, spot, checks, weighing }
    }

    fn page(&self) -> Markup {
        let mut page = Markup::default();
        let text = self.spot.node.as_str();
        let text = text.as_deref().unwrap_or_default();
        match self.spot.names()[..] {
            ["cases", "*", "expected", "outcome"] if !self.spot.is_key => self.outcome(text, &mut page),
            ["cases", "*", "expected", "scoring", "hard_fail", "*"] => self.group(text, &mut page),
            ["cases", "*", "expected", "scoring", "soft_score", "weights", group] => self.group(group, &mut page),
            ["cases", "*", "expected", "required_sources", "*"] => self.source(text, &mut page),
            ["cases", "*", "expected", "source_patterns", source] => self.source(source, &mut page),
            ["cases", "*", "expected", "source_patterns", source, "*"] => self.source_phrase(source, text, &mut page),
            ["cases", "*", "expected", field, "*"] => self.entry(field, text, &mut page),
            ["cases", "*", "id"]
            | ["cases", "*", "expected", "scoring"]
            | ["cases", "*", "expected", "scoring", "hard_fail" | "soft_score"]
            | ["cases", "*", "expected", "scoring", "soft_score", _] => {
                self.verdict(&mut page);
                let mut field = Markup::default();
                self.field(&mut field);
                page.append(field);
            }
            _ => self.field(&mut page),
        }
        self.verdict_here(&mut page);
        page
    }

    /// What the newest schema, which has all keys, says of the place.
    fn shape(&self) -> Option<Shape> {
        Shape::suite(SchemaName::V0_3).descend(&self.spot.path)
    }

    /// What it says of the place around.
    fn shape_around(&self) -> Option<Shape> {
        let (_, path) = self.spot.path.split_last()?;
        Shape::suite(SchemaName::V0_3).descend(path)
    }

    /// The case that the cursor is in, with all that is known of it.
    fn case(&self) -> Option<(SpotCase<'a>, &Weighing)> {
        Some((self.spot.case?, self.weighing.as_ref()?))
    }
}

#[cfg(test)]
mod tests;
