//! The lists of strings in a case.

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::CaseContext;
use crate::suite::{Expected, List, Of};
use crate::syntax::Kind;
use crate::text::Span;

/// A list of strings in a case.
pub(crate) struct Entries<'a> {
    /// The entries and their places, without those of the wrong type.
    pub(crate) entries: Vec<(&'a str, Span)>,
    /// Whether each entry is a separate check. Otherwise one matching entry is enough.
    pub(crate) is_check_each: bool,
}

impl<'a> Entries<'a> {
    /// Returns the entries of `list`.
    pub(crate) fn of(list: &'a List, is_check_each: bool) -> Self {
        let entries = list.value.iter().map(|entry| (entry.value.as_str(), entry.span)).collect();
        Self { entries, is_check_each }
    }
}

/// The choices to take one of these entries out of its list; a list without other entries goes with its key. Entries that
/// are not nodes of the case are left out.
pub(crate) fn removals(cx: &CaseContext<'_>, entries: impl IntoIterator<Item = Span>) -> Vec<Fix> {
    let removal = |span: Span| {
        let entry = cx.node_at(span)?;
        let list = entry.parent()?;
        let member = list.parent().filter(|member| member.kind() == Kind::Member)?;
        let key = member.as_member()?.key.as_str()?;
        let (title, node) = match (list.kind(), list.elements().count()) {
            (Kind::Array, 1) => (format!("remove {}", quoted(&key)), member),
            (Kind::Array, _) => (
                format!("remove {} from {}", quoted(entry.as_str().as_deref().unwrap_or(entry.text())), quoted(&key)),
                entry,
            ),
            _ => return None,
        };
        Some(Fix::choice(title, vec![Edit::delete(node.removal())]))
    };
    entries.into_iter().filter_map(removal).collect()
}

/// Returns all lists under `expected`, without those of scoring groups.
pub(crate) fn lists(expected: &Expected) -> Vec<Entries<'_>> {
    let mut lists: Vec<_> = expected.lists().map(|(_, _, of, list)| Entries::of(list, of != Of::Any)).collect();
    let sources = expected.source_patterns.iter().flat_map(|field| &field.value);
    lists.extend(sources.map(|source| Entries::of(&source.patterns, false)));
    let contexts = expected.numbers().filter_map(|item| item.context_any.as_ref());
    lists.extend(contexts.map(|list| Entries::of(list, false)));
    let bare = expected.numbers().filter(|item| !item.is_object);
    let entries = bare.filter_map(|item| Some((item.value.as_ref()?.value.as_str(), item.span))).collect();
    lists.push(Entries { entries, is_check_each: true });
    lists
}
