//! The phrases of a case, which are looked for literally, for the lints that look at their text.

use crate::suite::{Expected, List, Spanned};

/// A list of phrases.
pub(crate) struct Phrases<'a> {
    /// The key that it stands under.
    pub(crate) key: &'static str,
    /// Whether one phrase is enough, so that another one beside it asks for no more.
    pub(crate) is_any: bool,
    /// The list.
    pub(crate) list: &'a List,
}

impl<'a> Phrases<'a> {
    /// The phrases that are not empty.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'a Spanned<String>> + use<'a> {
        self.list.entries()
    }
}

/// All lists of phrases in a case.
pub(crate) fn phrases(expected: &Expected) -> Vec<Phrases<'_>> {
    let lists = [
        ("must_say_any", true, &expected.must_say_any),
        ("must_not_say", false, &expected.must_not_say),
        ("assumption_markers_any", true, &expected.assumption_markers_any),
        ("must_allow_override_actions", false, &expected.must_allow_override_actions),
    ];
    let lists = lists.into_iter().filter_map(|(key, is_any, list)| Some(Phrases { key, is_any, list: list.as_ref()? }));
    let sources = expected.source_patterns.iter().flat_map(|field| &field.value);
    let sources = sources.map(|source| Phrases { key: "source_patterns", is_any: true, list: &source.patterns });
    let numbers = expected.must_ground_numbers.iter().flat_map(|field| &field.value);
    let contexts = numbers.filter_map(|item| item.context_any.as_ref());
    lists.chain(sources).chain(contexts.map(|list| Phrases { key: "context_any", is_any: true, list })).collect()
}
