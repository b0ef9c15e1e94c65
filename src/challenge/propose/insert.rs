//! Checks written into the text of a case.

use crate::diagnostic::Edit;
use crate::suite::{ExpectedField, Holds};
use crate::syntax::{Kind, Node, encode, parse, separator_before};

use super::Candidate;

/// The edits that add checks to a case, in bytes of its text and in its order; `None` if the text has an error, or a value of the
/// wrong type where a check goes. New keys come last, in the order of the checks.
pub(super) fn edits(source: &str, checks: &[Candidate]) -> Option<Vec<Edit>> {
    let parse = parse(source);
    let case = parse.tree.root(source).filter(|root| parse.errors.is_empty() && root.kind() == Kind::Object)?;
    let expected = case.get("expected");
    let mut keys: Vec<&str> = Vec::new();
    for check in checks {
        if !keys.contains(&check.key) {
            keys.push(check.key);
        }
    }
    let mut edits = Vec::new();
    let mut members = Vec::new();
    for key in keys {
        let entries = checks.iter().filter(|check| check.key == key).map(|check| check.entry.as_str());
        let entries = entries.collect::<Vec<_>>().join(", ");
        let list = expected.and_then(|expected| expected.get(key));
        // Any other value is a mistake of the author, which must not be overwritten.
        if list.is_some_and(|list| !matches!(list.kind(), Kind::Array | Kind::Null)) {
            return None;
        }
        match list.and_then(|list| Some((list, list.elements().last()?))) {
            Some((_, last)) => edits.push(Edit::insert(last.span().end, format!(", {entries}"))),
            None if is_list(key) => members.push((key, format!("[{entries}]"), list)),
            None => members.push((key, entries, list)),
        }
    }
    // A key with an empty list keeps its place.
    edits.extend(members.iter().filter_map(|(_, value, old)| Some(Edit::replace((*old)?.span(), value.clone()))));
    let new: Vec<String> = members
        .iter()
        .filter(|(.., old)| old.is_none())
        .map(|(key, value, _)| format!("{}: {value}", encode(key)))
        .collect();
    if !new.is_empty() {
        edits.push(match expected {
            Some(expected) if expected.kind() == Kind::Object => added(source, expected, &new),
            Some(expected) if expected.kind() == Kind::Null => {
                Edit::replace(expected.span(), object(source, case, &new))
            }
            Some(_) => return None,
            None => added(source, case, &[format!("\"expected\": {}", object(source, case, &new))]),
        });
    }
    edits.sort_by_key(|edit| edit.span);
    Some(edits)
}

fn is_list(key: &str) -> bool {
    ExpectedField::named(key).is_some_and(|field| matches!(field.holds, Holds::List(..) | Holds::Numbers))
}

/// Members added to an object, each separated from the one before as the last member is.
fn added(source: &str, object: Node<'_>, members: &[String]) -> Edit {
    match object.members().last().and_then(|last| Some((last.key, last.value?))) {
        Some((key, value)) => {
            let separator = separator_before(source, key.span().start);
            let text: String = members.iter().map(|member| format!(",{separator}{member}")).collect();
            Edit::insert(value.span().end, text)
        }
        None => Edit::replace(object.span(), format!("{{ {} }}", members.join(", "))),
    }
}

/// A new object in a case: a line for each member if the case has lines.
fn object(source: &str, case: Node<'_>, members: &[String]) -> String {
    let first = case.members().last().map_or(" ", |member| separator_before(source, member.key.span().start));
    if !first.contains('\n') {
        return format!("{{ {} }}", members.join(", "));
    }
    let members: Vec<String> = members.iter().map(|member| format!("{first}  {member}")).collect();
    format!("{{{}{first}}}", members.join(","))
}
