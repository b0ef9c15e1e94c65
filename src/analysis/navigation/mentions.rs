use crate::analysis::Document;
use crate::suite::{List, PlacedCase, TelemetryEntry};
use crate::syntax::raw_span;
use crate::text::Span;

/// A name in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention<'a> {
    pub(super) thing: Thing<'a>,
    /// The name without its quotes, in bytes of the document.
    pub(super) span: Span,
    pub(super) role: Role,
}

/// Something that several destinations can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing<'a> {
    Id(&'a str),
    Tool(&'a str),
    Source(&'a str),
    Hint(&'a str),
    Group(&'a str),
}

/// The role of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Use,
    /// It defines the thing.
    Definition,
}

/// The mentions in the case with that index, in no particular order.
pub(super) fn mentions(document: &Document, index: usize) -> Vec<Mention<'_>> {
    let Some(placed) = document.suite().cases.get(index) else { return Vec::new() };
    let mut found = Found { document, placed, mentions: Vec::new() };
    let case = &placed.case;
    let expected = &case.expected;
    if let Some(id) = &case.id {
        found.name(Thing::Id(&id.value), id.span, Role::Definition);
    }
    for list in [&expected.tool_calls_any, &expected.tool_calls_none] {
        found.list(list.as_ref(), Thing::Tool);
    }
    for entry in expected.telemetry.iter().flat_map(List::entries) {
        if let TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } =
            TelemetryEntry::parse(&entry.value)
        {
            // Both shorthands that name a tool start with `tool.`.
            let start = "tool.".len();
            found.part(Thing::Tool(tool), entry.span, Span::new(start, start + tool.len()), Role::Use);
        }
    }
    found.list(expected.required_sources.as_ref(), Thing::Source);
    for given in expected.source_patterns.iter().flat_map(|field| &field.value) {
        found.name(Thing::Source(&given.source.value), given.source.span, Role::Definition);
    }
    found.list(expected.ui.as_ref(), Thing::Hint);
    found.list(expected.hard_fail(), Thing::Group);
    for weight in expected.weights().into_iter().flat_map(|field| &field.value) {
        found.name(Thing::Group(&weight.group.value), weight.group.span, Role::Use);
    }
    found.mentions
}

struct Found<'a> {
    document: &'a Document,
    placed: &'a PlacedCase,
    mentions: Vec<Mention<'a>>,
}

impl<'a> Found<'a> {
    fn list(&mut self, list: Option<&'a List>, thing: fn(&'a str) -> Thing<'a>) {
        for entry in list.into_iter().flat_map(List::entries) {
            self.name(thing(&entry.value), entry.span, Role::Use);
        }
    }

    fn name(&mut self, thing: Thing<'a>, literal: Span, role: Role) {
        let (Thing::Id(name) | Thing::Tool(name) | Thing::Source(name) | Thing::Hint(name) | Thing::Group(name)) =
            thing;
        if !name.is_empty() {
            self.part(thing, literal, Span::new(0, name.len()), role);
        }
    }

    /// `name` is a range of bytes in the value of the string at `literal`.
    fn part(&mut self, thing: Thing<'a>, literal: Span, name: Span, role: Role) {
        let literal = self.placed.absolute(literal);
        let span = raw_span(self.document.text().slice(literal), name).shifted_by(literal.start);
        self.mentions.push(Mention { thing, span, role });
    }
}
