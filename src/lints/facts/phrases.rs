//! The phrases of a case, which are looked for literally, and the words that answers about anything have.

use std::sync::LazyLock;

use crate::suite::{Expected, List, Of, Spanned, Texts};
use crate::text::fold;

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

/// Everyday words of answers, refusals and apologies, in lower case.
const WORDS: &str = "\
about above according account across action actually added after again agree all allow almost already also although always \
among another answer any anything apologies apologize approach appropriate approval approximately april are around ask \
assistant attempt available away back based because become been before begin below best better between both bring build \
business call cannot case certainly change channel check clear close come commit committed committee common communicate \
compare complete concern consider contact contain continue correct could create current currently data day decide depend \
describe detail did different difficult directly discuss display does done down each early easy either else email end enough \
ensure error especially even event eventually every example expect experience explain express fact feel few final find first \
follow following for found from full further general get give given go good great group happen happy has have help helpful \
here high how however idea important impossible impression improve include including increase information input insight \
instead interest into issue issues item job just keep kind know large last later latest learn least let like likely list \
little long look main make many may maybe mean mention mentioned message might minute moment more morning most move much \
must name need never new next nobody none note nothing now number offer often okay once one only open option other our out \
over own page part people perhaps person place please point possible prepare present pretty prevent previous price print \
prior priority probably problem proceed process produce product production project promise proper propose protect proud \
provide purpose put question quick quite rather reach read ready really reason receive recent recently recommend regarding \
remain remember repeat report request require respond response rest result retry return review right run said same say \
second see seem send service set several share short should show side similar simple since small some something sorry \
specific start state status step still stop such suggest summary support sure surprise system take talk team tell test than \
thank that the then there therefore these thing think this thread through time today together tomorrow too topic total \
toward true try turn type unable under understand unfortunately until update upon use useful user usually value very view \
wait want was way week welcome well went were what when where whether which while who whole why will wish with within \
without word work working would write wrong year yes yesterday yet your";

/// An everyday word that contains `phrase`, a longer one first; `None` for a phrase of several words.
pub(crate) fn everyday_word(phrase: &str) -> Option<&'static str> {
    let phrase = fold(phrase);
    if phrase.is_empty() || !phrase.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let is_plural = |word: &str| word.strip_suffix('s') == Some(&*phrase);
    let from = SUFFIXES.partition_point(|(suffix, _)| *suffix < &*phrase);
    let containing = || {
        let starting = SUFFIXES[from..].iter().take_while(|(suffix, _)| suffix.starts_with(&*phrase));
        starting.map(|(_, word)| *word)
    };
    let longer = containing().filter(|word| *word != phrase && !is_plural(word)).min();
    longer.or_else(|| containing().min())
}

/// Each suffix of each word, and the word. They are sorted, so the suffixes that start with a phrase are neighbours.
static SUFFIXES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let suffixes_of = |word: &'static str| (0..word.len()).map(move |start| (&word[start..], word));
    let mut suffixes: Vec<_> = WORDS.split(' ').flat_map(suffixes_of).collect();
    suffixes.sort_unstable();
    suffixes
});

#[cfg(test)]
mod tests {
    use super::everyday_word;

    #[test]
    fn phrases_of_one_word() {
        for (phrase, word) in [
            ("pr", Some("approach")),
            ("PR", Some("approach")),
            ("repo", Some("report")),
            ("event", Some("eventually")),
            ("issue", Some("issue")),
            ("message", Some("message")),
            ("github", None),
            ("pull request", None),
            ("site health", None),
            ("#general", None),
            ("", None),
        ] {
            assert_eq!(everyday_word(phrase), word, "{phrase}");
        }
    }
}
