//! Hover for sources: the phrases that mention a source, and where they are defined.

use super::HoverContext;
use crate::suite::{Group, built_in_source};
use crate::wording::{Line, Markup};

/// The maximum number of listed phrases. More would push the rest of the hover out of sight.
const LISTED: usize = 16;

impl HoverContext<'_> {
    /// Explains a source.
    pub(super) fn source(&self, name: &str, page: &mut Markup) {
        if name.is_empty() {
            return page.paragraph(Line::new("An empty string is ignored."));
        }
        page.paragraph(self.phrases(name));
        let Some((case, _)) = self.case() else { return };
        let required = case.case.expected.required_sources.iter().flat_map(|list| list.entries());
        match required.filter(|source| source.value == name).count() {
            0 => page.paragraph(Line::new("`required_sources` does not list it, so it is not checked.")),
            count => {
                page.paragraph(self.counted_in(Group::SynthesisCoverage, count));
            }
        }
    }

    /// Explains a phrase of `source_patterns`.
    pub(super) fn source_phrase(&self, source: &str, phrase: &str, page: &mut Markup) {
        if phrase.is_empty() {
            return page.paragraph(Line::new("An empty string is ignored."));
        }
        let line = Line::new("A response that contains ").code(phrase).say(", ignoring case, mentions the source ");
        page.paragraph(line.code(source).say(". It is a phrase, not a pattern."));
        page.paragraph(self.phrases(source));
    }

    /// The phrases that mention a source, and where they are defined.
    fn phrases(&self, name: &str) -> Line {
        let given = self.case().and_then(|(case, _)| {
            case.case.expected.source_patterns.as_ref()?.value.iter().rev().find(|given| given.source.value == name)
        });
        let described = |phrases: Vec<&str>, from: &str| match phrases.as_slice() {
            [] => {
                let line = Line::new("The source ").code(name);
                line.say(format!(" has an empty list of phrases ({from}), so the check fails."))
            }
            phrases => Line::new("A response mentions the source ")
                .code(name)
                .say(" if it contains ")
                .list(phrases.iter().copied(), "or", LISTED)
                .say(format!(" ({from}).")),
        };
        if let Some(given) = given {
            let phrases = given.patterns.entries().map(|entry| entry.value.as_str()).collect();
            return described(phrases, "from `source_patterns`");
        }
        if let Some(source) = self.config.sources.get(name) {
            let phrases = source.patterns.iter().map(String::as_str).filter(|phrase| !phrase.is_empty()).collect();
            return described(phrases, "from `[sources]` in `eval-ls.toml`");
        }
        match built_in_source(name) {
            Some(phrases) => described(phrases.to_vec(), "built in"),
            None => described(vec![name], "its name, because it has no phrases"),
        }
    }
}
