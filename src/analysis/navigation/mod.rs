//! Definitions and references: groups and their checks, the uses of a tool, sources and their phrases, hints
//! and their definitions.

#[cfg(test)]
mod tests;

use crate::checks::expectations;
use crate::config::Config;
use crate::suite::{List, PlacedCase, TelemetryEntry};
use crate::syntax::raw_span;
use crate::text::Span;

use super::Document;

/// A place that navigation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Bytes of the document.
    Here(Span),
    /// Bytes of the `eval-ls.toml` that applies to the document.
    Configuration(Span),
}

/// The definitions of the text at the byte `offset`: a group leads to its checks in this case, a tool to its other uses, a
/// source to its phrases, a hint to its definition. `config` is the configuration of the document.
pub(crate) fn definition(document: &Document, config: &Config, offset: usize) -> Option<Vec<Destination>> {
    let (case, here) = mention_at(document, offset)?;
    let others = |fits: &dyn Fn(&Mention<'_>) -> bool| -> Vec<Destination> {
        let found = mentions(document, case).into_iter();
        found.filter(|other| other.span != here.span && other.thing == here.thing && fits(other)).map(here_at).collect()
    };
    let destinations = match here.thing {
        Thing::Group(_) => checks_of(document, case, &here),
        Thing::Tool(_) => {
            let uses = uses(document, here.thing).filter(|span| *span != here.span);
            uses.map(Destination::Here).collect()
        }
        Thing::Source(name) => {
            let role = if here.role == Role::Use { Role::Definition } else { Role::Use };
            let in_case = others(&|other| other.role == role);
            let configured = config.sources.get(name).map(|source| Destination::Configuration(source.span));
            if in_case.is_empty() { configured.into_iter().collect() } else { in_case }
        }
        Thing::Hint(hint) => {
            config.ui_hints.get(hint).map(|hint| Destination::Configuration(hint.span)).into_iter().collect()
        }
        Thing::Id(_) => Vec::new(),
    };
    (!destinations.is_empty()).then_some(destinations)
}

/// All uses of the name at the byte `offset`: tools, sources and hints in the whole document, a group in its case with its
/// checks. `with_definitions` adds the definition in `eval-ls.toml`.
pub(crate) fn references(
    document: &Document,
    config: &Config,
    offset: usize,
    with_definitions: bool,
) -> Vec<Destination> {
    let Some((case, here)) = mention_at(document, offset) else { return Vec::new() };
    let mut destinations: Vec<Destination> = match here.thing {
        Thing::Group(_) => {
            let named = mentions(document, case).into_iter().filter(|other| other.thing == here.thing);
            named.map(here_at).chain(checks_of(document, case, &here)).collect()
        }
        thing => uses(document, thing).map(Destination::Here).collect(),
    };
    let configured = match here.thing {
        Thing::Source(name) => config.sources.get(name).map(|source| source.span),
        Thing::Hint(hint) => config.ui_hints.get(hint).map(|hint| hint.span),
        _ => None,
    };
    destinations.extend(configured.filter(|_| with_definitions).map(Destination::Configuration));
    destinations
}

/// A name that means the same in all suites of a workspace: that of a tool, a source or a hint.
pub(crate) struct SharedName {
    name: String,
    thing: fn(&str) -> Thing<'_>,
}

/// The shared name at the byte `offset`.
pub(crate) fn shared_name(document: &Document, offset: usize) -> Option<SharedName> {
    let (_, here) = mention_at(document, offset)?;
    let (name, thing): (_, fn(&str) -> Thing<'_>) = match here.thing {
        Thing::Tool(name) => (name, |name| Thing::Tool(name)),
        Thing::Source(name) => (name, |name| Thing::Source(name)),
        Thing::Hint(name) => (name, |name| Thing::Hint(name)),
        Thing::Id(_) | Thing::Group(_) => return None,
    };
    Some(SharedName { name: name.to_owned(), thing })
}

impl SharedName {
    /// The uses in a document, in the order of the text.
    pub(crate) fn uses_in(&self, document: &Document) -> Vec<Span> {
        uses(document, (self.thing)(&self.name)).collect()
    }
}

/// The mention at a byte offset, and the index of its case.
fn mention_at(document: &Document, offset: usize) -> Option<(usize, Mention<'_>)> {
    let (index, _) = document.suite().case_at(offset)?;
    let found = mentions(document, index).into_iter().find(|mention| mention.span.touches(offset))?;
    Some((index, found))
}

/// The uses of the same thing in the document, in the order of the text.
fn uses<'a>(document: &'a Document, thing: Thing<'a>) -> impl Iterator<Item = Span> + 'a {
    let all = (0..document.suite().cases.len()).flat_map(|index| mentions(document, index));
    all.filter(move |other| other.thing == thing).map(|other| other.span)
}

fn checks_of(document: &Document, case: usize, group: &Mention<'_>) -> Vec<Destination> {
    let (Some(placed), Thing::Group(group)) = (document.suite().cases.get(case), group.thing) else {
        return Vec::new();
    };
    let checks = expectations(&placed.case);
    let in_group = checks.iter().filter(|check| check.group.is_some_and(|of| of.name() == group));
    in_group.map(|check| Destination::Here(placed.absolute(check.span))).collect()
}

fn here_at(mention: Mention<'_>) -> Destination {
    Destination::Here(mention.span)
}

/// A name in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mention<'a> {
    thing: Thing<'a>,
    /// The name without its quotes, in bytes of the document.
    span: Span,
    role: Role,
}

/// Something that several destinations can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing<'a> {
    Id(&'a str),
    Tool(&'a str),
    Source(&'a str),
    Hint(&'a str),
    Group(&'a str),
}

/// The role of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Use,
    /// The mention defines the thing.
    Definition,
}

/// The mentions in the case with that index, in no particular order.
fn mentions(document: &Document, index: usize) -> Vec<Mention<'_>> {
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
