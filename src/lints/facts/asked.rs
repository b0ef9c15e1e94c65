//! What a case asks: which scoring groups have a check or an intended check, and its lists of strings.

use crate::diagnostic::{Edit, Fix, nearest, quoted};
use crate::lints::CaseContext;
use crate::suite::{Expectation, ExpectationKind, Expected, FIELDS, Group, List, Of, Outcome};
use crate::syntax::{Kind, Node};
use crate::text::Span;

/// Returns whether the case has a check of the group, or was meant to have one: text that makes no check because of an
/// error counts. An outcome of `response_only` does not count.
pub(crate) fn is_asked(cx: &CaseContext<'_>, group: Group) -> bool {
    let is_response_only =
        |check: &Expectation<'_>| matches!(check.kind, ExpectationKind::Outcome { outcome: Outcome::ResponseOnly, .. });
    cx.checks_of(group).any(|check| !is_response_only(check)) || is_meant(cx, group)
}

/// Returns whether a key of the group has a value that does not disable its check. Misspelt and misplaced keys count.
fn is_meant(cx: &CaseContext<'_>, group: Group) -> bool {
    let feeds = |key: &str| FIELDS.iter().any(|field| field.key == key && field.group == Some(group));
    let known = || FIELDS.iter().map(|field| field.key);
    let mut within = cx.node.get("expected").into_iter().flat_map(Node::members);
    let is_within = within.any(|member| {
        let Some(key) = member.key.as_str() else { return false };
        let meant = if known().any(|name| name == key) { Some(&*key) } else { nearest(&key, known()) };
        meant.is_some_and(feeds) && !member.value.is_some_and(|value| asks_nothing(&key, value))
    });
    is_within || cx.node.members().any(|member| member.key.as_str().is_some_and(|key| feeds(&key)))
}

/// Returns whether a value disables the check explicitly. A broken or unreadable value does not.
fn asks_nothing(key: &str, value: Node<'_>) -> bool {
    let is_empty = |entry: Node<'_>| !entry.is_broken() && entry.as_str().is_some_and(|text| text.is_empty());
    match value.kind() {
        Kind::Array => !value.is_broken() && value.elements().all(is_empty),
        Kind::False => true,
        Kind::String => key == "outcome" && value.as_str().is_some_and(|name| name == Outcome::ResponseOnly.name()),
        _ => false,
    }
}

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
