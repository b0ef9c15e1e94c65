//! Renames cases and sources.
//!
//! A rename never changes a verdict. If it would, it returns an error with the reason.

mod case_id;
mod source;
#[cfg(test)]
mod tests;

use crate::diagnostic::quoted;
use crate::syntax::{Kind, Node};
use crate::text::Span;

pub(crate) use case_id::{hashes_under, in_member, rename_case};
pub(crate) use source::rename_source;

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
