//! Renames cases.

#[cfg(test)]
mod tests;

use crate::diagnostic::{Edit, quoted};
use crate::syntax::{Kind, encode, parse};
use crate::text::Span;

use super::Document;

/// A name that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The current name.
    pub(crate) name: String,
    /// The bytes of the name in the file, without its quotes.
    pub(crate) span: Span,
}

/// The reason why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenameError {
    /// There is no name under the cursor.
    #[error("nothing here can be renamed; place the cursor on the id of a case")]
    Nothing,
    /// `--cases` could not select the new id.
    #[error(
        "a case id must not be empty, start or end with white space, or contain a comma, which separates ids in `--cases`"
    )]
    AwkwardId,
    /// Another case has the new id.
    #[error("another case already has the id {}", quoted(.0))]
    IdIsTaken(String),
}

/// The name under a cursor at the byte `offset`.
pub(crate) fn named_at(document: &Document, offset: usize) -> Option<Named> {
    let (index, placed) = document.suite().case_at(offset)?;
    let case = document.case_node(index)?;
    let id = placed.case.id.as_ref().filter(|id| placed.absolute(id.span).touches(offset))?;
    let literal =
        case.find(placed.absolute(id.span)).filter(|node| node.kind() == Kind::String && !node.is_broken())?;
    let span = literal.span();
    Some(Named { name: id.value.clone(), span: Span::new(span.start + 1, span.end - 1) })
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
