//! The phrases of a case, which are looked for literally, for the lints that look at their text.

use crate::suite::{Expected, List, Of, Spanned, Texts};

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
    let lists = expected.lists().filter_map(|(field, texts, of, list)| {
        let is_phrase = matches!(texts, Texts::Phrases | Texts::Markers | Texts::Actions);
        is_phrase.then_some(Phrases { key: field.key, is_any: of == Of::Any, list })
    });
    let sources = expected.source_patterns.iter().flat_map(|field| &field.value);
    let sources = sources.map(|source| Phrases { key: "source_patterns", is_any: true, list: &source.patterns });
    let contexts = expected.numbers().filter_map(|item| item.context_any.as_ref());
    lists.chain(sources).chain(contexts.map(|list| Phrases { key: "context_any", is_any: true, list })).collect()
}
