//! `required_sources`: the response mentions each of these sources.

use super::rule::*;
use crate::suite::source_phrases;

#[derive(Debug)]
struct RequiredSource<'a> {
    source: &'a Spanned<String>,
    /// The phrases of `source_patterns`. If the list is empty, no response mentions the source.
    given: Option<&'a List>,
}

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    asked.each("required_sources", "synthesis:required_source:", &expected.required_sources, |source| {
        let mut patterns = expected.source_patterns.iter().flat_map(|field| field.value.iter().rev());
        // Of several, the last ones count.
        let given = patterns.find(|given| given.source.value == source.value).map(|given| &given.patterns);
        RequiredSource { source, given }
    });
}

impl<'a> RequiredSource<'a> {
    fn says<'p>(&self, defined: Option<&'p [String]>) -> SaysOne<'p>
    where
        'a: 'p,
    {
        let source = self.source.value.as_str();
        let phrases = self.given.map_or_else(|| source_phrases(source, defined), texts);
        SaysOne { shown: source.into(), phrases, given: Given::Entry(self.source.span) }
    }

    fn says_in<'p>(&self, config: &'p Config) -> SaysOne<'p>
    where
        'a: 'p,
    {
        self.says(config.sources.get(&self.source.value).map(|source| &*source.patterns))
    }
}

impl<'a> Rule<'a> for RequiredSource<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let says = self.says_in(view.config);
        if says.phrases.is_empty() {
            let source = quoted(&self.source.value);
            return Decision::failed(format!("{source} has no phrase that a response could contain"));
        }
        says.judge(view)
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        self.says_in(view.config).nearest(view)
    }

    fn claim(&self, sources: Sources<'_, 'a>) -> Option<Claim<'a>> {
        self.says(sources(&self.source.value)).claim(sources)
    }

    fn propose(&self, answered: &Answered<'_>) -> Vec<Proposal> {
        self.says(None).propose(answered)
    }
}
