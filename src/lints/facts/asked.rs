//! Which scoring groups have a check in a case, or an intended check.

use crate::diagnostic::nearest;
use crate::suite::{Expectation, ExpectationKind, FIELDS, Group, Outcome};
use crate::syntax::{Kind, Node};

use crate::lints::CaseContext;

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
