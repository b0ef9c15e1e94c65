//! Definitions, references and highlights: groups and their checks, the uses of a tool, sources and their phrases, hints
//! and their definitions.

mod mentions;

use super::Document;
use crate::config::Config;
use crate::suite::expectations;
use crate::text::Span;

use mentions::{Mention, Role, Thing, mentions};

/// A place that navigation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Bytes of the document.
    Here(Span),
    /// Bytes of the `eval-ls.toml` that applies to the document.
    Configuration(Span),
}

/// The destinations of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destinations {
    /// The text under the cursor.
    pub(crate) origin: Span,
    /// The destinations; never empty.
    pub(crate) destinations: Vec<Destination>,
}

/// The definitions of the text at the byte `offset`: a group leads to its checks in this case, a tool to its other uses, a
/// source to its phrases, a hint to its definition. `config` is the configuration of the document.
pub(crate) fn definition(document: &Document, config: &Config, offset: usize) -> Option<Destinations> {
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
    (!destinations.is_empty()).then_some(Destinations { origin: here.span, destinations })
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
    /// Its uses in a document, in the order of the text.
    pub(crate) fn uses_in(&self, document: &Document) -> Vec<Span> {
        uses(document, (self.thing)(&self.name)).collect()
    }
}

/// The highlights of the name at the byte `offset`: its uses in the document, and the checks of a group.
pub fn highlights(document: &Document, offset: usize) -> Vec<Span> {
    let destinations = references(document, &Config::default(), offset, false);
    let here = destinations.into_iter().filter_map(|place| match place {
        Destination::Here(span) => Some(span),
        Destination::Configuration(_) => None,
    });
    here.collect()
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

#[cfg(test)]
mod tests;
