use crate::analysis::Document;
use crate::config::Config;
use crate::diagnostic::Edit;
use crate::runs::CaseHashes;
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

/// The edit that changes the member `key` of a stored file from `old` to `new`; `None` if it is not `old`.
pub(crate) fn in_member(text: &str, key: &str, old: &str, new: &str) -> Option<Edit> {
    let parsed = parse(text);
    let value = parsed.tree.root(text)?.get(key)?;
    (old != new && value.as_str()? == old && !value.is_broken()).then(|| Edit::replace(value.span(), encode(new)))
}

/// The hashes of the case at the byte `at` under each of these ids; `None` for a case without an id.
pub(crate) fn hashes_under(document: &Document, at: usize, ids: [&str; 2], config: &Config) -> Option<[CaseHashes; 2]> {
    let (_, placed) = document.suite().case_at(at)?;
    let (id, text) = (placed.case.id.as_ref()?, document.text().slice(placed.span()));
    let hashes = CaseHashes::of(&placed.case, text, config);
    Some(ids.map(|name| {
        let mut text = text.to_owned();
        if name != id.value {
            text.replace_range(id.span.range(), &encode(name));
        }
        hashes.with_text(&text)
    }))
}

/// A text as JSON, without quotes.
pub(super) fn inner(text: &str) -> String {
    let literal = encode(text);
    literal[1..literal.len() - 1].to_owned()
}
