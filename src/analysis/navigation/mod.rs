//! What belongs together: groups and the checks that feed them, the uses of a tool, sources and their phrases, hints and
//! what defines them.

mod mentions;

use super::Document;
use crate::config::Config;
use crate::suite::expectations;
use crate::text::Span;

use mentions::{Mention, Role, Thing, mentions};

/// A place to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the document.
    Here(Span),
    /// Bytes of the `eval-ls.toml` that holds for it.
    Configuration(Span),
}

/// Places that the text at `origin` leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The text that leads there.
    pub origin: Span,
    /// Where it leads, at least one place.
    pub places: Vec<Place>,
}

/// Where the text at `offset` leads: a group to the checks that feed it in this case, a tool to its other uses, a source
/// to its phrases, a hint to what defines it. `config` is what holds for the document.
pub fn definition(document: &Document, config: &Config, offset: usize) -> Option<Targets> {
    let (case, here) = mention_at(document, offset)?;
    let others = |fits: &dyn Fn(&Mention<'_>) -> bool| -> Vec<Place> {
        let found = mentions(document, case).into_iter();
        found.filter(|other| other.span != here.span && other.thing == here.thing && fits(other)).map(here_at).collect()
    };
    let places = match here.thing {
        Thing::Group(_) => checks_of(document, case, &here),
        Thing::Tool(_) => {
            let uses = uses(document, &here).filter(|span| *span != here.span);
            uses.map(Place::Here).collect()
        }
        Thing::Source(name) => {
            let role = if here.role == Role::Use { Role::Definition } else { Role::Use };
            let in_case = others(&|other| other.role == role);
            let configured = config.sources.get(name).map(|source| Place::Configuration(source.span));
            if in_case.is_empty() { configured.into_iter().collect() } else { in_case }
        }
        Thing::Hint(hint) => {
            config.ui_hints.get(hint).map(|hint| Place::Configuration(hint.span)).into_iter().collect()
        }
        Thing::Id(_) => Vec::new(),
    };
    (!places.is_empty()).then_some(Targets { origin: here.span, places })
}

/// All uses of what stands at `offset`: of tools, sources and hints in the whole document, of a group in its case, with
/// the checks that feed it. Where `with_definitions` says so, those in `eval-ls.toml` too.
pub fn references(document: &Document, config: &Config, offset: usize, with_definitions: bool) -> Vec<Place> {
    let Some((case, here)) = mention_at(document, offset) else { return Vec::new() };
    let mut places: Vec<Place> = match here.thing {
        Thing::Group(_) => {
            let named = mentions(document, case).into_iter().filter(|other| other.thing == here.thing);
            named.map(here_at).chain(checks_of(document, case, &here)).collect()
        }
        _ => uses(document, &here).map(Place::Here).collect(),
    };
    let configured = match here.thing {
        Thing::Source(name) => config.sources.get(name).map(|source| source.span),
        Thing::Hint(hint) => config.ui_hints.get(hint).map(|hint| hint.span),
        _ => None,
    };
    places.extend(configured.filter(|_| with_definitions).map(Place::Configuration));
    places
}

/// What lights up with the text at `offset`: its uses in the document, of a group the checks that feed it too.
pub fn highlights(document: &Document, offset: usize) -> Vec<Span> {
    let places = references(document, &Config::default(), offset, false);
    let here = places.into_iter().filter_map(|place| match place {
        Place::Here(span) => Some(span),
        Place::Configuration(_) => None,
    });
    here.collect()
}

/// What is named at a place, and in which case.
fn mention_at(document: &Document, offset: usize) -> Option<(usize, Mention<'_>)> {
    let (index, _) = document.suite().case_at(offset)?;
    let found = mentions(document, index).into_iter().find(|mention| mention.span.touches(offset))?;
    Some((index, found))
}

/// Where the same thing is named in the document, in the order of the text.
fn uses<'a>(document: &'a Document, thing: &'a Mention<'a>) -> impl Iterator<Item = Span> + 'a {
    let all = (0..document.suite().cases.len()).flat_map(|index| mentions(document, index));
    all.filter(|other| other.thing == thing.thing).map(|other| other.span)
}

fn checks_of(document: &Document, case: usize, group: &Mention<'_>) -> Vec<Place> {
    let (Some(placed), Thing::Group(group)) = (document.suite().cases.get(case), group.thing) else {
        return Vec::new();
    };
    let checks = expectations(&placed.case);
    let feeding = checks.iter().filter(|check| check.group.is_some_and(|of| of.name() == group));
    feeding.map(|check| Place::Here(placed.absolute(check.span))).collect()
}

fn here_at(mention: Mention<'_>) -> Place {
    Place::Here(mention.span)
}

#[cfg(test)]
mod tests;
