use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::checks::expectations;
use crate::config::Source;
use crate::schema::{SchemaName, Shape};
use crate::suite::{Case, Group, Version};
use crate::syntax::{CursorContext, Follows, Slot, Step, decode};
use crate::text::Span;
use crate::transcript::Transcript;

use super::{CompletionContext, Document};

/// The input of all candidates: the place of the cursor, and what is known about it.
#[derive(Clone)]
pub(super) struct Scene<'a> {
    pub(super) document: &'a Document,
    pub(super) context: &'a CompletionContext<'a>,
    pub(super) offset: usize,
    pub(super) cursor: CursorContext,
    pub(super) version: Version,
    /// The case at the cursor; an empty one outside of cases.
    pub(super) case: &'a Case,
    /// Whether [`Scene::path`] starts at the case instead of the suite.
    pub(super) is_in_case: bool,
    /// The path to the suggested text: keys, and `#` for any element of a list.
    path: Vec<String>,
    shape: Option<Shape>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(document: &'a Document, offset: usize, context: &'a CompletionContext<'a>) -> Scene<'a> {
        let version = document.version().version;
        let (cursor, case) = match in_case(document, offset) {
            Some((cursor, case)) => (cursor, Some(case)),
            None => (in_frame(document, offset), None),
        };
        let mut steps = cursor.path().0;
        // A case that is not closed yet may be missing from the suite.
        let is_below_cases = |steps: &[Step]| {
            matches!(steps, [Step::Key(cases), Step::Index(_), ..] if cases == "cases") && cursor.open.len() > 2
        };
        let is_in_case = case.is_some() || is_below_cases(&steps);
        if case.is_none() && is_in_case {
            steps.drain(..2);
        }
        let schema = SchemaName::from(version);
        let root = if is_in_case { Shape::case(schema) } else { Shape::suite(schema) };
        let path = steps.iter().map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(_) => "#".to_owned(),
        });
        Scene {
            document,
            context,
            offset,
            version,
            case: case.unwrap_or_else(|| no_case()),
            is_in_case,
            path: path.collect(),
            shape: root.descend(&steps),
            cursor,
        }
    }

    pub(super) fn text(&self) -> &'a str {
        self.document.text().as_str()
    }

    /// The path as a list that patterns can match.
    pub(super) fn path(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    /// The sources that the configuration defines.
    pub(super) fn sources(&self) -> &'a BTreeMap<String, Source> {
        &self.context.answers.config().sources
    }

    /// The last answer of the case.
    pub(super) fn transcript(&self) -> Option<&'a Transcript> {
        let id = &self.case.id.as_ref()?.value;
        self.context.answers.of(id)?.transcript.as_ref().ok()
    }

    /// The schema of the suggested value. For a key, the schema of the object around it.
    pub(super) fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// Whether nothing is typed yet.
    pub(super) fn is_blank(&self) -> bool {
        self.cursor.token.span.is_empty()
    }

    /// Whether the object or list at the cursor already has that key or string.
    pub(super) fn has(&self, name: &str) -> bool {
        self.cursor.names().any(|known| known == name)
    }

    /// The key at the cursor, if it has its colon already.
    pub(super) fn typed_key(&self) -> Option<Cow<'a, str>> {
        let is_key = self.cursor.slot == Slot::Key && self.cursor.follows == Follows::Colon;
        is_key.then(|| decode(&self.text()[self.cursor.token.span.range()]))
    }

    /// The number of checks in each group of the case that can fail.
    pub(super) fn checks(&self) -> BTreeMap<Group, usize> {
        let mut checks = BTreeMap::new();
        for check in expectations(self.case).iter().filter(|check| check.rule.can_fail()) {
            if let Some(group) = check.group {
                *checks.entry(group).or_default() += 1;
            }
        }
        checks
    }

    /// The string that the cursor is in, without its quotes; `None` outside of strings.
    pub(super) fn inside_string(&self) -> Option<Span> {
        let token = self.cursor.token;
        if token.quote != Some('"') || token.is_left {
            return None;
        }
        let start = token.span.start + 1;
        let is_closed = token.span.len() > 1 && self.text()[..token.span.end].ends_with('"');
        let end = token.span.end - usize::from(is_closed);
        (start <= self.offset && self.offset <= end).then(|| Span::new(start, end))
    }
}

fn in_case(document: &Document, offset: usize) -> Option<(CursorContext, &Case)> {
    let (_, placed) = document.suite().case_at(offset)?;
    if placed.start >= offset {
        return None;
    }
    let text = &document.text().as_str()[placed.start..];
    let cursor = CursorContext::at(text, offset - placed.start, &[]);
    let is_within = !cursor.open.is_empty() && cursor.slot != Slot::Document;
    is_within.then(|| (cursor.shifted_by(placed.start), &*placed.case))
}

fn in_frame(document: &Document, offset: usize) -> CursorContext {
    let cases = &document.suite().cases;
    let before = cases.partition_point(|case| case.span().end <= offset);
    let whole = |cases: &[crate::suite::PlacedCase]| match cases {
        [first, .., last] => Some(Span::new(first.start, last.span().end.max(first.start))),
        [only] => Some(only.span()),
        [] => None,
    };
    let known: Vec<Span> = [whole(&cases[..before]), whole(&cases[before..])].into_iter().flatten().collect();
    CursorContext::at(document.text().as_str(), offset, &known)
}

fn no_case() -> &'static Case {
    static NONE: LazyLock<Case> = LazyLock::new(Case::default);
    &NONE
}
