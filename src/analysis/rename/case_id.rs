use crate::analysis::Document;
use crate::diagnostic::Edit;
use crate::syntax::{encode, parse};

use super::{Named, RenameError};

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
    Ok(if new == named.name { Vec::new() } else { vec![Edit::replace(named.span, inner(new))] })
}

/// The edit that moves a transcript from the case `old` to the case `new`; `None` if it does not belong to `old`. `text` is
/// the text of the transcript.
pub(crate) fn in_transcript(text: &str, old: &str, new: &str) -> Option<Edit> {
    let parsed = parse(text);
    let case = parsed.tree.root(text)?.get("case")?;
    (case.as_str()? == old && !case.is_broken()).then(|| Edit::replace(case.span(), encode(new)))
}

/// A text as JSON, without quotes.
pub(super) fn inner(text: &str) -> String {
    let literal = encode(text);
    literal[1..literal.len() - 1].to_owned()
}
