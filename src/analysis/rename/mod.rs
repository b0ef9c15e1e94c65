//! Renames cases and sources.
//!
//! A rename never changes a verdict. If it would, it returns an error with the reason.

#[cfg(test)]
mod tests;

use crate::config::Config;
use crate::diagnostic::{Edit, quoted};
use crate::suite::{Case, Spanned};
use crate::syntax::{Kind, Node, encode, parse};
use crate::text::Span;

use super::Document;

/// A name that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The kind of thing.
    pub(crate) kind: NamedKind,
    /// The current name.
    pub(crate) name: String,
    /// The bytes of the name in the file, without its quotes.
    pub(crate) span: Span,
}

/// The kinds of things that can be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedKind {
    /// A case, by its id.
    Case,
    /// A source, in `required_sources` or `source_patterns`.
    Source,
}

/// The reason why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenameError {
    /// There is no name under the cursor.
    #[error("nothing here can be renamed; place the cursor on a case id or a source name")]
    Nothing,
    /// `--cases` could not select the new id.
    #[error(
        "a case id must not be empty, start or end with white space, or contain a comma, which separates ids in `--cases`"
    )]
    AwkwardId,
    /// Another case has the new id.
    #[error("another case already has the id {}", quoted(.0))]
    IdIsTaken(String),
    /// The new name of a source is empty.
    #[error("a source name must not be empty")]
    EmptySource,
    /// There already is a source with that name.
    #[error("the source {} already exists", quoted(.0))]
    SourceIsTaken(String),
    /// A source without patterns is matched by its name.
    #[error(
        "the source {} has no patterns in the case {} or in `eval-ls.toml`, so it is matched by its name, and renaming it \
         would change the check; add patterns first",
        quoted(.source_name), quoted(.case)
    )]
    NamedByItself {
        /// The source.
        source_name: String,
        /// The id of the case that requires it.
        case: String,
    },
}

/// The name under a cursor at the byte `offset`.
pub(crate) fn named_at(document: &Document, offset: usize) -> Option<Named> {
    let (index, placed) = document.suite().case_at(offset)?;
    let case = document.case_node(index)?;
    let expected = &placed.case.expected;
    let touches = |span: Span| placed.absolute(span).touches(offset);
    let id = placed.case.id.iter().map(|id| (NamedKind::Case, id.span, &id.value));
    let required = expected.required_sources.iter().flat_map(|list| &list.value);
    let given = expected.source_patterns.iter().flat_map(|given| &given.value).map(|given| &given.source);
    let sources = required.chain(given).map(|source| (NamedKind::Source, source.span, &source.value));
    let (kind, span, name) = id.chain(sources).find(|(_, span, _)| touches(*span))?;
    let literal = case.find(placed.absolute(span)).filter(|node| node.kind() == Kind::String && !node.is_broken())?;
    Some(Named { kind, name: name.clone(), span: inner(literal) })
}

/// A string without its quotes.
fn inner(literal: Node<'_>) -> Span {
    let span = literal.span();
    Span::new(span.start + 1, span.end - 1)
}

/// The edits that give the case with the id at `named` the id `new`.
///
/// # Errors
/// If another case has the id `new`, or if `--cases` could not select it.
pub(crate) fn rename_case(document: &Document, named: &Named, new: &str) -> Result<Vec<Edit>, RenameError> {
    if new.trim() != new || new.is_empty() || new.contains(',') {
        return Err(RenameError::AwkwardId);
    }
    let mut others = document.suite().cases.iter().filter(|placed| !placed.span().covers(named.span));
    if others.any(|placed| placed.case.id.as_ref().is_some_and(|id| id.value == new)) {
        return Err(RenameError::IdIsTaken(new.to_owned()));
    }
    Ok(if new == named.name { Vec::new() } else { vec![Edit::replace(named.span, inner_text(new))] })
}

/// The edit that changes the member `key` of a stored file from `old` to `new`; `None` if it is not `old`.
pub(crate) fn in_member(text: &str, key: &str, old: &str, new: &str) -> Option<Edit> {
    let parsed = parse(text);
    let value = parsed.tree.root(text)?.get(key)?;
    (old != new && value.as_str()? == old && !value.is_broken()).then(|| Edit::replace(value.span(), encode(new)))
}

/// A text as JSON, without quotes.
fn inner_text(text: &str) -> String {
    let literal = encode(text);
    literal[1..literal.len() - 1].to_owned()
}

/// The edits that rename the source `old` to `new` in `required_sources` and `source_patterns` of all cases. `config` is the
/// configuration of the suite. If it defines the source, the caller must change it too.
///
/// # Errors
/// If there already is a source with that name, or if neither the case nor `config` has patterns for the source.
pub(crate) fn rename_source(
    document: &Document,
    old: &str,
    new: &str,
    config: &Config,
) -> Result<Vec<Edit>, RenameError> {
    if new.trim().is_empty() {
        return Err(RenameError::EmptySource);
    }
    if new == old {
        return Ok(Vec::new());
    }
    let is_defined = config.sources.contains_key(old);
    if config.sources.contains_key(new) {
        return Err(RenameError::SourceIsTaken(new.to_owned()));
    }
    let mut edits = Vec::new();
    for placed in &document.suite().cases {
        let case = &placed.case;
        let found = named(case, old);
        if found.is_empty() {
            continue;
        }
        if !named(case, new).is_empty() {
            return Err(RenameError::SourceIsTaken(new.to_owned()));
        }
        if !is_defined && !gives_patterns(case, old) {
            let case = case.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
            return Err(RenameError::NamedByItself { source_name: old.to_owned(), case });
        }
        edits.extend(found.into_iter().map(|span| {
            let span = placed.absolute(span);
            Edit::replace(Span::new(span.start + 1, span.end - 1), inner_text(new))
        }));
    }
    edits.sort_by_key(|edit| edit.span);
    Ok(edits)
}

/// The places that name the source in a case, with their quotes.
fn named(case: &Case, source: &str) -> Vec<Span> {
    let required = case.expected.required_sources.iter().flat_map(|list| &list.value);
    let given = case.expected.source_patterns.iter().flat_map(|given| &given.value).map(|given| &given.source);
    let is_named = |name: &&Spanned<String>| name.value == source;
    required.chain(given).filter(is_named).map(|name| name.span).collect()
}

fn gives_patterns(case: &Case, source: &str) -> bool {
    case.expected.source_patterns.iter().flat_map(|given| &given.value).any(|given| given.source.value == source)
}
