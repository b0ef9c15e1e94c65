//! The lists of strings in a case.

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::CaseContext;
use crate::suite::{Expected, List};
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
    let each = [
        &expected.tool_calls_none,
        &expected.must_not_say,
        &expected.ui,
        &expected.telemetry,
        &expected.required_sources,
        &expected.must_match_regex,
        &expected.must_not_match_regex,
        &expected.must_allow_override_actions,
    ];
    let any = [&expected.tool_calls_any, &expected.must_say_any, &expected.assumption_markers_any];
    let numbers = expected.must_ground_numbers.iter().flat_map(|field| &field.value);
    let sources = expected.source_patterns.iter().flat_map(|field| &field.value);

    let mut lists: Vec<_> = each.into_iter().flatten().map(|list| Entries::of(list, true)).collect();
    lists.extend(any.into_iter().flatten().map(|list| Entries::of(list, false)));
    lists.extend(sources.map(|source| Entries::of(&source.patterns, false)));
    lists.extend(numbers.clone().filter_map(|item| Some(Entries::of(item.context_any.as_ref()?, false))));
    let bare = numbers.filter(|item| !item.is_object);
    let entries = bare.filter_map(|item| Some((item.value.as_ref()?.value.as_str(), item.span))).collect();
    lists.push(Entries { entries, is_check_each: true });
    lists
}
