use std::collections::HashSet;

use crate::diagnostic::{Cause, Edit, Finding, Fix, nearest, quoted};
use crate::lints::facts::claims::everyday_word;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{List, source_phrases};
use crate::syntax::{Kind, encode, separator_before};
use crate::text::Span;

declare_lint! {
    /// A source counts as used because of an everyday word.
    ///
    /// A source is used if the response has one of its phrases, anywhere, also within a word. The built-in phrases of `github`
    /// include `pr` and `repo`: "I propose to improve the report" counts as GitHub. So a refusal can pass the check.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "required_sources": ["github"] }
    /// ```
    ///
    /// ```json
    /// { "required_sources": ["board"], "source_patterns": { "board": ["repairs", "open"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Under `source_patterns`, or under `[sources]` in `eval-ls.toml`, give phrases that only an answer from the source has.
    ///
    /// ```json
    /// { "required_sources": ["github"], "source_patterns": { "github": ["github", "pull request"] } }
    /// ```
    pub(crate) BROAD_SOURCE = "broad-source", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    given(cx, report);
    let required = cx.case.expected.required_sources.iter().flat_map(List::entries);
    for broad in required.filter_map(|source| Broad::of(cx, source.span, &source.value)) {
        let finding = report.add(broad.span, broad.message());
        finding.because(broad.cause());
        narrow(cx, &broad, finding);
    }
}

/// A required source with broad phrases that the case does not give.
struct Broad<'a> {
    /// The entry of `required_sources`.
    span: Span,
    source: &'a str,
    phrases: Vec<&'a str>,
    words: Vec<(&'a str, &'static str)>,
}

impl<'a> Broad<'a> {
    fn of(cx: &CaseContext<'a>, span: Span, source: &'a str) -> Option<Broad<'a>> {
        // Patterns under a misspelt name are another lint's business.
        let mut given = cx.case.expected.source_patterns.iter().flat_map(|patterns| &patterns.value);
        if given.any(|given| nearest(&given.source.value, [source]).is_some()) {
            return None;
        }
        let phrases = source_phrases(source, cx.workspace.sources.get(source).map(Vec::as_slice));
        let words = phrases.iter().filter_map(|phrase| Some((*phrase, everyday_word(phrase)?)));
        let words: Vec<_> = words.filter(|(phrase, word)| *phrase != source || phrase != word).collect();
        (!words.is_empty()).then_some(Broad { span, source, phrases, words })
    }

    fn cause(&self) -> Cause {
        let narrow = self.narrow_phrases().map(str::to_owned).collect();
        Cause::BroadSource { source: self.source.to_owned(), narrow }
    }

    /// The phrases that are not in everyday words.
    fn narrow_phrases(&self) -> impl Iterator<Item = &'a str> {
        self.phrases.iter().copied().filter(|phrase| self.words.iter().all(|(other, _)| other != phrase))
    }

    fn message(&self) -> String {
        let shown = self.words.iter().map(|(phrase, word)| match phrase == word {
            true => quoted(phrase),
            false => format!("{} as in \"{word}\"", quoted(phrase)),
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        format!("everyday words count as the source {}: {shown}", quoted(self.source))
    }
}

/// Offers `source_patterns` without the broad phrases.
fn narrow(cx: &CaseContext<'_>, broad: &Broad<'_>, finding: &mut Finding) {
    let phrases: Vec<_> = broad.narrow_phrases().map(encode).collect();
    if phrases.is_empty() {
        return;
    }
    let member = format!("{}: [{}]", encode(broad.source), phrases.join(", "));
    let Some(expected) = cx.node.get("expected").filter(|expected| !expected.is_broken()) else { return };
    let edit = match expected.member("source_patterns") {
        Some(patterns) => {
            let Some(object) = patterns.value.filter(|object| object.kind() == Kind::Object) else { return };
            match object.members().last() {
                Some(last) => {
                    let separator = separator_before(cx.node.text(), last.node.span().start);
                    Edit::insert(last.node.span().end, format!(",{separator}{member}"))
                }
                None => Edit::replace(object.span(), format!("{{ {member} }}")),
            }
        }
        None => {
            let Some(required) = expected.member("required_sources") else { return };
            let separator = separator_before(cx.node.text(), required.node.span().start);
            let text = format!(",{separator}\"source_patterns\": {{ {member} }}");
            Edit::insert(required.node.span().end, text)
        }
    };
    finding.fix(Fix::new("keep only the phrases that name the source, in this case", vec![edit]));
}

/// Reports the broad phrases that the case itself gives to a required source.
fn given(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let required: HashSet<&str> =
        expected.required_sources.iter().flat_map(List::entries).map(|required| required.value.as_str()).collect();
    let lists = expected.source_patterns.iter().flat_map(|patterns| &patterns.value);
    for source in lists.filter(|source| required.contains(source.source.value.as_str())) {
        for phrase in source.patterns.entries() {
            let Some(word) = everyday_word(&phrase.value) else { continue };
            let shown = quoted(&phrase.value);
            let message = match word == phrase.value {
                true => format!("{shown} is an everyday word, so almost any answer can count as this source"),
                false => format!("{shown} is part of everyday words such as \"{word}\""),
            };
            report.add(phrase.span, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::BROAD_SOURCE;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_lines, findings, flagged_in};

    #[test]
    fn names_the_words() {
        let suite = r#"{ "cases": [ { "expected": { "required_sources": ["crm", "GitHub", "slack"] } } ] }"#;
        let found = findings(&Setup::default(), &BROAD_SOURCE, suite);
        let shown: Vec<_> = found.iter().map(|finding| &suite[finding.span.range()]).collect();
        assert_eq!(shown, ["\"GitHub\"", "\"slack\""]);
        assert!(found[0].message.contains("`repo` as in \"report\""), "{}", found[0].message);
    }

    #[test]
    fn phrases_of_the_case_and_of_the_workspace_count() {
        check_lines(
            &BROAD_SOURCE,
            r#"
            { "required_sources": ["a"], "source_patterns": { "a": ["repair list", «"open"», «"ai"», "v2"], "b": ["open"] } }
            { "required_sources": [«"github"»] }
            → { "required_sources": ["github"], "source_patterns": { "github": ["github", "pull request"] } }
            { "required_sources": [«"vercel"»], "source_patterns": { "x": ["y"] } }
            → { "required_sources": ["vercel"], "source_patterns": { "x": ["y"], "vercel": ["vercel", "deployment"] } }
            "#,
        );
        let sources = |phrase: &str| BTreeMap::from([("github".to_owned(), vec![phrase.to_owned()])]);
        for (phrase, is_found) in [("gh:", false), ("report", true)] {
            let workspace = Workspace { sources: sources(phrase), ..Workspace::default() };
            let setup = Setup { workspace, ..Setup::default() };
            let suite = r#"{ "cases": [ { "expected": { "required_sources": ["github"] } } ] }"#;
            assert_eq!(!flagged_in(&setup, &BROAD_SOURCE, suite).is_empty(), is_found, "{phrase}");
        }
    }
}
